"""The steps of a histogram of runs, and which questions roll-ups answer."""

from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.domain.queues.rollup import Resolution
from mainspring.domain.runs.query import RunSearch

STEPS = (1, 5, 10, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800)
"""Lengths that people think in, in seconds."""
# Each has a row for every job, queue and state.
READ_MAX = {Resolution.MINUTE: 6 * 60, Resolution.HOUR: 31 * 24}
"""Steps of each kind of roll-ups that are read at once."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Buckets(msgspec.Struct):
    """Counts by state for each step of a range."""

    since: datetime
    until: datetime
    step: int
    counts: dict[datetime, dict[str, int]]

    def add(self, at: datetime, state: str, runs: int) -> None:
        """Count runs in the step that they belong to; those outside of the range are left out."""
        states = self.counts.get(floor_to(at, self.step))
        if states is not None and runs:
            states[state] = states.get(state, 0) + runs


def has_rollups(search: RunSearch) -> bool:
    """Whether jobs, queues, final states and times are all that is asked for."""
    marked = search.tags or search.labels or search.key or search.parent or search.prefix
    return not marked and not search.sifts and all(state.final for state in search.states)


def resolution_of(since: datetime, now: datetime) -> Resolution | None:
    """The finest roll-ups that reach so far back; None: none does."""
    age = (now - since).total_seconds()
    return next((step for step, most in READ_MAX.items() if age <= step * most), None)


def buckets_of(since: datetime, until: datetime, *, most: int, least: int = 1) -> Buckets:
    """At most so many steps of a length that people think in, each at least so long; the first and the last are whole."""
    # One more step than the length holds: a range rarely begins where a step does.
    wanted = max((until - since).total_seconds() / max(most - 1, 1), least)
    step = next((step for step in STEPS if step >= wanted), -(-int(wanted) // 604_800) * 604_800)
    first = floor_to(since, step)
    number = int((until - first).total_seconds()) // step + 1
    counts: dict[datetime, dict[str, int]] = {first + timedelta(seconds=step * each): {} for each in range(number)}
    return Buckets(since, until, step, counts)


def floor_to(at: datetime, step: int) -> datetime:
    seconds = int((at - EPOCH).total_seconds())
    return EPOCH + timedelta(seconds=seconds - seconds % step)
