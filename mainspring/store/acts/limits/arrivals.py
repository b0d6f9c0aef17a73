"""Debounce and throttle, applied while the lanes of arrivals are locked."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from mainspring.domain.ids import RunId
from mainspring.domain.limits.arrivals import DebounceState, debounced, throttled
from mainspring.domain.limits.lanes import Lane, LaneRule
from mainspring.store.tx import Row, Tx

MICROSECONDS = 1_000_000


class Sifted(NamedTuple):
    """What becomes of arrivals; the others are put into their lanes."""

    skipped: dict[RunId, str]
    """With the reason of each."""
    kept: set[RunId]
    """These wait for quiet."""
    left: set[RunId]
    """These are looked at again at once."""


async def sift(tx: Tx, rule: LaneRule, arrivals: Mapping[RunId, Lane], now: datetime) -> Sifted:
    if not arrivals or (rule.debounce is None and rule.throttle is None):
        return Sifted({}, set(), set())
    by_lane: dict[int, list[RunId]] = defaultdict(list)
    for run, lane in arrivals.items():
        by_lane[lane.id].append(run)
    rows = {row["id"]: row for row in await tx.all("lane_arrivals", lanes=sorted(by_lane))}
    skipped: dict[RunId, str] = {}
    kept: set[RunId] = set()
    left: set[RunId] = set()
    elsewhere = await pending_elsewhere(tx, rows.values(), arrivals)
    for number, runs in sorted(by_lane.items()):
        if rows[number]["pending"] in elsewhere:
            left.update(runs)
            continue
        if rule.throttle is not None:
            skipped |= await throttle(tx, rule, rows[number], runs, now)
        if rule.debounce is not None:
            passing = [run for run in runs if run not in skipped]
            skipped |= await debounce(tx, rule, rows[number], passing, kept, now)
    return Sifted(skipped, kept, left)


async def pending_elsewhere(tx: Tx, rows: Iterable[Row], arrivals: Container[RunId]) -> set[RunId]:
    """Lock the runs that newer ones may supersede; those that another server puts into their lane at this moment.

    That server waits for the lane: to wait for its run would be a deadlock.
    """
    pending = sorted(row["pending"] for row in rows if row["pending"] is not None and row["pending"] not in arrivals)
    return {row["id"] for row in await tx.all("pending_elsewhere", ids=pending)} if pending else set()


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
    found = debounced(rule.debounce, DebounceState(row["pending"], row["first_at"]), runs, now)
    pending = found.quiet.pending
    await tx.run("set_lane_quiet", lane=row["id"], pending=pending, first_at=found.quiet.first_at, now=now)
    if pending is not None:
        await tx.run("put_off", run=pending, due_at=found.due_at)
        kept.add(pending)
    return found.skipped


def micros(instant: datetime) -> int:
    return round(instant.timestamp() * MICROSECONDS)
