"""From a trigger to its runs."""
