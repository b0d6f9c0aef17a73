"""A fleet of real processes: rolling restarts, a server that joins, bursts, and an address book that goes away."""
