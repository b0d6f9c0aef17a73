"""Routes of acts on many runs, and of dead letters."""
