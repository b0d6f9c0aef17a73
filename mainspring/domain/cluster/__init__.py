"""Servers, executor sessions, and invariants of the store."""
