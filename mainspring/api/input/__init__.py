"""Reads bodies and parameters, and explains mistakes in them."""
