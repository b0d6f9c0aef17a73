"""Cold acts of triggers."""
