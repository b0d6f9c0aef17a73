"""Acts on circuit breakers."""
