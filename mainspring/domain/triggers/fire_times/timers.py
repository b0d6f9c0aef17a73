"""Timers: which instants a trigger names. All is arithmetic: ten years away cost no more than a minute away.

Cron names times of a wall clock; an interval counts from its anchor, and so does one inside a window of each day, from the
instant at which that opens. Seconds are the smallest step anywhere.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Protocol
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.cron import Zoned
from mainspring.domain.years import END, FIRST

TICK = timedelta(microseconds=1)
DAY = timedelta(days=1)
DAYS_SEARCHED = 9
"""A week of days, of which one may be missing from the calendar, and the days on either side."""
DAYS_OPEN = 2
"""Days beside one whose windows may reach into it, over midnight and over a day that a zone has left out."""
SPANS_MAX = 4096
"""Openings that a window keeps."""


class Timer(Protocol):
    """Instants in their order. Equal calls have equal answers: nothing is kept between them."""

    def next(self, after: datetime) -> datetime | None:
        """The first instant behind that one."""

    def previous(self, before: datetime) -> datetime | None:
        """The last instant in front of that one."""


class Crons(msgspec.Struct, frozen=True):
    """Any of several cron expressions; an instant that two of them name comes once."""

    expressions: tuple[Zoned, ...]

    def next(self, after: datetime) -> datetime | None:
        return earliest(each.next(after) for each in self.expressions)

    def previous(self, before: datetime) -> datetime | None:
        return last(each.previous(before) for each in self.expressions)


class Interval(msgspec.Struct, frozen=True):
    """At a fixed rate, counted from an anchor in both directions."""

    every: timedelta
    anchor: datetime

    def next(self, after: datetime) -> datetime | None:
        found = self.anchor + ((after - self.anchor) // self.every + 1) * self.every
        return found if found < END else None

    def previous(self, before: datetime) -> datetime | None:
        found = self.anchor + ((before - TICK - self.anchor) // self.every) * self.every
        return found if found >= FIRST else None


class Once(msgspec.Struct, frozen=True):
    """A single instant."""

    at: datetime

    def next(self, after: datetime) -> datetime | None:
        return self.at if self.at > after else None

    def previous(self, before: datetime) -> datetime | None:
        return self.at if self.at < before else None


class Window(msgspec.Struct, frozen=True, dict=True):
    """From a time of day until before another one, in a zone; over midnight if that comes first."""

    opens: time
    closes: time
    zone: ZoneInfo
    weekdays: frozenset[int] = frozenset(range(7))
    """On which it opens; Monday is 0."""

    @cached_property
    def _known(self) -> "dict[int, tuple[datetime, datetime] | None]":
        return {}

    def around(self, day: int) -> tuple[datetime, datetime] | None:
        """The same of a day by its number, worked out once."""
        known = self._known
        try:
            return known[day]
        except KeyError:
            found = self.on(date.fromordinal(day))
        # A forecast counts in a thread of its own: after this line the other thread may clear what this one has put there.
        if len(known) >= SPANS_MAX:
            known.clear()
        known[day] = found
        return found

    def on(self, day: date) -> tuple[datetime, datetime] | None:
        """When it opens and closes, if it opens on that day: wall times that are missing count as those behind the gap."""
        if day.weekday() not in self.weekdays:
            return None
        closing = day if self.closes > self.opens else day + DAY
        opens, closes = instant(day, self.opens, self.zone), instant(closing, self.closes, self.zone)
        return (opens, closes) if opens < closes else None


class Windowed(msgspec.Struct, frozen=True):
    """At a fixed rate inside a window of each day, the first time when it opens."""

    every: timedelta
    window: Window

    def next(self, after: datetime) -> datetime | None:
        found: datetime | None = None
        today = after.astimezone(self.window.zone).toordinal()
        for day in range(today - DAYS_OPEN, today + DAYS_SEARCHED + 1):
            span = self.window.around(day)
            if span is None or span[1] <= after:
                continue
            opens, closes = span
            if found is not None and opens >= found:
                break
            at = opens if after < opens else opens + ((after - opens) // self.every + 1) * self.every
            if at < closes and (found is None or at < found):
                found = at
        return found

    def previous(self, before: datetime) -> datetime | None:
        found: datetime | None = None
        today = before.astimezone(self.window.zone).toordinal()
        for day in range(today + DAYS_OPEN, today - DAYS_SEARCHED - 1, -1):
            span = self.window.around(day)
            if span is None or span[0] >= before:
                continue
            opens, closes = span
            if found is not None and closes <= found:
                break
            at = opens + ((min(before, closes) - TICK - opens) // self.every) * self.every
            if found is None or at > found:
                found = at
        return found


def instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The instant of a wall time: the first of two, and the end of the gap if there is none."""
    wall = datetime.combine(day, at, tzinfo=zone)
    before, after = wall.utcoffset(), wall.replace(fold=1).utcoffset()
    found = wall.astimezone(UTC)
    if before is None or after is None or after <= before:
        return found
    # In a gap, the reading with the later offset lies in front of it, and that with the earlier one behind.
    early, late = wall.replace(fold=1).astimezone(UTC), found
    while late - early > TICK:
        middle = early + (late - early) // 2
        early, late = (early, middle) if middle.astimezone(zone).utcoffset() == after else (middle, late)
    return late


def earliest(instants: Iterable[datetime | None]) -> datetime | None:
    return min((each for each in instants if each is not None), default=None)


def last(instants: Iterable[datetime | None]) -> datetime | None:
    return max((each for each in instants if each is not None), default=None)
