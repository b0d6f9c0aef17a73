"""How many executors a queue wants, for autoscalers."""

import math
from collections.abc import Iterable

import msgspec

DURATION_UNKNOWN = 1.0
"""Seconds that a run is taken to last as long as none has ended lately."""
SLOTS_MAX = 100_000
WITHIN_MAX = 86_400.0


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """What autoscalers have to know of one queue, or of several together."""

    due: int
    running: int
    arrivals: float
    """Runs that come in a second: those that ended, and those by which the backlog grew."""
    duration: float | None
    """Seconds that an attempt takes on average; None: none has ended lately."""

    @property
    def load(self) -> int:
        return self.due + self.running

    def concurrency(self, within: float) -> float:
        """Attempts at a time that keep up with what comes, and work the backlog off within so many seconds."""
        each = DURATION_UNKNOWN if self.duration is None else self.duration
        # Without a backlog nothing shows that the executors of now are too few.
        return self.arrivals * each + self.due * each / within if self.due else 0.0

    def attempts(self, within: float) -> float:
        """Attempts at a time that it needs; never fewer than those under way."""
        return max(self.concurrency(within), self.running)


NOTHING = Demand(due=0, running=0, arrivals=0.0, duration=None)


def demand_of(
    *, due: int, running: int, finished: float, grown: float, duration: float | None, is_paused: bool
) -> Demand:
    """`finished` runs a second ended, and the backlog `grown` a second; a paused queue wants no more than it runs."""
    if is_paused:
        return Demand(due=0, running=running, arrivals=0.0, duration=duration)
    return Demand(due=due, running=running, arrivals=max(0.0, finished + grown), duration=duration)


def wanted(demands: Iterable[Demand], *, slots: int, within: float) -> int:
    """Executors with so many slots each that these queues need together."""
    # Queue by queue: a mean of their durations would hide a few long runs behind many short ones.
    return math.ceil(sum(one.attempts(within) for one in demands) / slots)


def demands_together(demands: Iterable[Demand]) -> Demand:
    """Several queues as one; the duration is weighted by the runs that are there or come."""
    all_ = list(demands)
    weights = [(one.duration, one.load + one.arrivals) for one in all_ if one.duration is not None]
    total = sum(weight for _, weight in weights)
    means = [duration * (weight / total if total else 1 / len(weights)) for duration, weight in weights]
    return Demand(
        due=sum(one.due for one in all_),
        running=sum(one.running for one in all_),
        arrivals=sum(one.arrivals for one in all_),
        duration=sum(means) if weights else None,
    )
