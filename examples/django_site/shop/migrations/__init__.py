"""The steps to the tables of today."""
