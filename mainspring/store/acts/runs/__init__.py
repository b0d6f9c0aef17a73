"""Cold acts on single runs, and telemetry and checkpoints of their attempts."""
