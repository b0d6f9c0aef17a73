"""Workflow runs: begun, moved from step to step, and ended."""
