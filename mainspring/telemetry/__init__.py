"""Traces by OpenTelemetry (extra `otel`): without it, or without an exporter, nothing is imported."""
