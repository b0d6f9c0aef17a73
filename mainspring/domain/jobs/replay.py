"""What another definition would have done to past runs: each is judged by the rules that judge runs, at its own times."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.retry import after_outcome
from mainspring.domain.runs.run import Attempt, Run, RunState

OUTCOMES = {one.label: one for one in (Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST)}
"""Those that a retry policy, or the rule for losses, decides about."""
BY_ATTEMPTS = ("attempts_spent", "budget_spent", "gave_up", "quarantined", "lost")
"""Reasons of failed runs that their last attempt is the ground of."""
JITTER = 0.5
"""Waits between tries count as half of the longest: what they are on average."""
NOBODY = Token(bytes(16))


class ReplayEffect(StrEnum):
    """What would have become of a run otherwise."""

    TIMED_OUT = "timed_out"
    """It succeeded, and its attempt would have been stopped by the timeout."""
    TOO_LATE = "too_late"
    """It succeeded, after the deadline."""
    NOT_STARTED = "not_started"
    """It started after `start_within`."""
    FAILED_INSTEAD = "failed_instead"
    """It succeeded by a try that it would not have got."""
    FAILED_SOONER = "failed_sooner"
    """It failed, and would have failed by fewer tries."""
    TRIED_AGAIN = "tried_again"
    """It failed, and would have got another try; nobody knows how that ends."""
    WAITED = "waited"
    """It would have waited for a limit or rate."""
    SKIPPED = "skipped"
    """It would have found no room, and been skipped."""


class PastRun(msgspec.Struct, frozen=True):
    """A run that has ended, and its attempts that did not succeed, oldest first."""

    run: Run
    attempts: Sequence[Attempt] = ()

    @property
    def judged(self) -> list[Attempt]:
        """The attempts that count: those before a retry by hand do not."""
        found = [one for one in self.attempts if one.outcome in OUTCOMES]
        return found[len(found) - min(len(found), self.run.failures + self.run.losses) :]

    @property
    def began(self) -> datetime | None:
        """When its first attempt started."""
        return next((one.started_at for one in self.judged if one.started_at is not None), self.run.started_at)

    @property
    def due(self) -> datetime | None:
        """When it was due at first. A retry is due anew, so that of a run with several tries only the beginning is known."""
        return self.began if self.judged else max(self.run.due_at, self.run.created_at)


class Affected(msgspec.Struct, kw_only=True):
    """The runs on which the other definition would have had an effect."""

    effect: ReplayEffect
    runs: list[RunId] = []
    seconds: float = 0.0
    """Of waiting in all."""
    longest: float = 0.0


def fates(past: Sequence[PastRun], spec: JobSpec) -> dict[ReplayEffect, Affected]:
    """The runs that the definition would have ended otherwise, by what would have become of them; each run once."""
    found: dict[ReplayEffect, Affected] = {}
    for one in past:
        effect = fate(one, spec)
        if effect is not None:
            found.setdefault(effect, Affected(effect=effect)).runs.append(one.run.id)
    return found


def fate(past: PastRun, spec: JobSpec) -> ReplayEffect | None:
    """What the definition would have made of the run; None: the same."""
    succeeded = past.run.state is RunState.SUCCEEDED
    if not succeeded and past.run.state is not RunState.FAILED:
        return None
    if is_over(past.due, past.began, spec.start_within):
        return ReplayEffect.NOT_STARTED
    if (effect := by_tries(past, spec, succeeded=succeeded)) is not None or not succeeded:
        return effect
    if is_over(past.run.started_at, past.run.finished_at, spec.timeout):
        return ReplayEffect.TIMED_OUT
    return ReplayEffect.TOO_LATE if is_over(past.due, past.run.finished_at, spec.deadline) else None


def by_tries(past: PastRun, spec: JobSpec, *, succeeded: bool) -> ReplayEffect | None:
    """What its retry policy, and the rule for losses, would have made of the run."""
    tries = past.judged
    for number, decision in enumerate(decisions(past, spec), start=1):
        is_last = number == len(tries) and not succeeded
        if decision.state is RunState.FAILED and not is_last:
            return ReplayEffect.FAILED_INSTEAD if succeeded else ReplayEffect.FAILED_SOONER
        if is_last and decision.state is not RunState.FAILED and past.run.reason in BY_ATTEMPTS:
            return ReplayEffect.TRIED_AGAIN
    return None


def decisions(past: PastRun, spec: JobSpec) -> Iterator[Decision]:
    """The decision after each try, by the definition."""
    failures = losses = 0
    for one in past.judged:
        outcome = OUTCOMES[one.outcome]
        held = Held(
            run=past.run.id,
            token=NOBODY,
            job=0,
            attempt=one.number,
            failures=failures,
            losses=losses,
            since=past.began,
        )
        # Base classes of an error are not kept: only its own name and code can be told from a policy's.
        end = Ended(run=past.run.id, token=NOBODY, outcome=outcome, failure=one.failure)
        decision = after_outcome(end, held, spec=spec, now=one.ended_at, jitter=lambda: JITTER)
        failures, losses = failures + decision.failures, losses + decision.losses
        yield decision


def is_over(since: datetime | None, until: datetime | None, seconds: float | None) -> bool:
    return None not in (since, until, seconds) and until - since > timedelta(seconds=seconds)  # type: ignore[operator,arg-type]
