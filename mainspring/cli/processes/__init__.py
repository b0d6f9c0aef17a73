"""The commands that start processes."""
