"""Builds the views of queues and their rates."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.api.http.paging import next_of, write_name_cursor
from mainspring.contract.queues import (
    JobFigure,
    JobFigures,
    QueueInfo,
    QueuePage,
    QueuePause,
    QueuePolicyInfo,
    QueueRates,
    QueueScaling,
    RatesInfo,
    RateStep,
    SpreadInfo,
)
from mainspring.domain.queues.queue import QueueState
from mainspring.domain.queues.rollup import Resolution, Rollup, RollupWindow, Spread, duration_of, wait_of
from mainspring.domain.queues.scaling import Demand, demand_of, demands_together, wanted
from mainspring.domain.runs.run import RunState

RATE_MINUTES = 5
"""Over how long rates are taken; the minute under way counts as far as it has come."""
FINAL = tuple(state for state in RunState if state.final)


def show_queues(queues: Sequence[QueueState], *, limit: int, now: datetime) -> QueuePage:
    following = next_of(queues, limit, lambda last: write_name_cursor("queue", last.name))
    return QueuePage([show_queue(queue, now=now) for queue in queues], following)


def show_queue(queue: QueueState, *, now: datetime) -> QueueInfo:
    pause = queue.rule.pause
    return QueueInfo(
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
        paused=None if pause is None else QueuePause(pause.reason, pause.by, pause.since, pause.until),
        max_queued=queue.rule.max_queued,
        policy=QueuePolicyInfo(**msgspec.structs.asdict(queue.rule.policy)),
        rates=None if queue.recent is None else show_recent(queue.recent),
    )


def show_scaling(found: Sequence[QueueState], *, slots: int, within: float, now: datetime) -> QueueScaling:
    """A paused queue asks for no executors: they would not start anything."""
    demands = [demand_in(queue) for queue in found]
    demand = demands_together(demands)
    ages = [age_of(queue, now) or 0.0 for queue in found if queue.rule.pause is None]
    return QueueScaling(
        demand.due,
        max(ages, default=0.0),
        demand.running,
        max((queue.slots for queue in found), default=0),
        demand.load,
        wanted(demands, slots=slots, within=within),
        round(demand.arrivals, 3),
        demand.duration,
    )


def demand_in(queue: QueueState) -> Demand:
    recent = queue.recent
    rollups = [] if recent is None else [one for one in recent.rollups if one.at in recent.times[-RATE_MINUTES:]]
    mean = duration_of(rollups).mean
    return demand_of(
        due=queue.depth.queued,
        running=queue.depth.running,
        finished=0.0 if recent is None else recent.per_minute(*FINAL, steps=RATE_MINUTES) / Resolution.MINUTE,
        grown=queue.grown,
        duration=None if mean is None else mean / 1e6,
        is_paused=queue.rule.pause is not None,
    )


def age_of(queue: QueueState, now: datetime) -> float | None:
    oldest = queue.depth.oldest_at
    return None if oldest is None else max(0.0, ((queue.taken_at or now) - oldest).total_seconds())


def show_recent(window: RollupWindow) -> QueueRates:
    return QueueRates(
        finished=round(window.per_minute(*FINAL, steps=RATE_MINUTES), 2),
        succeeded=round(window.per_minute(RunState.SUCCEEDED, steps=RATE_MINUTES), 2),
        failed=round(window.per_minute(RunState.FAILED, steps=RATE_MINUTES), 2),
        recent=window.series(*FINAL),
        until=window.until,
    )


def show_rates(window: RollupWindow | None, step: Resolution) -> RatesInfo:
    if window is None:
        return RatesInfo(step.label, None, [])
    by_time: dict[datetime, list[Rollup]] = {at: [] for at in window.times}
    for rollup in window.rollups:
        by_time[rollup.at].append(rollup)
    return RatesInfo(step.label, window.until, [show_step(at, rollups) for at, rollups in by_time.items()])


def show_figures(window: RollupWindow | None, jobs: dict[str, list[Rollup]]) -> JobFigures:
    if window is None:
        return JobFigures(None, None, [])
    return JobFigures(window.since, window.until, [show_figure(job, jobs[job]) for job in sorted(jobs)])


def show_figure(job: str, rollups: Sequence[Rollup]) -> JobFigure:
    counted = counts_of(rollups)
    wait, duration = show_spread(wait_of(rollups)), show_spread(duration_of(rollups))
    return JobFigure(job=job, **counted, wait=wait, duration=duration)


def counts_of(rollups: Sequence[Rollup]) -> dict[str, int]:
    return {state.label: sum(one.runs for one in rollups if one.state is state) for state in FINAL}


def show_step(at: datetime, rollups: Sequence[Rollup]) -> RateStep:
    wait, duration = show_spread(wait_of(rollups)), show_spread(duration_of(rollups))
    return RateStep(at=at, **counts_of(rollups), wait=wait, duration=duration)


def show_spread(spread: Spread) -> SpreadInfo | None:
    if spread.mean is None:
        return None
    p50, p95, p99 = (spread.quantile(share) or 0.0 for share in (0.5, 0.95, 0.99))
    return SpreadInfo(seconds(p50), seconds(p95), seconds(p99), seconds(spread.mean), seconds(spread.max))


def seconds(microseconds: float) -> float:
    return round(microseconds, 1) / 1_000_000
