"""What becomes of a run that a caller, or its handler, wants set aside."""

from datetime import timedelta

import pytest

from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.retry import after_attempt
from mainspring.domain.runs.run import RunState, Suspension
from mainspring.domain.runs.suspension import check_resume_at, may_suspend
from mainspring.errors import InvalidInputError
from mainspring.testing.clock import START
from tests.factories import job_spec

OWN = Suspension("the bank is closed", START + timedelta(hours=1))


def decided(outcome: Outcome, *, suspend: bool, suspension: Suspension | None = None, attempts: int = 1) -> Decision:
    held = Held(run=RunId(b"r" * 16), token=Token(b"t" * 16), job=1, attempt=1, failures=0, losses=0, suspend=suspend)
    end = Ended(run=held.run, token=held.token, outcome=outcome, suspension=suspension)
    return after_attempt(end, held, spec=job_spec(attempts=attempts), now=START, jitter=lambda: 0.5)


@pytest.mark.parametrize("outcome", [Outcome.SUSPENDED, Outcome.RELEASED, Outcome.LOST, Outcome.SNOOZED])
def test_what_would_go_on_waits_instead(outcome: Outcome) -> None:
    decision = decided(outcome, suspend=True)

    assert (decision.state, decision.reason, decision.suspension) == (RunState.WAITING, "suspended", None)


def test_a_failure_with_attempts_left_waits_and_keeps_its_back_off() -> None:
    decision = decided(Outcome.FAILED, suspend=True, attempts=2)

    assert (decision.state, decision.reason, decision.failures) == (RunState.WAITING, "suspended", 1)
    assert decision.due_at is not None


def test_what_is_final_stands() -> None:
    assert decided(Outcome.FAILED, suspend=True).state is RunState.FAILED
    assert decided(Outcome.SUCCEEDED, suspend=True).state is RunState.SUCCEEDED


def test_a_handler_that_sets_its_run_aside_says_until_when() -> None:
    assert decided(Outcome.SUSPENDED, suspend=False, suspension=OWN).suspension == OWN
    assert decided(Outcome.SUSPENDED, suspend=True, suspension=OWN).suspension is None


def test_a_handler_that_yields_when_nobody_wants_that_any_more_goes_on() -> None:
    assert decided(Outcome.SUSPENDED, suspend=False) == Decision(RunState.QUEUED)


@pytest.mark.parametrize(
    "late", [START, START - timedelta(days=1), START + timedelta(days=4000), START.replace(tzinfo=None)]
)
def test_an_instant_that_cannot_be_is_refused(late: object) -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_resume_at(late, START)  # type: ignore[arg-type]

    assert refused.value.code == "bad_resume_at"


def test_only_what_nobody_else_holds_up_is_suspended() -> None:
    assert may_suspend(RunState.QUEUED, None)
    assert may_suspend(RunState.RUNNING, "suspending")
    assert may_suspend(RunState.WAITING, "suspended")
    assert not may_suspend(RunState.RUNNING, "cancelling")
    assert not may_suspend(RunState.WAITING, "lost")
