"""Which instants the wall times of an expression are, in one zone.

Where a clock is set forward, wall times are missing (a gap); where it is set back, they come twice (a fold). An expression
that names times of day follows the declared policies; one that counts elapsed time simply runs through both.
"""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.cron.expression import Expression

TICK = timedelta(microseconds=1)
SECOND = timedelta(seconds=1)
NONE = timedelta(0)
STILL = "UTC"
"""The zone of most triggers, whose clock is never set."""


class Gap(StrEnum):
    """What becomes of a time of day that a day does not have."""

    NEXT_VALID = "next_valid"
    """It fires at the first instant behind the gap, once."""
    SKIP = "skip"


class Fold(StrEnum):
    """Which of the two instants counts when a time of day comes twice."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"


class Turn(msgspec.Struct, frozen=True):
    """The instant at which a clock is set, with its distance to UTC before and after."""

    at: datetime
    before: timedelta
    after: timedelta

    @property
    def begin(self) -> datetime:
        """The first wall time that is missing or comes twice."""
        return self.at + min(self.before, self.after)

    @property
    def end(self) -> datetime:
        """The first wall time behind those."""
        return self.at + max(self.before, self.after)


class Zoned(msgspec.Struct, frozen=True):
    """An expression in a zone, with its policies."""

    expression: Expression
    zone: ZoneInfo
    gap: Gap = Gap.NEXT_VALID
    fold: Fold = Fold.FIRST

    def next(self, after: datetime) -> datetime | None:
        """The first fire behind that instant."""
        if self.zone.key == STILL:
            return self.expression.next(after.astimezone(UTC))
        local = after.astimezone(self.zone)
        offset = local.utcoffset() or NONE
        if not local.fold and local.replace(fold=1).utcoffset() == offset:
            found = self.expression.next(local.replace(tzinfo=UTC))
            if found is None or self._offsets(found) == (offset, offset):
                # The usual case: no clock is set between the two.
                return None if found is None else found - offset
        wall = label(local)
        turn = self._turn(wall)
        if turn is None:
            return self._from(wall, inclusive=False, after=after)
        return self._within(turn, wall, local.fold) or self._from(turn.end, inclusive=True, after=after)

    def previous(self, before: datetime) -> datetime | None:
        """The last fire in front of that instant."""
        if self.zone.key == STILL:
            return self.expression.previous(before.astimezone(UTC))
        local = before.astimezone(self.zone)
        wall = label(local)
        turn = self._turn(wall)
        if turn is None:
            return self._until(wall, before=before)
        return self._back_within(turn, wall, local.fold) or self._until(turn.begin, before=before)

    def latest(self, at: datetime) -> datetime | None:
        """The last fire up to that instant, itself included."""
        return self.previous(at + TICK)

    def _from(self, wall: datetime, *, inclusive: bool, after: datetime) -> datetime | None:
        """The first fire behind an instant, among the wall times from one that does not come twice."""
        while (found := self.expression.next(wall, inclusive=inclusive)) is not None:
            first, second = self._offsets(found)
            if first >= second:
                return found - (second if first > second and self._fold is Fold.SECOND else first)
            turn = self._found(found, first, second)
            if self._gap is Gap.NEXT_VALID and turn.at > after:
                return turn.at
            wall, inclusive = turn.end, True
        return None

    def _until(self, wall: datetime, *, before: datetime) -> datetime | None:
        while (found := self.expression.previous(wall)) is not None:
            first, second = self._offsets(found)
            if first >= second:
                return found - (first if first > second and self._fold is Fold.FIRST else second)
            turn = self._found(found, first, second)
            if self._gap is Gap.NEXT_VALID and turn.at < before:
                return turn.at
            wall = turn.begin
        return None

    def _within(self, turn: Turn, wall: datetime, fold: int) -> datetime | None:
        """The next fire while wall times come twice, if there is one before that is over."""
        if fold == 0 and self._fold is not Fold.SECOND:
            found = self.expression.next(wall)
            if found is not None and found < turn.end:
                return found - turn.before
        if self._fold is Fold.FIRST:
            return None
        found = self.expression.next(turn.begin, inclusive=True) if fold == 0 else self.expression.next(wall)
        return found - turn.after if found is not None and found < turn.end else None

    def _back_within(self, turn: Turn, wall: datetime, fold: int) -> datetime | None:
        if fold == 1 and self._fold is not Fold.FIRST:
            found = self.expression.previous(wall)
            if found is not None and found >= turn.begin:
                return found - turn.after
        if self._fold is Fold.SECOND:
            return None
        found = self.expression.previous(turn.end if fold == 1 else wall)
        return found - turn.before if found is not None and found >= turn.begin else None

    @property
    def _gap(self) -> Gap:
        return Gap.SKIP if self.expression.elapsed else self.gap

    @property
    def _fold(self) -> Fold:
        return Fold.BOTH if self.expression.elapsed else self.fold

    def _offsets(self, wall: datetime) -> tuple[timedelta, timedelta]:
        """The distance to UTC of a wall time's first and second coming; in a gap that before it and that behind it."""
        offset = self.zone.utcoffset
        return offset(wall) or NONE, offset(wall.replace(fold=1)) or NONE

    def _turn(self, wall: datetime) -> Turn | None:
        """The turn that makes this wall time come twice."""
        first, second = self._offsets(wall)
        return self._found(wall, first, second) if first > second else None

    def _found(self, wall: datetime, before: timedelta, after: timedelta) -> Turn:
        """Find the instant by halving: the zone's tables are not to be had."""
        wall = wall.replace(microsecond=0)
        early, late = wall - max(before, after), wall - min(before, after)
        while late - early > SECOND:
            middle = early + (late - early) // 2 // SECOND * SECOND
            if middle.astimezone(self.zone).utcoffset() == after:
                late = middle
            else:
                early = middle
        return Turn(late, before, after)


def label(local: datetime) -> datetime:
    """A local time as a wall time."""
    return local.replace(tzinfo=UTC, fold=0)
