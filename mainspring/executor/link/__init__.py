"""The connection to a server, and everything that travels over it."""
