"""Metrics: plain numbers by labels, how labels are capped, and Prometheus' text format."""
