"""What becomes of a run after an attempt: the table, then what holds for every policy."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.attempt import Decision, Held, Outcome
from mainspring.domain.ids import RunId, Token
from mainspring.domain.job import RetryPolicy
from mainspring.domain.retry import LOSSES_MAX, after_attempt
from mainspring.domain.run import RunState

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
    return after_attempt(outcome, before, policy=policy, now=NOW, jitter=lambda: jitter)


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
        assert NOW <= decision.due_at <= later(policy.backoff_max)
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
