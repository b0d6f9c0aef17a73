"""Debounce and throttle, applied while the lanes of arrivals are locked."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.limits.arrivals import Quiet, debounced, throttled
from mainspring.domain.limits.lanes import Lane, LaneRule
from mainspring.store.tx import Row, Tx

MICROSECONDS = 1_000_000


async def sift(
    tx: Tx, rule: LaneRule, arrivals: Mapping[RunId, Lane], now: datetime
) -> tuple[dict[RunId, str], set[RunId]]:
    """The runs that are skipped, each with its reason, and those that wait for quiet."""
    if not arrivals or (rule.debounce is None and rule.throttle is None):
        return {}, set()
    by_lane: dict[int, list[RunId]] = defaultdict(list)
    for run, lane in arrivals.items():
        by_lane[lane.id].append(run)
    rows = {row["id"]: row for row in await tx.all("lane_arrivals", lanes=sorted(by_lane))}
    skipped: dict[RunId, str] = {}
    kept: set[RunId] = set()
    for number, runs in sorted(by_lane.items()):
        if rule.throttle is not None:
            skipped |= await throttle(tx, rule, rows[number], runs, now)
        if rule.debounce is not None:
            passing = [run for run in runs if run not in skipped]
            skipped |= await debounce(tx, rule, rows[number], passing, kept, now)
    return skipped, kept


async def throttle(tx: Tx, rule: LaneRule, row: Row, runs: Sequence[RunId], now: datetime) -> dict[RunId, str]:
    assert rule.throttle is not None
    # A run that waited for quiet has come once already.
    came = [run for run in runs if run != row["pending"]]
    skipped, full = throttled(rule.throttle, row["full"], came, micros(now))
    await tx.run("set_lane_full", lane=row["id"], full=full, now=now)
    return skipped


async def debounce(
    tx: Tx, rule: LaneRule, row: Row, runs: Sequence[RunId], kept: set[RunId], now: datetime
) -> dict[RunId, str]:
    if rule.debounce is None or not runs:
        return {}
    found = debounced(rule.debounce, Quiet(row["pending"], row["first_at"]), runs, now)
    pending = found.quiet.pending
    await tx.run("set_lane_quiet", lane=row["id"], pending=pending, first_at=found.quiet.first_at, now=now)
    if pending is not None:
        await tx.run("put_off", run=pending, due_at=found.due_at)
        kept.add(pending)
    return found.skipped


def micros(instant: datetime) -> int:
    return round(instant.timestamp() * MICROSECONDS)
