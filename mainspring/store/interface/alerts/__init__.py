"""Alerts, notices, and the facts that rules go by."""
