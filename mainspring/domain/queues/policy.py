"""The policy of a queue: in which order its runs start, and when none does."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

LENGTH_MIN, LENGTH_MAX = 1.0, 30 * 86_400.0
"""Seconds that a length of time in a policy may have."""
WEIGHT_MIN, WEIGHT_MAX = 0.001, 1000.0


class WhenFull(StrEnum):
    """The answer to requests for runs that the budget has no room for."""

    REFUSE = "refuse"
    WAIT = "wait"
    """The request is held until there is room, for some seconds at most; then it is refused."""
    SHED = "shed"
    """Runs that wait and are less urgent are skipped for it; if there are too few of them, it is refused."""


class QueuePolicy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an operator says of the order of a queue's runs, beside their priority."""

    ageing: float | None = None
    """Seconds after which a due run is old: half of all starts go to old runs, whatever their priority."""
    hurry: float | None = None
    """Seconds before its deadline from which a run goes before the others of its priority, the earliest deadline first."""
    late_after: float | None = None
    """Seconds for which its oldest due run may wait before the queue is late: it then gets more of the slots that it shares."""
    blackout: str = ""
    """The calendar by which nothing starts on days that do not count and in its blackouts; empty: none. Of namespaces, too."""
    when_full: WhenFull = WhenFull.REFUSE
    """What becomes of requests over the budget. Of namespaces, too."""
    weight: float | None = None
    """Its part of the slots that it shares with other queues, or a namespace's with others; None: 1."""


NO_POLICY = QueuePolicy()
RevisePolicy = Callable[[QueuePolicy], QueuePolicy]
"""The rule for an operator's change, given the present policy; it may raise."""


class Urgency(msgspec.Struct, frozen=True):
    """The part of a policy that decides the order of a claim; lines with an equal one are claimed together."""

    ageing: float | None = None
    hurry: float | None = None
    late_after: float | None = None


class ClaimOrder(msgspec.Struct, frozen=True):
    """The order of one claim: some slots for old runs, then by priority, urgent ones first in each."""

    aged: int = 0
    """Slots that go to old runs first, the oldest before all others."""
    aged_until: datetime | None = None
    """Runs that fell due up to then are old; None: none is."""
    urgent_until: datetime | None = None
    """Runs whose deadline comes up to then are urgent; None: none is."""


def urgency_of(policy: QueuePolicy) -> Urgency | None:
    """None: the runs start by priority, then by due time."""
    found = Urgency(policy.ageing, policy.hurry, policy.late_after)
    return None if found == Urgency() else found


def is_late(urgency: Urgency, oldest_at: datetime | None, now: datetime) -> bool:
    """Whether a run has been due for longer than its queue allows; `oldest_at`: when the oldest fell due."""
    if urgency.late_after is None or oldest_at is None:
        return False
    return now - oldest_at > timedelta(seconds=urgency.late_after)


def claim_order(urgency: Urgency, slots: int, turn: int, now: datetime) -> ClaimOrder | None:
    """The order of a claim for so many slots; `turn` counts claims, so that every second single slot is for old runs.

    None: by priority and due time alone.
    """
    if urgency.ageing is None and urgency.hurry is None:
        return None
    aged_until = None if urgency.ageing is None else now - timedelta(seconds=urgency.ageing)
    return ClaimOrder(
        aged=0 if aged_until is None else (slots + turn % 2) // 2,
        aged_until=aged_until,
        urgent_until=None if urgency.hurry is None else now + timedelta(seconds=urgency.hurry),
    )


def check_queue_policy(policy: QueuePolicy) -> QueuePolicy:
    """Raises InvalidInputError."""
    for field in ("ageing", "hurry", "late_after"):
        check_length(getattr(policy, field), field)
    check_weight(policy.weight, "weight")
    return policy


def check_weight(weight: float | None, field: str) -> None:
    if weight is not None and not WEIGHT_MIN <= weight <= WEIGHT_MAX:
        raise InvalidInputError(field, f"{weight} is outside {WEIGHT_MIN} to {WEIGHT_MAX:.0f}", code="bad_weight")


def check_blackout(calendar: str, known: Collection[str], field: str = "blackout") -> None:
    """Refuse a calendar that is not defined."""
    if calendar and calendar not in known:
        reason = f"no calendar is called {calendar!r}{did_you_mean(calendar, known)}"
        raise InvalidInputError(field, reason, code="unknown_calendar")


def check_length(seconds: Any, field: str) -> None:
    if seconds is None:
        return
    if not isinstance(seconds, int | float) or not LENGTH_MIN <= seconds <= LENGTH_MAX:
        reason = f"{seconds} is not between {LENGTH_MIN:g} and {LENGTH_MAX:.0f} seconds"
        raise InvalidInputError(field, reason, code=f"bad_{field}")


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(QueuePolicy).decode


def write_policy(policy: QueuePolicy) -> bytes | None:
    """None for the policy that says nothing."""
    return None if policy == NO_POLICY else _encode(policy)


def read_queue_policy(raw: bytes | None) -> QueuePolicy:
    return NO_POLICY if raw is None else _decode(raw)
