"""Statements that every run passes, on PostgreSQL."""
