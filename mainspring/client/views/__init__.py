"""Answers of a server, by noun."""
