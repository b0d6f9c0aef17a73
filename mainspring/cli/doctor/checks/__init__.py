"""The doctor's checks, by subject."""
