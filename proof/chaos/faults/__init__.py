"""What can be done to a fleet: each fault is inflicted, healed, and measured."""
