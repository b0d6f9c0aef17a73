"""What becomes of a run whose attempt has just ended."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import assert_never

import msgspec

from mainspring.domain.attempt import Decision, Held, Outcome
from mainspring.domain.job import RetryPolicy
from mainspring.domain.run import RunState

LOSSES_MAX = 3
"""Losses after which a run is taken for a poison pill."""

DEADLINE_PASSED = "deadline_passed"

Jitter = Callable[[], float]
"""A number in [0, 1), an argument like the clock."""


def after_attempt(outcome: Outcome, held: Held, *, policy: RetryPolicy, now: datetime, jitter: Jitter) -> Decision:
    """Say what becomes of a run whose attempt has just ended: a success stands, then a cancel, then the deadline."""
    decision = after_outcome(outcome, held, policy=policy, now=now, jitter=jitter)
    if decision.state is RunState.SUCCEEDED:
        return decision
    if held.cancel is not None:
        return msgspec.structs.replace(decision, state=RunState.CANCELLED, due_at=None, reason=held.cancel or None)
    if is_too_late(outcome, decision, held.deadline_at, now):
        return msgspec.structs.replace(decision, state=RunState.FAILED, due_at=None, reason=DEADLINE_PASSED)
    return decision


def is_too_late(outcome: Outcome, decision: Decision, deadline_at: datetime | None, now: datetime) -> bool:
    """Whether the deadline leaves no time for another attempt, or was what ended this one."""
    if deadline_at is None or (decision.state.final and outcome is not Outcome.TIMED_OUT):
        return False
    return (decision.due_at or now) >= deadline_at


def after_outcome(outcome: Outcome, held: Held, *, policy: RetryPolicy, now: datetime, jitter: Jitter) -> Decision:
    """What would become of the run if nobody had wanted it cancelled and time were no matter."""
    match outcome:
        case Outcome.SUCCEEDED:
            return Decision(RunState.SUCCEEDED)
        case Outcome.CANCELLED:
            return Decision(RunState.CANCELLED)
        case Outcome.RELEASED | Outcome.SUSPENDED:
            return Decision(RunState.QUEUED)
        case Outcome.LOST:
            return repeat_or_quarantine(held.losses + 1)
        case Outcome.FAILED | Outcome.TIMED_OUT:
            return retry_or_fail(held.failures + 1, policy=policy, now=now, jitter=jitter)
        case _:
            assert_never(outcome)


def repeat_or_quarantine(losses: int) -> Decision:
    if losses >= LOSSES_MAX:
        return Decision(RunState.FAILED, reason="quarantined", losses=1)
    return Decision(RunState.QUEUED, losses=1)


def retry_or_fail(failures: int, *, policy: RetryPolicy, now: datetime, jitter: Jitter) -> Decision:
    if failures >= policy.attempts:
        return Decision(RunState.FAILED, reason="attempts_spent", failures=1)
    delay = min(policy.backoff_max, policy.backoff * 2 ** min(failures - 1, 40)) * jitter()
    return Decision(RunState.QUEUED, due_at=now + timedelta(seconds=delay), reason="retry", failures=1)
