"""Overviews, histograms and saved views: bodies, views and operations."""
