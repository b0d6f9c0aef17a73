"""Routes about the servers themselves."""
