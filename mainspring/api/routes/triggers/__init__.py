"""Routes of triggers."""
