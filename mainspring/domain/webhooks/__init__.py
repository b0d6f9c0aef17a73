"""Webhooks and events: who may call, which triggers match, and their input."""
