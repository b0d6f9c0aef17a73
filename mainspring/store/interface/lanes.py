"""Lanes of keyed limits, rates and shares."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.ids import RunId
from mainspring.domain.limits.lanes import FIRST, LAST, Lane, LaneRule

Assign = Callable[[int, bytes], Lane]
"""The lane of a run, by its job and its input."""


AssignLine = Callable[[int, bytes], int | None]
"""The line of a run, by its job and its input; None: none at present."""


class Entered(msgspec.Struct, frozen=True):
    """What was put into lanes."""

    seen: int = 0
    """Due runs that were looked at: as many as the limit if there may be more."""
    skipped: tuple[RunId, ...] = ()
    """Runs that a blocking policy ended."""
    replaced: tuple[RunId, ...] = ()
    """Running runs that are to be cancelled, because a newer one takes their place."""
    left: bool = False
    """Whether runs were left alone because another server puts an older one of their key into its lane."""


class LaneState(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a lane is taken."""

    lane: int
    key: str
    at_once: int | None
    """Of this key alone; None: that of the limit."""
    weight: float
    held: int
    waiting: int


class Aged(msgspec.Struct, frozen=True):
    """What became of lanes whose oldest runs were looked at."""

    last: int | None = None
    """The last lane of those; None: there are no more."""
    lines: tuple[int, ...] = ()
    """Lines in which runs go before others now."""


class LanePlace(msgspec.Struct, frozen=True):
    """Where a run waits in its lane."""

    lane: int
    line: int
    ahead: int
    """Runs of the lane that start before it, as far as they were counted."""


class LaneStore(Protocol):
    """Who stands in which lane; claims from lanes are among those of `runs`."""

    async def enter(
        self, rule: LaneRule, lines: Sequence[int], assign: Assign, *, now: datetime, limit: int
    ) -> Entered:
        """Put due runs of these lines into their lanes, most urgent first, and apply the rule's blocking policy to them.

        A lane whose runs may be started has a turn in the same commit.
        """

    async def route(self, lines: Sequence[int], assign: AssignLine, *, now: datetime, limit: int) -> dict[int, int]:
        """Move due runs of these lines into those that `assign` names, most urgent first; return how many came into each.

        A run for which it names none stays where it is.
        """

    async def unaddress(self, line: int, to: int, *, limit: int) -> int:
        """Move queued runs, and those that wait in lanes, out of a line whose executor is gone; say how many."""

    async def fail_line(self, line: int, *, now: datetime, limit: int) -> list[RunId]:
        """Fail queued runs of a line whose executor is gone; return them."""

    async def end(self, *, after: int, limit: int) -> int | None:
        """The last of so many lanes after one, in the order of their numbers; None if there is none."""

    async def wake(self, rule: LaneRule, *, after: int, now: datetime, limit: int) -> int | None:
        """Give a turn to those of some lanes of a rule in which runs wait: its numbers have changed, and full ones have none.

        Returns the last lane that was looked at; None if there are no more of them.
        """

    async def sweep(self, *, now: datetime, after: int = FIRST, last: int = LAST) -> list[int]:
        """Give a turn to lanes of a range in which runs wait though no attempt is under way; return the lines concerned."""

    async def age(
        self, rule: LaneRule, lines: Sequence[int], *, after: int, before: datetime, now: datetime, limit: int
    ) -> Aged:
        """Look at some lanes of a rule, by number, and give the oldest run of each the highest priority if it is old.

        Only runs of these lines are looked at; those that fell due before an instant are old.
        """

    async def prune(self, *, before: datetime, after: int = FIRST, last: int = LAST) -> int:
        """Delete lanes of a range that are as old as that and hold no run; say how many."""

    async def release(self, line: int, job: int, *, limit: int) -> int:
        """Put runs of a job in a line back from lanes into the line, and take back turns without runs; say how many runs."""

    async def set_key(
        self, rule: LaneRule, lane: Lane, *, at_once: int | None, weight: float, entry: AuditEntry
    ) -> None:
        """Give one key a number and a weight of its own; it counts for runs that already wait. Audited."""

    async def states(self, gate: int, *, limit: int, lane: int | None = None) -> list[LaneState]:
        """Lanes of a rule, or one of them, with what is under way and what waits."""

    async def place(self, run: RunId, *, limit: int) -> LanePlace | None:
        """Where a waiting run stands; those before it are counted up to `limit`. None if it waits in no lane."""

    async def holders(self, lane: int, *, limit: int) -> list[RunId]:
        """Some running runs of a lane."""
