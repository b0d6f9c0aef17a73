"""Histograms of runs, and saved views of them."""
