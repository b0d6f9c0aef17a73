"""Tables, JSON, progress bars and exit codes."""
