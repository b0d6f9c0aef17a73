"""Metrics of a server: counted from published facts, surveys and roll-ups, so that no run pays for being measured."""
