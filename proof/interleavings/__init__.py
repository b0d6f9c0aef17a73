"""Transitions of the PostgreSQL store, stepped through their orders on real connections."""
