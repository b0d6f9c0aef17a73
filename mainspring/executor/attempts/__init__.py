"""Attempts on an executor, from start to outcome."""
