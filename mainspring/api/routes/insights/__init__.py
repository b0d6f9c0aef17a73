"""Overviews, histograms and saved views."""
