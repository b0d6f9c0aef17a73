"""Triggers whose runs are due together, and what a spread makes of them."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

import msgspec

from mainspring.domain.calendars.policy import Calendar
from mainspring.domain.triggers.fire_times.build_timer import excluding, timer_of
from mainspring.domain.triggers.fire_times.forecast import FIRST
from mainspring.domain.triggers.fire_times.jitter import lateness
from mainspring.domain.triggers.fire_times.timers import TICK
from mainspring.domain.triggers.trigger import Trigger

DUES_MAX = 10_000
"""Runs of one trigger that are counted in a range."""
Ruled = tuple[Trigger, Calendar | None]


class Member(msgspec.Struct, frozen=True):
    """A trigger with the number of its runs that are due in a range."""

    trigger: Trigger
    runs: int


class Herd(msgspec.Struct, frozen=True):
    members: list[Member]
    """The most runs first."""
    complete: bool
    """Whether every trigger was looked at."""


def dues(ruled: Ruled, since: datetime, until: datetime) -> Iterator[datetime]:
    """When the runs of a range will be due, as far as the rule says: later than their instants by spread and jitter."""
    trigger, calendar = ruled
    spec = trigger.spec
    timer = excluding(timer_of(spec, created_at=trigger.created_at, calendar=calendar), trigger.asked)
    reach = timedelta(seconds=spec.jitter + spec.spread) + TICK
    at = timer.next(since - min(reach, since - FIRST))
    while at is not None and at < until:
        due = at + lateness(trigger, at)
        if since <= due < until:
            yield due
        at = timer.next(at)


def members(ruled: Iterable[Ruled], since: datetime, until: datetime) -> Generator[None, None, list[Member]]:
    """Those of the triggers that have runs in a range, with a yield after each for the caller to let others go on."""
    found = []
    for one in ruled:
        runs = sum(1 for _ in islice(dues(one, since, until), DUES_MAX))
        if runs:
            found.append(Member(one[0], runs))
        yield
    return found


def tally(
    ruled: Sequence[Ruled], since: datetime, step: timedelta, steps: int
) -> Generator[None, None, tuple[int, ...]]:
    """How many runs of the triggers are due in each of these steps."""
    counts = [0] * steps
    for one in ruled:
        for due in islice(dues(one, since, since + step * steps), DUES_MAX):
            counts[(due - since) // step] += 1
        yield
    return tuple(counts)
