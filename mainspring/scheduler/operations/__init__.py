"""Operators' acts, by noun; routes call these."""
