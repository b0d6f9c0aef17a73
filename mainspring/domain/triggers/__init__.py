"""Triggers: which instants are due, and what becomes of those that were missed."""
