"""Acts on limits, and on the lanes of keys."""
