"""The impact of a changed calendar on the triggers that use it."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice, zip_longest

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.fire_times.timers import earliest
from mainspring.domain.triggers.trigger import Trigger

HORIZON = timedelta(days=400)
"""How far ahead a difference is looked for,"""
STEPS_MAX = 1_000
"""and over how many instants: whichever comes first."""
SLICE = 100
"""Instants between two breaths."""


class Impact(msgspec.Struct, frozen=True):
    """The instants of one trigger that come next, as things are and as they would be."""

    trigger: Trigger
    before: Sequence[datetime]
    after: Sequence[datetime]
    differs_at: datetime | None
    """The first instant that only one of the two has, be it behind those that come next."""
    same_until: datetime | None
    """If there is none: up to when it was looked for."""

    @property
    def differs(self) -> bool:
        return self.differs_at is not None


def impacts_on(
    triggers: Iterable[Trigger], present: Calendar | None, proposed: Calendar, *, now: datetime, count: int
) -> Generator[None, None, list[Impact]]:
    """The impact on each of them, in their order."""
    found = []
    for trigger in triggers:
        found.append((yield from impact_on(trigger, present, proposed, now=now, count=count)))
        yield
    return found


def impact_on(
    trigger: Trigger, present: Calendar | None, proposed: Calendar, *, now: datetime, count: int
) -> Generator[None, None, Impact]:
    """The caller may do something else at each yield."""

    def next_ones(calendar: Calendar | None) -> Iterator[datetime]:
        return upcoming(trigger, calendar, now=now)

    differs_at, same_until = yield from compared(next_ones(present), next_ones(proposed), now=now, count=count)
    before, after = list(islice(next_ones(present), count)), list(islice(next_ones(proposed), count))
    return Impact(trigger, before, after, differs_at, same_until)


def upcoming(trigger: Trigger, calendar: Calendar | None, *, now: datetime) -> Iterator[datetime]:
    """The instants to come, no more than it may still fire at."""
    most = trigger.spec.fires_max
    timer = timer_of(trigger.spec, created_at=trigger.created_at, calendar=calendar)
    at, number = timer.next(now), 0
    while at is not None and (most is None or trigger.fired + number < most):
        yield at
        at, number = timer.next(at), number + 1


def compared(
    before: Iterable[datetime], after: Iterable[datetime], *, now: datetime, count: int
) -> Generator[None, None, tuple[datetime | None, datetime | None]]:
    """The first instant that only one of the two has, or else up to when there is none; so many are compared in any case."""
    horizon, same_until = now + HORIZON, now
    for number, (was, becomes) in enumerate(zip_longest(before, after), start=1):
        if was is None or was != becomes:
            return earliest([was, becomes]), None
        same_until = was
        if number >= count and (number >= STEPS_MAX or was >= horizon):
            return None, same_until
        if number % SLICE == 0:
            yield
    return None, max(horizon, same_until)
