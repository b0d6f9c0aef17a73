"""A fleet of real processes: restarts, a server that joins, bursts, storms of executors, and an address book that goes away."""
