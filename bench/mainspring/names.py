"""What the apps and those who enqueue call the jobs."""

NOOP = "noop"
HOLD = "hold"
PARKED = "parked"
WORK = "work"
IN_TURN = "in_turn"
AFTER = 0.5
"""Seconds after which a run goes on that goes on later."""


def lane_name(lane: int) -> str:
    return f"lane-{lane}"
