"""Handlers: how they are found, called and described."""
