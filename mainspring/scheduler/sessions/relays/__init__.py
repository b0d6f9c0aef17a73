"""Requests of operators, passed on to the executors concerned."""
