"""Definitions as code: planning and applying the set of an owner."""
