"""Counts, live feeds and logs for people who look."""
