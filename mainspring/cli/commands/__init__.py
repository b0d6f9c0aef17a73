"""The commands that talk to a server, by noun."""
