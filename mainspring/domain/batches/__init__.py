"""Batches: named sets of plain runs."""
