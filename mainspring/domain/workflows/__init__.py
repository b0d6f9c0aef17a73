"""Workflows: jobs that have steps instead of a handler."""
