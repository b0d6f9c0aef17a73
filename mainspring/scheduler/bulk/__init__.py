"""Acts on many runs, and dead letters."""
