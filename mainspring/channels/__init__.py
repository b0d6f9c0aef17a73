"""Channels: each kind makes its own format of a message; all calls go through the guard."""
