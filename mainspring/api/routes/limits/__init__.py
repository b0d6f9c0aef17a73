"""Pauses, and why a run is not running."""
