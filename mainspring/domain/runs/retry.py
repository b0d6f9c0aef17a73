"""The fate of a run whose attempt has just ended."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import assert_never

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec, OnLost, RetryPolicy
from mainspring.domain.metadata import is_start_deadline, read_metadata
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.run import DUE_MAX, Parking, RunState, WaitReason

DEADLINE_PASSED = "deadline_passed"
START_DEADLINE_PASSED = "start_deadline_passed"

GAVE_UP = "gave_up"
"""The code of a failure whose handler wants no further try, and the reason of a run that gets none."""

ASKED_AGAIN = "retry"
"""The code of a failure whose handler wants a further try, and the reason of a run that gets one."""

PARK_USUAL = 10.0
"""Seconds that a run waits at most for a breaker of which nothing else is known."""

Jitter = Callable[[], float]
"""A number in [0, 1), an argument like the clock."""


def after_attempt(end: Ended, held: Held, *, spec: JobSpec, now: datetime, jitter: Jitter) -> Decision:
    """Decide the fate of a run whose attempt has just ended: a success stands, then a cancel, then the deadline."""
    decision = after_outcome(end, held, spec=spec, now=now, jitter=jitter)
    if decision.state is RunState.SUCCEEDED:
        return decision
    if held.cancel is not None:
        return ended_as(decision, RunState.CANCELLED, held.cancel or None)
    if is_too_late(end, decision, held.deadline_at, now):
        return ended_as(decision, RunState.FAILED, DEADLINE_PASSED)
    if held.suspend and (decision.state is RunState.QUEUED or decision.parking is not None):
        suspended = WaitReason.SUSPENDED.value
        return msgspec.structs.replace(decision, state=RunState.WAITING, reason=suspended, parking=None)
    return decision


def ended_as(decision: Decision, state: RunState, reason: str | None) -> Decision:
    """The decision, with a final state instead of a wait."""
    return msgspec.structs.replace(decision, state=state, due_at=None, reason=reason, parking=None)


def is_too_late(end: Ended, decision: Decision, deadline_at: datetime | None, now: datetime) -> bool:
    """Whether the deadline leaves no time for another attempt, or ended this one."""
    timed_out = end.outcome is Outcome.TIMED_OUT
    if deadline_at is None or (decision.state.final and not timed_out):
        return False
    # By the executor's clock it had come: that ours is a little behind makes no difference.
    by_executor = timed_out and end.failure is not None and end.failure.code == DEADLINE_PASSED
    return by_executor or (decision.due_at or now) >= deadline_at


def by_deadline(late: Iterable[tuple[RunId, datetime, bytes | None]]) -> dict[str, list[RunId]]:
    """Why each of these runs fails, given its deadline's column and its extra: it is not running, and too late."""
    reasons: dict[str, list[RunId]] = {}
    for run, column, extra in late:
        reason = START_DEADLINE_PASSED if is_start_deadline(read_metadata(extra), column) else DEADLINE_PASSED
        reasons.setdefault(reason, []).append(run)
    return reasons


def after_outcome(end: Ended, held: Held, *, spec: JobSpec, now: datetime, jitter: Jitter) -> Decision:
    """The run's fate if no cancel was asked for and time were no matter."""
    match end.outcome:
        case Outcome.SUCCEEDED:
            return Decision(RunState.SUCCEEDED)
        case Outcome.CANCELLED:
            return Decision(RunState.CANCELLED)
        case Outcome.RELEASED:
            return Decision(RunState.QUEUED)
        case Outcome.SUSPENDED:
            return after_yielding(end, held)
        case Outcome.SNOOZED:
            return Decision(RunState.QUEUED, due_at=wished(end, now) or now, reason="snoozed")
        case Outcome.PARKED:
            until = now + timedelta(seconds=PARK_USUAL if end.after is None else end.after)
            parking = Parking(end.breaker, end.epoch, until)
            return Decision(RunState.WAITING, reason=WaitReason.BREAKER.value, parking=parking)
        case Outcome.LOST:
            return after_loss(held.losses + 1, spec)
        case Outcome.FAILED | Outcome.TIMED_OUT:
            return retry_or_fail(end, held, policy=spec.retry, now=now, jitter=jitter)
        case _:
            assert_never(end.outcome)


def after_yielding(end: Ended, held: Held) -> Decision:
    """A suspension that an operator asked for comes before the handler's own; if it was taken back, the run goes on at once."""
    if held.suspend or end.suspension is None:
        return Decision(RunState.QUEUED)
    if end.suspension.waits:
        return Decision(RunState.WAITING, reason=WaitReason.STEPS.value, waits=end.suspension.waits)
    return Decision(RunState.WAITING, reason=WaitReason.SUSPENDED.value, suspension=end.suspension)


def after_loss(losses: int, spec: JobSpec) -> Decision:
    """A run that was lost often is a poison pill; the job's rule for a single loss does not matter."""
    if losses >= spec.losses_max:
        return Decision(RunState.FAILED, reason="quarantined", losses=1)
    match spec.on_lost:
        case OnLost.RETRY:
            return Decision(RunState.QUEUED, losses=1)
        case OnLost.FAIL:
            return Decision(RunState.FAILED, reason="lost", losses=1)
        case OnLost.ASK:
            return Decision(RunState.WAITING, reason=WaitReason.LOST.value, losses=1)
        case _:
            assert_never(spec.on_lost)


def retry_or_fail(end: Ended, held: Held, *, policy: RetryPolicy, now: datetime, jitter: Jitter) -> Decision:
    failures = held.failures + 1
    if not is_worth_a_try(end, policy):
        return Decision(RunState.FAILED, reason=GAVE_UP, failures=1)
    if failures >= policy.attempts:
        return Decision(RunState.FAILED, reason="attempts_spent", failures=1)
    due_at = wished(end, now) or now + timedelta(seconds=backoff(failures, policy) * jitter())
    if policy.budget is not None and due_at > began_at(end, held, now) + timedelta(seconds=policy.budget):
        return Decision(RunState.FAILED, reason="budget_spent", failures=1)
    return Decision(RunState.QUEUED, due_at=due_at, reason=ASKED_AGAIN, failures=1)


def is_worth_a_try(end: Ended, policy: RetryPolicy) -> bool:
    """Whether handler and policy let this error be tried again; the handler's own word counts before the policy's."""
    names = set(end.kinds)
    if end.failure is not None:
        names |= {end.failure.error, end.failure.code}
    if GAVE_UP in names:
        return False
    if ASKED_AGAIN in names:
        return True
    if not names.isdisjoint(policy.give_up_on):
        return False
    return not policy.retry_on or not names.isdisjoint(policy.retry_on)


def backoff(failures: int, policy: RetryPolicy) -> float:
    """The longest wait behind so many failures."""
    return min(policy.backoff_max, policy.backoff * policy.multiplier ** min(failures - 1, 40))


def wished(end: Ended, now: datetime) -> datetime | None:
    """When the handler itself wants the next attempt, if it said so; never in the past."""
    if end.until is not None:
        return min(max(end.until, now), now + DUE_MAX)
    return None if end.after is None else now + timedelta(seconds=end.after)


def began_at(end: Ended, held: Held, now: datetime) -> datetime:
    """When the first attempt began. A single attempt's outcome may come late, so its claim is the better source."""
    if held.since is None and held.claimed_at is not None:
        return held.claimed_at + timedelta(milliseconds=end.wait)
    return held.since or now - timedelta(microseconds=end.duration)
