"""The runs that passed through a line in a minute or an hour: counts, waits and durations."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from functools import reduce
from itertools import accumulate, zip_longest

import msgspec

from mainspring.domain.runs.run import RunState

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EDGES = tuple(1000 << power for power in range(27))
"""Where one bucket ends and the next begins: 1 ms, 2 ms, 4 ms … 18.6 hours, in microseconds."""


class Resolution(IntEnum):
    """The length of time that one roll-up stands for, in seconds."""

    MINUTE = 60
    HOUR = 3600

    @property
    def label(self) -> str:
        return self.name.lower()


class Spread(msgspec.Struct, frozen=True):
    """How long something took, over many runs, in microseconds; `counts` are by bucket, without trailing zeros."""

    sum: int = 0
    max: int = 0
    counts: tuple[int, ...] = ()

    @property
    def samples(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float | None:
        return self.sum / self.samples if self.counts else None

    def quantile(self, share: float) -> float | None:
        """The time within which that share of the runs stayed: exact to a bucket, evenly spread inside it."""
        if not self.counts:
            return None
        rank = share * self.samples
        totals = list(accumulate(self.counts))
        bucket = next(at for at, total in enumerate(totals) if total >= rank and total)
        below = totals[bucket] - self.counts[bucket]
        first = EDGES[bucket - 1] if bucket else 0
        last = min(EDGES[bucket], self.max) if bucket < len(EDGES) else self.max
        inside = (rank - below) / self.counts[bucket] if self.counts[bucket] else 1.0
        return min(first + (max(last, first) - first) * inside, self.max)


class Rollup(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of one job that left one line in one state within one step of time."""

    at: datetime
    line: int
    job: int
    state: RunState
    runs: int
    wait: Spread = Spread()
    """From when a run was due and accepted until its last attempt began."""
    duration: Spread = Spread()
    """Of that attempt."""

    @property
    def key(self) -> tuple[datetime, int, int, RunState]:
        return self.at, self.line, self.job, self.state


class Rolled(msgspec.Struct, frozen=True):
    """One step of counting: everything before `until` is counted now, and these counts were added by it."""

    until: datetime
    minutes: Sequence[Rollup] = ()


def single(value: int | None, bucket: int | None, runs: int, highest: int | None) -> Spread:
    """A spread of runs that all fell into one bucket; they have none if there was nothing to measure."""
    if bucket is None:
        return Spread()
    return Spread(value or 0, highest or 0, (0,) * bucket + (runs,))


def add_spreads(one: Spread, other: Spread) -> Spread:
    counts = tuple(left + right for left, right in zip_longest(one.counts, other.counts, fillvalue=0))
    return Spread(one.sum + other.sum, max(one.max, other.max), counts)


def merge(rollups: Iterable[Rollup]) -> list[Rollup]:
    """One roll-up for each key: those of the same time, line, job and state are added up."""
    merged: dict[object, Rollup] = {}
    for one in rollups:
        before = merged.get(one.key)
        merged[one.key] = one if before is None else add(before, one)
    return list(merged.values())


def add(one: Rollup, other: Rollup) -> Rollup:
    return msgspec.structs.replace(
        one,
        runs=one.runs + other.runs,
        wait=add_spreads(one.wait, other.wait),
        duration=add_spreads(one.duration, other.duration),
    )


def coarser(rollups: Sequence[Rollup], step: Resolution) -> list[Rollup]:
    """The same counts over longer steps."""
    return merge(msgspec.structs.replace(one, at=floor(one.at, step)) for one in rollups)


def floor(instant: datetime, step: Resolution) -> datetime:
    """When the step began in which the instant lies."""
    length = timedelta(seconds=step)
    return EPOCH + (instant - EPOCH) // length * length


class RollupWindow(msgspec.Struct, frozen=True, kw_only=True):
    """Roll-ups of some lines over a stretch of time, step by step; the last step may still be under way."""

    step: Resolution
    since: datetime
    until: datetime
    """Up to when everything is counted."""
    rollups: list[Rollup]

    @property
    def times(self) -> list[datetime]:
        """When each step began, oldest first."""
        length = timedelta(seconds=self.step)
        return [self.since + number * length for number in range(-((self.since - self.until) // length))]

    def per_minute(self, *states: RunState, steps: int) -> float:
        """How many runs ended in these states in a minute, over the last so many steps."""
        first = self.times[-steps:][0] if self.times else self.until
        minutes = (self.until - first).total_seconds() / Resolution.MINUTE
        runs = sum(one.runs for one in self.rollups if one.at >= first and one.state in states)
        return runs / minutes if minutes else 0.0

    def series(self, *states: RunState) -> list[int]:
        """How many runs ended in these states, in each step."""
        counts: Counter[datetime] = Counter()
        for one in self.rollups:
            if one.state in states:
                counts[one.at] += one.runs
        return [counts[at] for at in self.times]


def wait_of(rollups: Iterable[Rollup]) -> Spread:
    return reduce(add_spreads, (one.wait for one in rollups), Spread())


def duration_of(rollups: Iterable[Rollup]) -> Spread:
    return reduce(add_spreads, (one.duration for one in rollups), Spread())
