"""The treatment of instants that were due while no server fired them.

Every due instant is accounted for, but not each by itself: a lapse of years becomes one span that was skipped, and finding
its ends takes as long as the fires that are wanted, not as the lapse was.
"""

from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from mainspring.domain.triggers.fire_times.timers import TICK, Timer

LATE = timedelta(seconds=60)
"""What comes later than this counts as missed."""
CATCH_UP_MAX = 100


class Misfire(StrEnum):
    """The policy for missed instants."""

    SKIP = "skip"
    ONCE = "once"
    """Fire the latest of them."""
    ALL = "all"
    """Fire each, oldest first."""


class SkipReason(StrEnum):
    """Why a due instant has no run."""

    MISSED = "missed"
    TOO_LATE = "too_late"
    """Its start deadline had passed."""
    TOO_MANY = "too_many"
    """There were more than may fire at once."""
    OVERLAP = "overlap"
    """The run of an instant before it had not ended."""
    HELD_FULL = "held_full"
    """As many as may wait for that run did so already."""
    PAUSED = "paused"
    ASKED = "asked"
    """An operator wanted this one left out."""
    CALENDAR = "calendar"
    """Its day does not count."""
    REPLACED = "replaced"
    """It waited for a run to end, and a later instant took its place."""
    JOB_GONE = "job_gone"
    """There is no such job any more."""
    DELETED = "deleted"
    """The trigger was taken away before it was fired."""


class MisfirePolicy(msgspec.Struct, frozen=True, kw_only=True):
    misfire: Misfire = Misfire.ONCE
    catch_up_max: int = CATCH_UP_MAX
    """How many may fire at once, missed or not."""
    start_deadline: timedelta | None = None
    """How late a fire may be, whatever else is said."""


class Span(msgspec.Struct, frozen=True):
    """All due instants from one to another, both included, skipped for one reason."""

    first: datetime
    last: datetime
    reason: SkipReason


class Firing(msgspec.Struct, frozen=True):
    """Every due instant up to now, each in exactly one place."""

    fires: tuple[datetime, ...]
    skipped: Span | None
    next_due: datetime | None


def fire(timer: Timer, due: datetime, now: datetime, policy: MisfirePolicy) -> Firing:
    """Account for the instants from `due`, which is one and has come, up to now."""
    following = timer.next(due)
    if (following is None or following > now) and not is_unwanted(due, now, policy):
        return Firing((due,), None, following)
    wanted = latest(timer, due, now, policy)
    skipped = skipped_before(timer, due, wanted[0] if wanted else now + TICK, now, policy)
    return Firing(tuple(wanted), skipped, timer.next(now))


def latest(timer: Timer, due: datetime, now: datetime, policy: MisfirePolicy) -> list[datetime]:
    """The last instants of those from `due` to `now` that are wanted, oldest first: all that were not missed, and of the
    others as many as the policy says."""
    found: list[datetime] = []
    at = timer.previous(now + TICK)
    while at is not None and at >= due and len(found) < policy.catch_up_max and not is_unwanted(at, now, policy):
        found.append(at)
        at = None if policy.misfire is Misfire.ONCE and now - at > LATE else timer.previous(at)
    return found[::-1]


def is_unwanted(instant: datetime, now: datetime, policy: MisfirePolicy) -> bool:
    late = now - instant
    if policy.start_deadline is not None and late > policy.start_deadline:
        return True
    return policy.misfire is Misfire.SKIP and late > LATE


def skipped_before(timer: Timer, due: datetime, end: datetime, now: datetime, policy: MisfirePolicy) -> Span | None:
    final = timer.previous(end)
    if final is None or final < due:
        return None
    return Span(due, final, reason_of(now - final, policy))


def reason_of(late: timedelta, policy: MisfirePolicy) -> SkipReason:
    """Why the youngest of the skipped has no run; the older ones have none all the more."""
    if policy.start_deadline is not None and late > policy.start_deadline:
        return SkipReason.TOO_LATE
    return SkipReason.TOO_MANY if policy.misfire is Misfire.ALL or late <= LATE else SkipReason.MISSED
