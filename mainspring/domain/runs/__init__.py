"""Runs and attempts: states, outcomes, retries, checkpoints."""
