"""How far apart the fire times of a trigger are."""

from datetime import datetime
from itertools import pairwise

from mainspring.domain.calendars.working_days import Calendar
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.trigger import Trigger

LOOKED_AT = 10
"""Fire times: more than a working week of a daily trigger, so that its weekend is among the intervals."""


def longest_interval(trigger: Trigger, calendar: Calendar | None, now: datetime) -> float | None:
    """Seconds between two of the next fire times; None: fewer than two are to come. Raises InvalidInputError."""
    timer = timer_of(trigger.spec, created_at=trigger.created_at, calendar=calendar)
    times: list[datetime] = []
    at = timer.next(now)
    while at is not None and len(times) < LOOKED_AT:
        times.append(at)
        at = timer.next(at)
    return max(((after - before).total_seconds() for before, after in pairwise(times)), default=None)
