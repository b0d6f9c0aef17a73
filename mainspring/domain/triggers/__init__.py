"""Triggers: due instants, and the treatment of missed ones."""
