"""What the apps and those who enqueue call the jobs."""

NOOP = "noop"
HOLD = "hold"
PARKED = "parked"
