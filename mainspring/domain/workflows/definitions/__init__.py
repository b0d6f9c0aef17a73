"""Definitions of workflows as files have them, and the plans of applying them."""
