"""Statements that every run passes, on SQLite."""
