"""Which instants the wall times of an expression are, in one zone.

Where a clock is set forward, wall times are missing (a gap); where it is set back, they come twice (a fold). An expression
that names times of day follows the declared policies; one that counts elapsed time simply runs through both.

A *turn* is an instant at which the clock is set. All wall times that are neither missing nor doubled lie in one *stretch*
between two turns, whose distance to UTC says which instant they are.
"""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from operator import add
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.cron.expression import Expression

SECOND = timedelta(seconds=1)
# Four days in Freetown in 1939, a week in a few places since.
STEP = timedelta(days=3)
"""Less than lies between any two turns of a zone."""
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
    """Those of a year, on the wall and in UTC; others are not looked for."""
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


TICK = timedelta(microseconds=1)


class Gap(StrEnum):
    """The treatment of a time of day that a day does not have."""

    NEXT_VALID = "next_valid"
    """It fires at the first instant behind the gap, once."""
    SKIP = "skip"


class Fold(StrEnum):
    """Which of the two instants counts when a time of day comes twice."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


class Zoned(msgspec.Struct, frozen=True):
    """An expression in a zone, with its policies."""

    expression: Expression
    zone: ZoneInfo
    gap: Gap = Gap.NEXT_VALID
    fold: Fold = Fold.FIRST

    def next(self, after: datetime) -> datetime | None:
        """The first fire behind that instant."""
        at = after.astimezone(UTC)
        here = stretch_at(self.zone, at)
        wall = at + here.offset
        if here.first <= wall < here.last:
            return self._from(wall, at)
        turn = stretch_on(self.zone, wall).turn
        return self._within(turn, wall, at) or self._from(turn.end, at, inclusive=True)

    def previous(self, before: datetime) -> datetime | None:
        """The last fire in front of that instant."""
        at = before.astimezone(UTC)
        here = stretch_at(self.zone, at)
        wall = at + here.offset
        if here.first <= wall < here.last:
            return self._until(wall, at)
        turn = stretch_on(self.zone, wall).turn
        return self._back_within(turn, wall, at) or self._until(turn.begin, at)

    def latest(self, at: datetime) -> datetime | None:
        """The last fire up to that instant, itself included."""
        return self.previous(at + TICK)

    def _from(self, wall: datetime, after: datetime, *, inclusive: bool = False) -> datetime | None:
        """The first fire behind an instant, among the wall times from one that does not come twice."""
        while (found := self.expression.next(wall, inclusive=inclusive)) is not None:
            there = stretch_on(self.zone, found)
            if there.first <= found:
                return found - there.offset
            turn = there.turn
            if turn.is_fold:
                return found - (turn.after if self._fold is Fold.SECOND else turn.before)
            if self._gap is Gap.NEXT_VALID and turn.at > after:
                return turn.at
            wall, inclusive = turn.end, True
        return None

    def _until(self, wall: datetime, before: datetime) -> datetime | None:
        """The last fire in front of an instant, among the wall times until one that does not come twice."""
        while (found := self.expression.previous(wall)) is not None:
            there = stretch_on(self.zone, found)
            if there.first <= found:
                return found - there.offset
            turn = there.turn
            if turn.is_fold:
                return found - (turn.before if self._fold is Fold.FIRST else turn.after)
            if self._gap is Gap.NEXT_VALID and turn.at < before:
                return turn.at
            wall = turn.begin
        return None

    def _within(self, turn: Turn, wall: datetime, at: datetime) -> datetime | None:
        """The next fire while wall times come twice, if there is one before that is over."""
        if at < turn.at and self._fold is not Fold.SECOND:
            found = self.expression.next(wall)
            if found is not None and found < turn.end:
                return found - turn.before
        if self._fold is Fold.FIRST:
            return None
        found = self.expression.next(turn.begin, inclusive=True) if at < turn.at else self.expression.next(wall)
        return found - turn.after if found is not None and found < turn.end else None

    def _back_within(self, turn: Turn, wall: datetime, at: datetime) -> datetime | None:
        """The last fire while wall times come twice, if there is one since that began."""
        if at >= turn.at and self._fold is not Fold.FIRST:
            found = self.expression.previous(wall)
            if found is not None and found >= turn.begin:
                return found - turn.after
        if self._fold is Fold.SECOND:
            return None
        found = self.expression.previous(turn.end if at >= turn.at else wall)
        return found - turn.before if found is not None and found >= turn.begin else None

    @property
    def _gap(self) -> Gap:
        return Gap.SKIP if self.expression.elapsed else self.gap

    @property
    def _fold(self) -> Fold:
        return Fold.BOTH if self.expression.elapsed else self.fold
