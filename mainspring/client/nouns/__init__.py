"""The calls of each noun."""
