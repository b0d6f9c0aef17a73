"""HTTP: one file per noun."""
