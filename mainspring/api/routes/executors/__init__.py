"""Routes of executors: their connection, and their operators'."""
