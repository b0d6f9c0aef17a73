"""Tokens and namespaces, checked in memory."""
