"""Queues, lines, and their roll-ups."""
