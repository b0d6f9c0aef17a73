"""The verbs of the store that are seldom needed, written once for both databases; those of every run are in `hot/`."""
