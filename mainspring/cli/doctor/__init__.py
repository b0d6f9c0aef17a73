"""The doctor and its checks."""
