"""A whole cluster in one process on a virtual clock: the code that ships, with faults drawn from a seed."""
