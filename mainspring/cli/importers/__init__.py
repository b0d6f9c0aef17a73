"""Reads the schedules of other programs and writes them as triggers. No imported code is run."""
