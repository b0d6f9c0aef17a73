"""The embedded database: one file, one process, one writing connection."""
