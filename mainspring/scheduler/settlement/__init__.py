"""From an outcome to a run's next state."""
