"""Operators' changes that concern whole definitions: other versions, forks."""
