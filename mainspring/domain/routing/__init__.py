"""Which executor takes a run."""
