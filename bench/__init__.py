"""Measures Mainspring beside its peers on one machine."""
