"""What becomes of a run after an attempt: the table, then what holds for every policy."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.ids import RunId, Token
from mainspring.domain.jobs.job import LOSSES_MAX, JobSpec, OnLost, RetryPolicy
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.retry import after_attempt
from mainspring.domain.runs.run import DUE_MAX, Failure, RunState

NOW = datetime(2030, 6, 1, 12, tzinfo=UTC)
ONCE = RetryPolicy()
THRICE = RetryPolicy(attempts=3, backoff=2.0, backoff_max=600.0)

COUNTS = st.integers(min_value=0, max_value=200)
POLICIES = st.builds(
    RetryPolicy,
    attempts=st.integers(min_value=0, max_value=100),
    backoff=st.floats(min_value=0, max_value=3600),
    backoff_max=st.floats(min_value=0, max_value=86400),
)
JITTERS = st.floats(min_value=0, max_value=1, exclude_max=True)


def held(*, failures: int = 0, losses: int = 0, cancel: str | None = None, deadline: datetime | None = None) -> Held:
    return Held(
        run=RunId(bytes(16)),
        token=Token(bytes(16)),
        job=1,
        attempt=1,
        failures=failures,
        losses=losses,
        cancel=cancel,
        deadline_at=deadline,
    )


def decide(outcome: Outcome, before: Held, *, policy: RetryPolicy = ONCE, jitter: float = 0.5) -> Decision:
    return decide_end(end(outcome), before, policy=policy, jitter=jitter)


def end(outcome: Outcome, **told: Any) -> Ended:
    return Ended(run=RunId(bytes(16)), token=Token(bytes(16)), outcome=outcome, **told)


def decide_end(ended: Ended, before: Held, *, policy: RetryPolicy = ONCE, jitter: float = 0.5, **said: Any) -> Decision:
    spec = JobSpec(name="report", handler="report", retry=policy, **said)
    return after_attempt(ended, before, spec=spec, now=NOW, jitter=lambda: jitter)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


RETRIED = RunState.QUEUED
SPENT = Decision(RunState.FAILED, reason="attempts_spent", failures=1)


@pytest.mark.parametrize(
    ("outcome", "before", "policy", "decision"),
    [
        (Outcome.SUCCEEDED, held(), ONCE, Decision(RunState.SUCCEEDED)),
        (Outcome.SUCCEEDED, held(failures=2, losses=2), THRICE, Decision(RunState.SUCCEEDED)),
        (Outcome.CANCELLED, held(), THRICE, Decision(RunState.CANCELLED)),
        (Outcome.RELEASED, held(), ONCE, Decision(RunState.QUEUED)),
        (Outcome.RELEASED, held(failures=2, losses=2), THRICE, Decision(RunState.QUEUED)),
        (Outcome.FAILED, held(), ONCE, SPENT),
        (Outcome.TIMED_OUT, held(), ONCE, SPENT),
        (Outcome.FAILED, held(), THRICE, Decision(RETRIED, due_at=later(1), reason="retry", failures=1)),
        (Outcome.TIMED_OUT, held(failures=1), THRICE, Decision(RETRIED, due_at=later(2), reason="retry", failures=1)),
        (Outcome.FAILED, held(failures=2), THRICE, SPENT),
        (Outcome.FAILED, held(losses=2), THRICE, Decision(RETRIED, due_at=later(1), reason="retry", failures=1)),
        (Outcome.LOST, held(), ONCE, Decision(RunState.QUEUED, losses=1)),
        (Outcome.LOST, held(failures=2, losses=1), THRICE, Decision(RunState.QUEUED, losses=1)),
        (Outcome.LOST, held(losses=2), THRICE, Decision(RunState.FAILED, reason="quarantined", losses=1)),
    ],
)
def test_each_outcome_has_its_consequence(
    outcome: Outcome, before: Held, policy: RetryPolicy, decision: Decision
) -> None:
    assert decide(outcome, before, policy=policy) == decision


@given(outcome=st.sampled_from(Outcome), failures=COUNTS, losses=COUNTS, policy=POLICIES, jitter=JITTERS)
def test_an_attempt_adds_at_most_one_failure_or_one_loss(
    outcome: Outcome, failures: int, losses: int, policy: RetryPolicy, jitter: float
) -> None:
    decision = decide(outcome, held(failures=failures, losses=losses), policy=policy, jitter=jitter)

    assert decision.failures == (outcome in {Outcome.FAILED, Outcome.TIMED_OUT})
    assert decision.losses == (outcome is Outcome.LOST)


@given(outcome=st.sampled_from(Outcome), failures=COUNTS, losses=COUNTS, policy=POLICIES, jitter=JITTERS)
def test_a_retry_is_never_due_in_the_past_nor_later_than_the_longest_wait(
    outcome: Outcome, failures: int, losses: int, policy: RetryPolicy, jitter: float
) -> None:
    decision = decide(outcome, held(failures=failures, losses=losses), policy=policy, jitter=jitter)

    if decision.due_at is not None:
        assert NOW <= decision.due_at <= later(0 if outcome is Outcome.SNOOZED else policy.backoff_max)
        assert decision.state is RunState.QUEUED


@given(policy=POLICIES, jitter=JITTERS)
def test_a_run_that_always_fails_is_tried_as_often_as_its_policy_says(policy: RetryPolicy, jitter: float) -> None:
    failures = 0
    state = RunState.QUEUED
    while state is RunState.QUEUED:
        decision = decide(Outcome.FAILED, held(failures=failures), policy=policy, jitter=jitter)
        failures += decision.failures
        state = decision.state

    assert state is RunState.FAILED
    assert failures == max(1, policy.attempts)


@given(policy=POLICIES, failures=COUNTS)
def test_a_run_that_is_always_lost_is_quarantined_whatever_its_policy(policy: RetryPolicy, failures: int) -> None:
    losses = 0
    state = RunState.QUEUED
    while state is RunState.QUEUED:
        decision = decide(Outcome.LOST, held(failures=failures, losses=losses), policy=policy)
        losses += decision.losses
        state = decision.state

    assert state is RunState.FAILED
    assert losses == LOSSES_MAX


def test_waits_double_until_the_longest() -> None:
    policy = RetryPolicy(attempts=100, backoff=1.0, backoff_max=10.0)

    waits = [decide(Outcome.FAILED, held(failures=n), policy=policy, jitter=1.0).due_at for n in range(6)]

    assert waits == [later(seconds) for seconds in (1, 2, 4, 8, 10, 10)]


def test_a_run_handed_back_keeps_its_place_in_the_line() -> None:
    assert decide(Outcome.RELEASED, held()).due_at is None


LATE = Decision(RunState.FAILED, reason="deadline_passed", failures=1)


@pytest.mark.parametrize(
    ("outcome", "decision"),
    [
        (Outcome.SUCCEEDED, Decision(RunState.SUCCEEDED)),
        (Outcome.CANCELLED, Decision(RunState.CANCELLED, reason="enough")),
        (Outcome.RELEASED, Decision(RunState.CANCELLED, reason="enough")),
        (Outcome.SUSPENDED, Decision(RunState.CANCELLED, reason="enough")),
        (Outcome.FAILED, Decision(RunState.CANCELLED, reason="enough", failures=1)),
        (Outcome.TIMED_OUT, Decision(RunState.CANCELLED, reason="enough", failures=1)),
        (Outcome.LOST, Decision(RunState.CANCELLED, reason="enough", losses=1)),
    ],
)
@pytest.mark.parametrize("policy", [ONCE, THRICE])
def test_a_run_that_is_to_be_cancelled_is_not_tried_again(
    outcome: Outcome, decision: Decision, policy: RetryPolicy
) -> None:
    assert decide(outcome, held(cancel="enough"), policy=policy) == decision
    assert decide(outcome, held(cancel="enough", deadline=NOW), policy=policy) == decision


def test_a_cancel_without_a_reason_leaves_none() -> None:
    assert decide(Outcome.RELEASED, held(cancel="")) == Decision(RunState.CANCELLED)


@pytest.mark.parametrize(
    ("outcome", "before", "policy", "decision"),
    [
        (Outcome.SUCCEEDED, held(deadline=NOW), ONCE, Decision(RunState.SUCCEEDED)),
        (Outcome.FAILED, held(deadline=later(1)), THRICE, LATE),
        (
            Outcome.FAILED,
            held(deadline=later(1.001)),
            THRICE,
            Decision(RETRIED, due_at=later(1), reason="retry", failures=1),
        ),
        (Outcome.FAILED, held(deadline=NOW), ONCE, SPENT),
        (Outcome.TIMED_OUT, held(deadline=NOW), ONCE, LATE),
        (Outcome.TIMED_OUT, held(deadline=later(5)), ONCE, SPENT),
        (Outcome.RELEASED, held(deadline=later(1)), ONCE, Decision(RunState.QUEUED)),
        (Outcome.RELEASED, held(deadline=NOW), ONCE, Decision(RunState.FAILED, reason="deadline_passed")),
        (Outcome.LOST, held(deadline=NOW), ONCE, Decision(RunState.FAILED, reason="deadline_passed", losses=1)),
        (
            Outcome.LOST,
            held(losses=2, deadline=NOW),
            ONCE,
            Decision(RunState.FAILED, reason="quarantined", losses=1),
        ),
    ],
)
def test_no_attempt_is_made_behind_the_deadline(
    outcome: Outcome, before: Held, policy: RetryPolicy, decision: Decision
) -> None:
    assert decide(outcome, before, policy=policy) == decision


@given(outcome=st.sampled_from(Outcome), failures=COUNTS, policy=POLICIES, jitter=JITTERS, left=st.floats(0, 1000))
def test_whatever_is_tried_again_is_due_before_its_deadline(
    outcome: Outcome, failures: int, policy: RetryPolicy, jitter: float, left: float
) -> None:
    deadline = later(left)
    decision = decide(outcome, held(failures=failures, deadline=deadline), policy=policy, jitter=jitter)

    if not decision.state.final:
        assert (decision.due_at or NOW) < deadline


BROKEN = Failure(error="BrokenPipeError", message="gone")
KINDS = ("BrokenPipeError", "builtins.BrokenPipeError", "ConnectionError", "builtins.ConnectionError", "OSError")
RETRY = Decision(RETRIED, due_at=later(1), reason="retry", failures=1)
GIVEN_UP = Decision(RunState.FAILED, reason="gave_up", failures=1)


def tries(**said: Any) -> RetryPolicy:
    return RetryPolicy(attempts=5, backoff=2.0, **said)


@pytest.mark.parametrize(
    ("policy", "decision"),
    [
        (tries(retry_on=("ConnectionError",)), RETRY),
        (tries(retry_on=("builtins.ConnectionError",)), RETRY),
        (tries(retry_on=("ValueError", "OSError")), RETRY),
        (tries(retry_on=("ValueError",)), GIVEN_UP),
        (tries(retry_on=("error",)), RETRY),
        (tries(retry_on=("timeout",)), GIVEN_UP),
        (tries(give_up_on=("ValueError",)), RETRY),
        (tries(give_up_on=("OSError",)), GIVEN_UP),
        (tries(give_up_on=("BrokenPipeError",), retry_on=("OSError",)), GIVEN_UP),
    ],
)
def test_a_policy_goes_by_the_names_of_an_error_and_of_what_it_derives_from(
    policy: RetryPolicy, decision: Decision
) -> None:
    assert decide_end(end(Outcome.FAILED, failure=BROKEN, kinds=KINDS), held(), policy=policy) == decision


def test_a_time_out_is_known_by_its_code() -> None:
    late = end(Outcome.TIMED_OUT, failure=Failure(error="timeout", code="timeout"))

    assert decide_end(late, held(), policy=tries(retry_on=("timeout",))) == RETRY
    assert decide_end(late, held(), policy=tries(give_up_on=("timeout",))) == GIVEN_UP


def test_a_handler_that_gives_up_is_not_tried_again() -> None:
    gave_up = end(Outcome.FAILED, failure=Failure(error="GiveUp", message="no such order", code="gave_up"))

    assert decide_end(gave_up, held(), policy=tries()) == GIVEN_UP


def test_a_handler_may_say_when_to_try_again_and_the_attempts_still_count() -> None:
    wish = end(Outcome.FAILED, failure=Failure(error="Retry", code="retry"), after=30.0)

    assert decide_end(wish, held(), policy=tries()) == Decision(RETRIED, due_at=later(30), reason="retry", failures=1)
    assert decide_end(wish, held(failures=4), policy=tries()) == SPENT


@pytest.mark.parametrize(
    "policy",
    [tries(retry_on=("ValueError",)), tries(give_up_on=("Exception",)), tries(give_up_on=("OSError", "Retry"))],
)
@pytest.mark.parametrize(
    "said",
    [
        {"failure": Failure(error="Retry", code="retry"), "kinds": ("retry", "Retry", "Exception")},
        {"failure": Failure(error="Busy", code="busy"), "kinds": ("retry", "Busy", "Retry", "Exception")},
        {"failure": Failure(error="Retry", code="retry"), "kinds": ("retry", "ExceptionGroup", "OSError", "Exception")},
    ],
)
def test_a_handler_that_asks_for_another_try_gets_it_whichever_errors_the_policy_names(
    said: dict[str, Any], policy: RetryPolicy
) -> None:
    wish = end(Outcome.FAILED, after=30.0, **said)

    assert decide_end(wish, held(), policy=policy) == Decision(RETRIED, due_at=later(30), reason="retry", failures=1)
    assert decide_end(wish, held(failures=4), policy=policy) == SPENT


@pytest.mark.parametrize(
    ("told", "due_at"),
    [
        ({"after": 90.0}, later(90)),
        ({"until": later(3600)}, later(3600)),
        ({"until": later(-5)}, NOW),
        ({"until": datetime.max.replace(tzinfo=UTC)}, NOW + DUE_MAX),
        ({}, NOW),
    ],
)
def test_a_snooze_waits_and_counts_for_nothing(told: dict[str, Any], due_at: datetime) -> None:
    snoozed = end(Outcome.SNOOZED, **told)

    assert decide_end(snoozed, held(failures=3)) == Decision(RunState.QUEUED, due_at=due_at, reason="snoozed")


def test_a_snooze_beyond_the_deadline_fails_now() -> None:
    snoozed = end(Outcome.SNOOZED, after=60.0)

    decision = decide_end(snoozed, held(deadline=later(60)))
    assert decision == Decision(RunState.FAILED, reason="deadline_passed")


@pytest.mark.parametrize(
    ("since", "duration", "state"),
    [
        (None, 0, RunState.QUEUED),
        (None, 9_000_000, RunState.QUEUED),
        (None, 9_000_001, RunState.FAILED),
        (later(-9), 0, RunState.QUEUED),
        (later(-9.5), 0, RunState.FAILED),
    ],
)
def test_no_try_begins_behind_the_budget(since: datetime | None, duration: int, state: RunState) -> None:
    before = msgspec.structs.replace(held(), since=since)
    decision = decide_end(end(Outcome.FAILED, duration=duration), before, policy=tries(budget=10.0))

    assert (decision.state, decision.reason) == (state, "retry" if state is RETRIED else "budget_spent")


def test_waits_grow_as_the_policy_says() -> None:
    policy = RetryPolicy(attempts=100, backoff=1.0, backoff_max=100.0, multiplier=3.0)

    waits = [decide(Outcome.FAILED, held(failures=n), policy=policy, jitter=1.0).due_at for n in range(6)]

    assert waits == [later(seconds) for seconds in (1, 3, 9, 27, 81, 100)]


@pytest.mark.parametrize(
    ("on_lost", "decision"),
    [
        (OnLost.RETRY, Decision(RunState.QUEUED, losses=1)),
        (OnLost.FAIL, Decision(RunState.FAILED, reason="lost", losses=1)),
        (OnLost.ASK, Decision(RunState.WAITING, reason="lost", losses=1)),
    ],
)
def test_a_job_says_what_a_loss_means(on_lost: OnLost, decision: Decision) -> None:
    assert decide_end(end(Outcome.LOST), held(), on_lost=on_lost) == decision


@pytest.mark.parametrize("on_lost", OnLost)
def test_a_poison_pill_is_quarantined_whatever_its_job_says_of_one_loss(on_lost: OnLost) -> None:
    quarantined = Decision(RunState.FAILED, reason="quarantined", losses=1)

    assert decide_end(end(Outcome.LOST), held(losses=4), on_lost=on_lost, losses_max=5) == quarantined
    assert decide_end(end(Outcome.LOST), held(losses=3), on_lost=on_lost, losses_max=5) != quarantined


@pytest.mark.parametrize(
    ("claimed", "wait", "state"), [(-9.0, 0, RETRIED), (-9.5, 0, RunState.FAILED), (-9.5, 600, RETRIED)]
)
def test_the_budget_counts_from_the_first_start_however_late_its_end_is_heard(
    claimed: float, wait: int, state: RunState
) -> None:
    before = msgspec.structs.replace(held(), claimed_at=later(claimed))
    ended = end(Outcome.FAILED, duration=1, wait=wait)

    assert decide_end(ended, before, policy=tries(budget=10.0)).state is state


def test_a_deadline_that_has_come_for_the_executor_ends_the_run_whatever_our_clock_says() -> None:
    passed = Failure(error="deadline_passed", message="", code="deadline_passed")
    ended = end(Outcome.TIMED_OUT, failure=passed)

    assert decide_end(ended, held(deadline=later(60)), policy=THRICE) == LATE
