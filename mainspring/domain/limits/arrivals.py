"""Arrivals: what becomes of runs by their job's debounce or throttle when they are put into their lane."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.limits.blocking import SUPERSEDED
from mainspring.domain.limits.bucket import Bucket
from mainspring.domain.limits.policy import Debounce

THROTTLED = "throttled"
"""The reason of runs that came when as many as a throttle allows had come."""


class DebounceState(msgspec.Struct, frozen=True):
    """The state of a debounced lane."""

    pending: RunId | None = None
    """The run that waits for quiet."""
    first_at: datetime | None = None
    """When the first of those came that it stands for."""


class Settling(msgspec.Struct, frozen=True):
    """What follows from arrivals in a debounced lane."""

    quiet: DebounceState
    entering: RunId | None = None
    """The run whose time has come."""
    skipped: dict[RunId, str] = {}
    due_at: datetime | None = None
    """When the pending run starts unless another one comes."""


def debounced(rule: Debounce, quiet: DebounceState, arrivals: Sequence[RunId], now: datetime) -> Settling:
    """Decide about due runs of a lane, oldest first: the newest is kept until no other has come for the period."""
    ripe = quiet.pending if quiet.pending in arrivals else None
    newcomers = [run for run in arrivals if run != ripe]
    if not newcomers:
        return Settling(DebounceState(), ripe)
    *older, newest = newcomers
    waited = ripe is None and quiet.pending is not None
    first_at = quiet.first_at if waited and quiet.first_at is not None else now
    if waited and quiet.pending is not None:
        older.append(quiet.pending)
    due_at = now + timedelta(seconds=rule.period)
    if rule.at_most is not None:
        due_at = min(due_at, max(now, first_at + timedelta(seconds=rule.at_most)))
    return Settling(DebounceState(newest, first_at), ripe, dict.fromkeys(older, SUPERSEDED), due_at)


def throttled(bucket: Bucket, full_at: int, arrivals: Sequence[RunId], now: int) -> tuple[dict[RunId, str], int]:
    """The runs above the throttle, and when its bucket is full again; times are microseconds since 1970."""
    room = max(0, bucket.tokens(full_at, now))
    passing = min(room, len(arrivals))
    after = bucket.taken(full_at, now, passing) if passing else full_at
    return dict.fromkeys(arrivals[passing:], THROTTLED), after
