"""Acts on alerts, on their definitions, and on notices."""
