"""Workflows, workflow runs and batches."""
