"""Alerts: rules over what is known, the states of alerts, and the notices that channels get."""
