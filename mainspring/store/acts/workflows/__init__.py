"""Acts on workflow runs."""
