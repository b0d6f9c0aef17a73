"""The turns of a zone's clock, and the stretches between them.

A turn is an instant at which the clock is set: the wall times it jumps over are missing, those it goes back over come twice.
All others come once, in one stretch, whose distance to UTC says which instant they are.
"""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from operator import add
from typing import NamedTuple
from zoneinfo import ZoneInfo

SECOND = timedelta(seconds=1)
STEP = timedelta(days=3)
"""Less than lies between any two turns of a zone: four days in Freetown in 1939, a week in a few places since."""
MARGIN = timedelta(days=2)
"""More than an instant and its wall time are apart: a year's stretches hold good for both."""
YEARS_MAX = 8192
"""Years of a zone that are kept, with a kilobyte each."""
EVER, NEVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
NONE = timedelta(0)


class Turn(NamedTuple):
    """The instant at which a clock is set, with its distance to UTC before and after."""

    at: datetime
    before: timedelta
    after: timedelta
    begin: datetime
    """The first wall time that is missing or comes twice,"""
    end: datetime
    """and the first behind those."""

    @property
    def is_fold(self) -> bool:
        """Whether the clock is set back, so that wall times come twice."""
        return self.before > self.after


class Stretch(NamedTuple):
    """From one turn to another."""

    first: datetime
    """The first wall time that comes once,"""
    last: datetime
    """and the first behind those."""
    until: datetime
    """The instant at which it ends."""
    offset: timedelta
    """The distance to UTC."""
    turn: Turn
    """With which it begins."""


def stretch_at(zone: ZoneInfo, at: datetime) -> Stretch:
    """The stretch of an instant, given in UTC."""
    for stretch in stretches(zone, at.year):
        if at < stretch.until:
            break
    return stretch


def stretch_on(zone: ZoneInfo, wall: datetime) -> Stretch:
    """The stretch of a wall time; if that is missing or comes twice, the one behind the turn."""
    for stretch in stretches(zone, wall.year):
        if wall < stretch.last:
            break
    return stretch


@lru_cache(maxsize=YEARS_MAX)
def stretches(zone: ZoneInfo, year: int) -> tuple[Stretch, ...]:
    """Those of a year, on the wall and in UTC; what lies outside of it is not looked for."""
    since = datetime(year, 1, 1, tzinfo=UTC) - MARGIN if year > EVER.year else EVER
    until = datetime(year + 1, 1, 1, tzinfo=UTC) + MARGIN if year < NEVER.year else NEVER
    always = offset(zone, since)
    turns = [Turn(EVER, always, always, EVER, EVER), *turns_between(zone, since, until)]
    ends = [*((turn.begin, turn.at) for turn in turns[1:]), (NEVER, NEVER)]
    return tuple(Stretch(turn.end, *end, turn.after, turn) for turn, end in zip(turns, ends, strict=True))


def turns_between(zone: ZoneInfo, since: datetime, until: datetime) -> Iterator[Turn]:
    """Those whose wall times lie between two wall times, found by looking every few days: a zone does not tell its table."""
    walls = accumulate(repeat(STEP, (until - since) // STEP), add, initial=since)
    known = [(wall, offset(zone, wall)) for wall in (*walls, until)]
    for (wall, before), (_, after) in pairwise(known):
        if before != after:
            yield turn_behind(zone, wall, before, after)


def turn_behind(zone: ZoneInfo, wall: datetime, before: timedelta, after: timedelta) -> Turn:
    """The one within a step of a wall time, by halving."""
    seconds = range(STEP // SECOND)
    passed = bisect_left(seconds, x=True, key=lambda second: offset(zone, wall + second * SECOND) != before)
    end = wall + passed * SECOND
    at = end - max(before, after)
    return Turn(at, before, after, at + min(before, after), end)


def offset(zone: ZoneInfo, wall: datetime) -> timedelta:
    """The distance to UTC of a wall time; if it is missing or comes twice, that before the turn."""
    return zone.utcoffset(wall) or NONE
