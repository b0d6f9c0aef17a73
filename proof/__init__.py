"""Machines that prove what the docs promise: a simulation, chaos with real processes, and one checker for both."""
