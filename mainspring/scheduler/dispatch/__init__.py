"""From a due run to its executor."""
