"""Each new key costs a lane: a namespace brings so many in a second, and says when to come back."""

import msgspec
import pytest

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.birth import RunRequest
from mainspring.errors import TooManyKeysError
from mainspring.scheduler.facts import RunsRefused
from mainspring.scheduler.intake.new_keys import LIFE, RATE, NewKeys
from mainspring.testing.clock import FakeClock
from tests.scheduler.scene import NAMESPACE, Scene

BY_CUSTOMER = JobSpec(name="report", handler="report", policy=Policy(at_once=1, limit_key=("customer",)))


def of(*customers: int) -> list[RunRequest]:
    return [RunRequest(job="report", input=msgspec.json.encode({"customer": one})) for one in customers]


async def test_requests_are_refused_while_the_namespace_brings_too_many_keys(scene: Scene) -> None:
    executor = scene.executor(room=0)
    executor.jobs = [BY_CUSTOMER]
    await executor.connect()
    refusals: list[RunsRefused] = []
    scene.scheduler.facts.subscribe(RunsRefused, refusals.append)

    await scene.accept(*of(*range(2 * RATE)))
    with pytest.raises(TooManyKeysError) as refused:
        await scene.accept(*of(2 * RATE))
    await scene.accept(*of(0, 1))

    error = refused.value
    assert (error.code, error.kind, error.key, error.limit) == ("too_many_keys", "namespace", NAMESPACE, RATE)
    assert error.retry_after == 2
    assert refusals == [RunsRefused(NAMESPACE, 1, "too_many_keys")]
    scene.clock.advance(error.retry_after)
    await scene.accept(*of(2 * RATE))


def test_keys_that_came_a_moment_ago_cost_nothing_and_old_ones_are_forgotten() -> None:
    clock, keys = FakeClock(), NewKeys()
    keys.admit("shop", range(RATE), clock.now())
    keys.admit("shop", range(RATE), clock.now())
    keys.admit("mill", range(RATE), clock.now())
    with pytest.raises(TooManyKeysError):
        keys.admit("shop", [RATE], clock.now())

    clock.advance(LIFE.total_seconds())
    keys.admit("shop", [0], clock.now())
    clock.advance(LIFE.total_seconds())
    keys.admit("shop", range(RATE + 1), clock.now())

    with pytest.raises(TooManyKeysError):
        keys.admit("shop", [RATE + 1], clock.now())
    keys.admit("shop", [0], clock.now())
