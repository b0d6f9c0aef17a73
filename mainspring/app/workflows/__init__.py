"""Workflows in Python: a typed function that is called once, with placeholders."""
