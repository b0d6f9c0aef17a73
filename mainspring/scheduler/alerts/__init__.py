"""Alerts: rules are evaluated by one server for all, and notices are sent by any."""
