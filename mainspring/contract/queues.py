"""Queues: bodies, views and operations."""

from datetime import datetime
from typing import Annotated

from mainspring.contract.base.view import View, one_of
from mainspring.domain.queues.policy import WhenFull


class NamespaceBudget(View, frozen=True):
    namespace: str
    max_queued: int | None


class QueuePause(View, frozen=True):
    reason: str
    by: str
    since: datetime
    until: datetime | None = None
    """When it ends by itself; null: by an operator's word alone."""


class QueueRates(View, frozen=True, kw_only=True):
    """Runs that ended in a minute, over the last five; `until` is up to when they are counted."""

    finished: float
    succeeded: float
    failed: float
    recent: list[int]
    """How many ended in each of the last fifteen minutes, the one under way last."""
    until: datetime


class QueuePolicyInfo(View, frozen=True, kw_only=True):
    """The order in which the runs of a queue start, beside their priority; lengths are in seconds."""

    ageing: float | None = None
    """Half of all starts go to runs that have been due for so long, whatever their priority."""
    hurry: float | None = None
    """Runs whose deadline is so near go before the others of their priority, the earliest deadline first."""
    late_after: float | None = None
    """It is late, and gets more of the slots that it shares with other queues, once a run has been due for so long."""
    blackout: str = ""
    """The calendar by which nothing starts on days that do not count and in its blackouts; empty: none."""
    when_full: Annotated[str, one_of(WhenFull)] = WhenFull.REFUSE
    """What becomes of requests for runs over the budget."""
    weight: float | None = None
    """Its part of the slots that it shares with the other queues of its namespace; null: 1."""


class NamespacePolicyInfo(View, frozen=True, kw_only=True):
    namespace: str
    blackout: str = ""
    when_full: Annotated[str, one_of(WhenFull)] = WhenFull.REFUSE
    weight: float | None = None


class QueueInfo(View, frozen=True, kw_only=True):
    """A queue; its numbers are of `taken_at`."""

    name: str
    namespace: str
    queued: int
    """Runs that are due and have not started."""
    later: int
    """Runs that are due later."""
    waiting: int
    running: int
    oldest_seconds: float | None = None
    """For how long the oldest of the queued has been due."""
    taken_at: datetime | None = None
    executors: int
    """How many listen to it."""
    slots: int
    """How many runs they can run at once, those of other queues included."""
    paused: QueuePause | None = None
    max_queued: int | None = None
    """Its budget: `queued`, `later` and `waiting` together may not go over it."""
    policy: QueuePolicyInfo = QueuePolicyInfo()
    rates: QueueRates | None = None

    @property
    def backlog(self) -> int:
        """The runs that a budget counts: accepted and not started."""
        return self.queued + self.later + self.waiting


class QueuePage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    queues: list[QueueInfo]
    next: str | None


class QueueScaling(View, frozen=True):
    """The numbers for an autoscaler."""

    depth: int
    """Runs that could start now if there were room."""
    oldest_seconds: float
    running: int
    slots: int
    """Of the executors that listen to it."""
    load: int
    """Runs that could start or are running."""
    wanted: int
    """Executors with the slots that the caller names; never fewer than the running attempts need."""
    arrivals: float
    """Runs that come in a second, over the last minutes."""
    duration: float | None
    """Seconds that an attempt takes on average; null: none has ended lately."""


class SpreadInfo(View, frozen=True):
    """Seconds; quantiles are right to a factor of two, mean and max exact."""

    p50: float
    p95: float
    p99: float
    mean: float
    max: float


class RateStep(View, frozen=True, kw_only=True):
    at: datetime
    succeeded: int
    failed: int
    cancelled: int
    skipped: int
    wait: SpreadInfo | None = None
    """From when a run was due and accepted until its last attempt began."""
    duration: SpreadInfo | None = None
    """Of that attempt."""


class RatesInfo(View, frozen=True):
    """Oldest first; the last step may still be under way, and is counted up to `until`."""

    step: str
    until: datetime | None
    steps: list[RateStep]


class JobFigure(View, frozen=True, kw_only=True):
    """Runs of a job that ended in a stretch of time."""

    job: str
    succeeded: int
    failed: int
    cancelled: int
    skipped: int
    wait: SpreadInfo | None = None
    duration: SpreadInfo | None = None


class JobFigures(View, frozen=True):
    """By job; one that had no run in that time is not in it."""

    since: datetime | None
    until: datetime | None
    jobs: list[JobFigure]
