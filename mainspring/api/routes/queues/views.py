"""How queues and what passes through them look in JSON."""

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.domain.queues.queue import BUDGET_MAX, QueueState
from mainspring.domain.queues.rollup import Rollup, Spread, Step, Window, duration_of, wait_of
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError
from mainspring.scheduler.operations.jobs import LINES
from mainspring.scheduler.operations.queues import REASON_MAX

CURSOR = b"queue:"
RATE_MINUTES = 5
"""Over how long rates are taken; the minute under way counts as far as it has come."""
FINAL = tuple(state for state in RunState if state.final)

MaxQueued = Annotated[int, msgspec.Meta(ge=0, le=BUDGET_MAX)] | None
Reason = Annotated[str, msgspec.Meta(max_length=REASON_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})]


class PauseBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""
    new: bool = False
    """Also if nobody has used that name yet; without it such a name is taken for a mistake."""


class ResumeBody(msgspec.Struct, forbid_unknown_fields=True):
    """There is nothing to say about it."""


class BudgetBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    max_queued: MaxQueued
    """How many accepted runs may wait; null for any number."""
    new: bool = False


class NamespaceBudgetBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    max_queued: MaxQueued


class NamespaceBudgetView(msgspec.Struct, frozen=True):
    namespace: str
    max_queued: int | None


class PauseView(msgspec.Struct, frozen=True):
    reason: str
    by: str
    since: datetime


class QueueRatesView(msgspec.Struct, frozen=True, kw_only=True):
    """Runs that ended in a minute, over the last five; `until` is up to when they are counted."""

    finished: float
    succeeded: float
    failed: float
    recent: list[int]
    """How many ended in each of the last fifteen minutes, the one under way last."""
    until: datetime


class QueueView(msgspec.Struct, frozen=True, kw_only=True):
    """A queue; its numbers are of `taken_at`."""

    name: str
    namespace: str
    queued: int
    """Due and not started, whatever keeps them."""
    later: int
    """For an instant to come."""
    waiting: int
    running: int
    oldest_seconds: float | None
    """For how long the oldest of the queued has been due."""
    taken_at: datetime | None
    executors: int
    """How many listen to it."""
    slots: int
    """How many runs they can run at once, those of other queues included."""
    paused: PauseView | None
    max_queued: int | None
    """Its budget: `queued`, `later` and `waiting` together may not go over it."""
    rates: QueueRatesView | None


class QueuesView(msgspec.Struct, frozen=True):
    """A page; `next` is the cursor of the one behind it."""

    queues: list[QueueView]
    next: str | None


class ScalingView(msgspec.Struct, frozen=True):
    """What an autoscaler reads."""

    depth: int
    """Runs that could start now if there were room."""
    oldest_seconds: float
    running: int
    slots: int


class SpreadView(msgspec.Struct, frozen=True):
    """Seconds; quantiles are right to a factor of two, mean and max exact."""

    p50: float
    p95: float
    p99: float
    mean: float
    max: float


class RateStepView(msgspec.Struct, frozen=True, kw_only=True):
    at: datetime
    succeeded: int
    failed: int
    cancelled: int
    skipped: int
    wait: SpreadView | None
    """From when a run was due and accepted until its last attempt began."""
    duration: SpreadView | None
    """Of that attempt."""


class RatesView(msgspec.Struct, frozen=True):
    """Oldest first; the last step may still be under way, and is counted up to `until`."""

    step: str
    until: datetime | None
    steps: list[RateStepView]


STRUCTS = (
    PauseBody,
    ResumeBody,
    BudgetBody,
    NamespaceBudgetBody,
    NamespaceBudgetView,
    QueueView,
    QueuesView,
    ScalingView,
    RatesView,
)


def show_queues(queues: Sequence[QueueState], *, limit: int, now: datetime) -> QueuesView:
    following = write_cursor(queues[-1].name) if len(queues) == limit else None
    return QueuesView([show_queue(queue, now=now) for queue in queues], following)


def show_queue(queue: QueueState, *, now: datetime) -> QueueView:
    pause = queue.rule.pause
    return QueueView(
        name=queue.name,
        namespace=queue.namespace,
        queued=queue.depth.queued,
        later=queue.depth.later,
        waiting=queue.depth.waiting,
        running=queue.depth.running,
        oldest_seconds=age_of(queue, now),
        taken_at=queue.taken_at,
        executors=queue.executors,
        slots=queue.slots,
        paused=None if pause is None else PauseView(pause.reason, pause.by, pause.since),
        max_queued=queue.rule.max_queued,
        rates=None if queue.recent is None else show_recent(queue.recent),
    )


def show_scaling(queue: QueueState, *, now: datetime) -> ScalingView:
    """A paused queue asks for nobody: more executors would not start anything."""
    if queue.rule.pause is not None:
        return ScalingView(0, 0.0, queue.depth.running, queue.slots)
    return ScalingView(queue.depth.queued, age_of(queue, now) or 0.0, queue.depth.running, queue.slots)


def age_of(queue: QueueState, now: datetime) -> float | None:
    oldest = queue.depth.oldest_at
    return None if oldest is None else max(0.0, ((queue.taken_at or now) - oldest).total_seconds())


def show_recent(window: Window) -> QueueRatesView:
    return QueueRatesView(
        finished=round(window.per_minute(*FINAL, steps=RATE_MINUTES), 2),
        succeeded=round(window.per_minute(RunState.SUCCEEDED, steps=RATE_MINUTES), 2),
        failed=round(window.per_minute(RunState.FAILED, steps=RATE_MINUTES), 2),
        recent=window.series(*FINAL),
        until=window.until,
    )


def show_rates(window: Window | None, step: Step) -> RatesView:
    if window is None:
        return RatesView(step.label, None, [])
    by_time: dict[datetime, list[Rollup]] = {at: [] for at in window.times}
    for rollup in window.rollups:
        by_time[rollup.at].append(rollup)
    return RatesView(step.label, window.until, [show_step(at, rollups) for at, rollups in by_time.items()])


def show_step(at: datetime, rollups: Sequence[Rollup]) -> RateStepView:
    counts = {state: sum(one.runs for one in rollups if one.state is state) for state in FINAL}
    return RateStepView(
        at=at,
        succeeded=counts[RunState.SUCCEEDED],
        failed=counts[RunState.FAILED],
        cancelled=counts[RunState.CANCELLED],
        skipped=counts[RunState.SKIPPED],
        wait=show_spread(wait_of(rollups)),
        duration=show_spread(duration_of(rollups)),
    )


def show_spread(spread: Spread) -> SpreadView | None:
    if spread.mean is None:
        return None
    p50, p95, p99 = (spread.quantile(share) or 0.0 for share in (0.5, 0.95, 0.99))
    return SpreadView(seconds(p50), seconds(p95), seconds(p99), seconds(spread.mean), seconds(spread.max))


def seconds(microseconds: float) -> float:
    return round(microseconds, 1) / 1_000_000


def write_cursor(name: str) -> str:
    return base64.urlsafe_b64encode(CURSOR + name.encode()).decode().rstrip("=")


def read_cursor(text: str | None) -> str:
    if text is None:
        return ""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        name = raw.removeprefix(CURSOR).decode()
        if write_cursor(name) == text and name.isprintable():
            return name
    except (binascii.Error, ValueError):
        pass
    raise InvalidInputError("cursor", "is not the `next` of a page", code="bad_cursor")
