"""Routes of alerts, their rules, channels and silences."""
