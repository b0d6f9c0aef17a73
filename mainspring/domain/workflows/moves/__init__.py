"""Moves of workflow runs: what follows from an end, and what was learnt from others."""
