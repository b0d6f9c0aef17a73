"""Limits, lanes and breakers that several transactions use at once."""
