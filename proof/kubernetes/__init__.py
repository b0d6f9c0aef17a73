"""The Kubernetes adapter and the Helm chart, against a real API server."""
