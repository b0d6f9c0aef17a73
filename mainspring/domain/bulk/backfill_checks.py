"""Checks of a backfill request, and its preview."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from itertools import islice

import msgspec

from mainspring.domain.bulk.backfill import PRIORITY
from mainspring.domain.runs.run import check_priority
from mainspring.domain.triggers.fire_times.misfires import LATE
from mainspring.domain.triggers.fire_times.timers import TICK, Interval, Timer
from mainspring.domain.triggers.spec import Delay, TriggerSpec, is_timed
from mainspring.domain.years import check_years
from mainspring.errors import ConflictError, InvalidInputError

INSTANTS_MAX = 100_000
CONCURRENCY_MAX = 100
SAMPLE = 5
FIRST = datetime(1970, 1, 1, tzinfo=UTC)


class BackfillRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A backfill that an operator asks for."""

    since: datetime
    until: datetime | None = None
    """None: up to now."""
    concurrency: int = 1
    priority: int = PRIORITY
    rerun: bool = False
    reason: str = ""


class BackfillPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The preview of a backfill."""

    since: datetime
    until: datetime
    instants: int
    fired: int
    """Of these, how many have had a run, as far as the ledger knows,"""
    runs: int
    """and how many get one now."""
    first: datetime | None
    last: datetime | None
    sample: tuple[datetime, ...]
    """The first that get one."""
    known_since: datetime
    """From when on the ledger is whole: whether an instant before that has had a run is not known for sure."""


def check_backfill(spec: TriggerSpec, wanted: BackfillRequest, *, now: datetime) -> tuple[datetime, datetime]:
    """The range, in UTC; instants of the last minute are still the trigger's own to fire.

    Raises InvalidInputError, and ConflictError for a trigger whose instants no rule names.
    """
    if not is_timed(spec) or isinstance(spec.when, Delay):
        reason = "names no instants that lie behind: it waits for a call, or for a run to end"
        raise ConflictError("trigger", spec.name, reason, code="no_instants")
    if not 1 <= wanted.concurrency <= CONCURRENCY_MAX:
        reason = f"{wanted.concurrency} is outside 1 (one after the other) to {CONCURRENCY_MAX}"
        raise InvalidInputError("concurrency", reason, code="bad_concurrency")
    check_priority(wanted.priority)
    since, until = wanted.since, wanted.until or now
    check_years(since, "since", code="bad_since")
    check_years(until, "until", code="bad_until")
    if since < FIRST:
        raise InvalidInputError("since", "is before 1970", code="bad_since")
    if until > now:
        raise InvalidInputError("until", "lies ahead: what is to come is fired by the trigger", code="bad_until")
    if since >= until:
        raise InvalidInputError("since", "is not before until", code="bad_since")
    return since.astimezone(UTC), min(until, now - LATE).astimezone(UTC)


def instants_in(timer: Timer, since: datetime, until: datetime) -> Iterator[datetime]:
    """From one until before the other. Raises InvalidInputError once there are too many."""
    if isinstance(timer, Interval) and (until - since) // timer.every > INSTANTS_MAX:
        raise too_many()
    at = timer.next(since - TICK)
    for _ in range(INSTANTS_MAX):
        if at is None or at >= until:
            return
        yield at
        at = timer.next(at)
    if at is not None and at < until:
        raise too_many()


def too_many() -> InvalidInputError:
    reason = f"there are more than {INSTANTS_MAX} instants in this range: fill it in parts"
    return InvalidInputError("since", reason, code="bad_backfill")


def plan_backfill(
    instants: list[datetime],
    fired: Collection[datetime],
    *,
    since: datetime,
    until: datetime,
    rerun: bool,
    known_since: datetime,
) -> BackfillPlan:
    ran = sum(at in fired for at in instants)
    wanted = (at for at in instants if rerun or at not in fired)
    return BackfillPlan(
        since=since,
        until=until,
        instants=len(instants),
        fired=ran,
        runs=len(instants) if rerun else len(instants) - ran,
        first=instants[0] if instants else None,
        last=instants[-1] if instants else None,
        sample=tuple(islice(wanted, SAMPLE)),
        known_since=known_since,
    )
