"""Workflow runs that several transactions move at once."""
