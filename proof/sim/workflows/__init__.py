"""Workflows in the simulation."""
