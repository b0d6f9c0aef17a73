"""Commands that act on many runs."""
