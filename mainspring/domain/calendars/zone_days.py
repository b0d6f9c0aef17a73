"""Days of a zone: when each begins and ends, where its clock is set, and which instant a time of it is.

Some days have 23 hours or 25, and a few are missing altogether. A day is cut where its clock is set: within a piece, wall
time and time are the same but for the distance to UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from mainspring.domain.triggers.fire_times.timers import DAY, TICK, instant

MIDNIGHT = time()
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
PIECES_MAX = 16_384
"""Days that are kept: a few dozen years of one zone, or a year of many."""


class Piece(NamedTuple):
    """A day, or the part of it in front of or behind the instant at which its clock is set."""

    begin: datetime
    end: datetime
    offset: timedelta


@lru_cache(maxsize=PIECES_MAX)
def pieces(day: date, zone: ZoneInfo) -> tuple[Piece, ...]:
    """In their order; none if the zone has left that day out."""
    begin, end = instant(day, MIDNIGHT, zone), instant(day + DAY, MIDNIGHT, zone)
    if begin >= end:
        return ()
    first, second = offset(begin, zone), offset(end - TICK, zone)
    if first == second:
        return (Piece(begin, end, first),)
    early, late = begin, end - TICK
    while late - early > TICK:
        middle = early + (late - early) // 2
        early, late = (middle, late) if offset(middle, zone) == first else (early, middle)
    return Piece(begin, late, first), Piece(late, end, second)


def begin_of(day: date, zone: ZoneInfo) -> datetime:
    return instant(day, MIDNIGHT, zone)


def end_of(day: date, zone: ZoneInfo) -> datetime:
    return instant(day + DAY, MIDNIGHT, zone)


def day_of(at: datetime, zone: ZoneInfo) -> date:
    """The day that an instant is part of; one on which midnight comes twice has begun with the first."""
    day = at.astimezone(zone).date()
    parts = pieces(day, zone)
    return day if not parts or at < parts[-1].end else day + DAY


def wall_of(at: datetime, day: date, piece: Piece) -> timedelta:
    """The time of day that a clock shows then."""
    return max(at + piece.offset - naught(day), timedelta())


def place(day: date, wall: timedelta, zone: ZoneInfo) -> datetime:
    """The instant of a time of day: the first of two, and the end of the gap if there is none."""
    parts = pieces(day, zone)
    for piece in parts:
        found = naught(day) + wall - piece.offset
        if found < piece.end:
            return max(found, piece.begin)
    return parts[-1].end


def covered(day: date, at: datetime, zone: ZoneInfo) -> timedelta:
    """The first time of day whose instant is not in front of that one."""
    parts = pieces(day, zone)
    if at <= parts[0].begin:
        return timedelta()
    if at > parts[-1].end:
        return DAY
    if at <= parts[0].end:
        return wall_of(at, day, parts[0])
    # Where a clock was set back, times that come twice have had their turn.
    return max(wall_of(at, day, parts[1]), wall_of(parts[0].end, day, parts[0]))


def naught(day: date) -> datetime:
    """Midnight in UTC, from which wall times are counted."""
    return datetime.combine(day, MIDNIGHT, tzinfo=UTC)


def offset(at: datetime, zone: ZoneInfo) -> timedelta:
    return at.astimezone(zone).utcoffset() or timedelta()
