"""How long a test waits for what is certain to come."""

HANG = 300.0
"""Seconds that only what hangs takes, on however busy a machine: no verdict of a test depends on it."""
