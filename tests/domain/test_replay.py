"""Past runs under another definition: what of each would have become otherwise, by the rules that judge runs."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.jobs.replay import PastRun, ReplayEffect, fate
from mainspring.domain.jobs.replay_limits import Replay, replay
from mainspring.domain.limits.policy import Blocking, Limit, Policy, Rate
from mainspring.domain.runs.run import Attempt, Failure, Run, RunState

NOW = datetime(2030, 6, 1, 12, tzinfo=UTC)
BEFORE = JobSpec(name="charge", handler="charge")


def run(number: int, *, at: float = 0.0, took: float = 10.0, waited: float = 0.0, **fields: Any) -> Run:
    due = NOW + timedelta(seconds=at)
    started = due + timedelta(seconds=waited)
    values: dict[str, Any] = {
        "id": RunId(number.to_bytes(16, "big")),
        "namespace": "default",
        "job": "charge",
        "queue": "default",
        "handler": "charge",
        "priority": 5,
        "state": RunState.SUCCEEDED,
        "reason": None,
        "attempt": 1,
        "failures": 0,
        "losses": 0,
        "due_at": due,
        "created_at": due,
        "started_at": started,
        "finished_at": started + timedelta(seconds=took),
        "executor": "one",
        "input": None,
        "result": None,
        "failure": None,
        **fields,
    }
    return Run(**values)


def failed(number: int, at: float, *, error: str = "TimeoutError", outcome: str = "failed") -> Attempt:
    started = NOW + timedelta(seconds=at)
    failure = Failure(error=error)
    ended = started + timedelta(seconds=10)
    return Attempt(number=number, outcome=outcome, executor="one", started_at=started, ended_at=ended, failure=failure)


def spec(**fields: Any) -> JobSpec:
    return msgspec.structs.replace(BEFORE, **fields)


SUCCEEDED = PastRun(run(1, waited=30))
AFTER_TWO = PastRun(run(2, at=100, failures=2), [failed(1, 0), failed(2, 50)])
SPENT = PastRun(
    run(3, state=RunState.FAILED, reason="attempts_spent", failures=3), [failed(1, 0), failed(2, 50), failed(3, 100)]
)
LOST = PastRun(run(4, at=100, losses=1), [failed(1, 0, outcome="lost")])
AGAIN_BY_HAND = PastRun(run(5, at=900, failures=0), [failed(1, 0), failed(2, 50)])


@pytest.mark.parametrize(
    ("past", "then", "effect"),
    [
        (SUCCEEDED, spec(), None),
        (SUCCEEDED, spec(timeout=9.0), ReplayEffect.TIMED_OUT),
        (SUCCEEDED, spec(timeout=10.0), None),
        (SUCCEEDED, spec(deadline=39.0), ReplayEffect.TOO_LATE),
        (SUCCEEDED, spec(deadline=41.0), None),
        (SUCCEEDED, spec(start_within=29.0), ReplayEffect.NOT_STARTED),
        (AFTER_TWO, spec(retry=RetryPolicy(attempts=2)), ReplayEffect.FAILED_INSTEAD),
        (AFTER_TWO, spec(retry=RetryPolicy(attempts=3)), None),
        (AFTER_TWO, spec(retry=RetryPolicy(attempts=9, give_up_on=("TimeoutError",))), ReplayEffect.FAILED_INSTEAD),
        (AFTER_TWO, spec(retry=RetryPolicy(attempts=9, budget=20.0, backoff=60.0)), ReplayEffect.FAILED_INSTEAD),
        (SPENT, spec(retry=RetryPolicy(attempts=3)), None),
        (SPENT, spec(retry=RetryPolicy(attempts=2)), ReplayEffect.FAILED_SOONER),
        (SPENT, spec(retry=RetryPolicy(attempts=4)), ReplayEffect.TRIED_AGAIN),
        (LOST, spec(), None),
        (LOST, spec(losses_max=1), ReplayEffect.FAILED_INSTEAD),
        (AGAIN_BY_HAND, spec(), None),
        (PastRun(run(6, state=RunState.CANCELLED)), spec(timeout=1.0), None),
    ],
)
def test_a_run_is_judged_by_the_other_definition(past: PastRun, then: JobSpec, effect: ReplayEffect | None) -> None:
    assert fate(past, then) is effect


def replayed(past: Sequence[PastRun], policy: Policy) -> Replay:
    return replay(past, BEFORE, spec(policy=policy))


def affected(found: Replay, effect: ReplayEffect) -> tuple[int, float, float]:
    return next(((len(one.runs), one.seconds, one.longest) for one in found.effects if one.effect is effect), (0, 0, 0))


TOGETHER = [PastRun(run(number)) for number in range(4)]


def test_runs_that_were_together_wait_for_a_limit_one_for_the_other() -> None:
    found = replayed(TOGETHER, Policy(at_once=1))

    assert (found.at_once, found.runs, found.succeeded) == (4, 4, 4)
    assert affected(found, ReplayEffect.WAITED) == (3, 60.0, 30.0)
    assert affected(replayed(TOGETHER, Policy(at_once=2)), ReplayEffect.WAITED) == (2, 20.0, 10.0)
    assert replayed(TOGETHER, Policy(at_once=4)).effects == []


def test_a_run_without_room_is_skipped_where_the_job_says_so() -> None:
    found = replayed(TOGETHER, Policy(at_once=1, blocking=Blocking.DISCARD))

    assert affected(found, ReplayEffect.SKIPPED)[0] == 3
    assert affected(found, ReplayEffect.WAITED) == (0, 0, 0)


def test_a_rate_draws_runs_apart_and_its_burst_lets_some_together() -> None:
    apart = replayed(TOGETHER, Policy(rate=Rate("1/10s", burst=1)))
    burst = replayed(TOGETHER, Policy(rate=Rate("1/10s", burst=3)))

    assert affected(apart, ReplayEffect.WAITED) == pytest.approx((3, 60.0, 30.0))
    assert affected(burst, ReplayEffect.WAITED) == pytest.approx((1, 10.0, 10.0))


@pytest.mark.parametrize(
    ("then", "unjudged"),
    [
        (spec(timeout=1.0, retry=RetryPolicy(attempts=3)), []),
        (spec(queue="other", priority=7), ["queue", "priority"]),
        (spec(policy=Policy(at_once=3, rate=Rate("1/s"))), []),
        (spec(policy=Policy(at_once=3, limit_key=("customer",))), ["policy.at_once", "policy.limit_key"]),
        (spec(policy=Policy(at_once=3, blocking=Blocking.LATEST)), ["policy.at_once", "policy.blocking"]),
        (spec(policy=Policy(at_once=3, rate=Rate("1/s", key="customer"))), ["policy.rate"]),
        (spec(policy=Policy(limits=(Limit(name="shared"),))), ["policy.limits"]),
    ],
)
def test_changes_that_past_runs_tell_nothing_of_are_named(then: JobSpec, unjudged: list[str]) -> None:
    assert replay(TOGETHER, BEFORE, then).unjudged == unjudged


def test_no_runs_are_no_ground() -> None:
    found = replay([], BEFORE, spec(timeout=1.0))

    assert (found.runs, found.since, found.at_once, found.effects) == (0, None, 0, [])
