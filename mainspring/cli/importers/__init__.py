"""Reads what other programs start jobs by, and writes it down as triggers. Nothing of theirs is run to be read."""
