"""Alerts, their rules, channels and silences."""
