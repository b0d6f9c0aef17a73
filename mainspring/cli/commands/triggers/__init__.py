"""Commands for triggers."""
