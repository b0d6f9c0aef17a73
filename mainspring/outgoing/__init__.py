"""Outgoing connections: names are resolved once, and only addresses that the operator allows are reached."""
