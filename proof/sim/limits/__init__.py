"""Limits, lanes and rates in the simulation."""
