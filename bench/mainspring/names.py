"""What the apps and those who enqueue call the jobs."""

NOOP = "noop"
HOLD = "hold"
PARKED = "parked"
WORK = "work"
IN_TURN = "in_turn"
PLAIN, GATED, KEYED_20, KEYED_1, FAIR = "plain", "gated", "keyed_20", "keyed_1", "fair"
RATED, ALONE, HELD, FLOODED, GUARDED = "rated", "alone", "held", "flooded", "guarded"
CHAINED = "chained"
AFTER = 0.5
"""Seconds after which a run goes on that goes on later."""


def lane_name(lane: int) -> str:
    return f"lane-{lane}"


def failing_name(number: int) -> str:
    return f"fails-{number}"
