"""Which instants the wall times of an expression are, in one zone.

Where a clock is set forward, wall times are missing (a gap); where it is set back, they come twice (a fold). An expression
that names times of day follows the declared policies; one that counts elapsed time simply runs through both.
"""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

import msgspec

from mainspring.domain.cron.expression import Expression
from mainspring.domain.cron.turns import Turn, stretch_at, stretch_on

TICK = timedelta(microseconds=1)


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
