"""Deadlines: a run is not started behind its own, and fails when it comes."""

import asyncio
from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene

LIMIT = 3.0
"""Seconds from the request to the deadline."""


async def limited(scene: Scene, seconds: float = LIMIT) -> RunId:
    deadline = scene.clock.now() + timedelta(seconds=seconds)
    [accepted] = await scene.accept(RunRequest(job="report", deadline_at=deadline))
    return accepted.id


async def test_a_run_that_nobody_started_fails_at_its_deadline_and_not_before(scene: Scene) -> None:
    await scene.attach(room=0)
    run = await limited(scene)
    scene.clock.advance(LIMIT - 0.001)
    assert await scene.scheduler.expiring.tick() is False
    assert (await scene.run(run)).state is RunState.QUEUED
    scene.clock.advance(0.001)
    while await scene.scheduler.expiring.tick():
        pass

    failed = await scene.run(run)
    assert (failed.state, failed.reason, failed.attempt) == (RunState.FAILED, "deadline_passed", 0)
    assert failed.finished_at == failed.deadline_at


async def test_the_duty_wakes_when_the_next_deadline_comes(scene: Scene) -> None:
    expiring = scene.scheduler.expiring
    await scene.attach(room=0)
    await expiring.tick()
    assert expiring.period == 1.0
    expiring.wake.clear()
    await limited(scene, 0.25)
    assert expiring.wake.is_set()
    await expiring.tick()
    assert expiring.period == pytest.approx(0.25)

    expiring.wake.clear()
    await limited(scene, 0.5)
    assert not expiring.wake.is_set(), "there is an earlier one to wake for"


async def test_a_deadline_set_on_another_server_is_found_by_polling(scene: Scene) -> None:
    other = Scene(scene.store, scene.clock)
    await other.start()
    await scene.attach(room=0)
    run = await limited(scene, 0.5)
    await other.scheduler.expiring.tick()
    assert other.scheduler.expiring.period == pytest.approx(0.5)
    scene.clock.advance(0.5)
    await other.scheduler.expiring.tick()

    assert (await scene.run(run)).reason == "deadline_passed"
    await other.stop()


async def test_whoever_waits_for_the_run_hears_of_it_at_once(scene: Scene) -> None:
    await scene.attach(room=0)
    run = await limited(scene, 0.5)
    waiting = asyncio.create_task(scene.scheduler.wait(NAMESPACE, run, seconds=60))
    await scene.waited_for(run)
    scene.clock.advance(0.5)
    await scene.scheduler.expiring.tick()

    assert (await waiting).reason == "deadline_passed"


async def test_a_run_is_not_started_behind_its_deadline_though_nobody_has_failed_it_yet(scene: Scene) -> None:
    await scene.attach(room=0)
    run = await limited(scene)
    able = await scene.attach("e2")
    scene.clock.advance(LIMIT)
    await scene.dispatch()

    assert able.link.count(Start) == 0
    assert (await scene.run(run)).state is RunState.QUEUED


async def test_an_executor_is_told_how_much_time_is_left(scene: Scene) -> None:
    await scene.attach(room=0)
    await limited(scene)
    able = await scene.attach("e2")
    scene.clock.advance(1)
    await scene.dispatch()
    start = await able.link.expect(Start)

    assert start.extras[0] is not None
    assert msgspec.json.decode(start.extras[0])["left"] == pytest.approx(LIMIT - 1)


@pytest.mark.parametrize("outcome", [Outcome.TIMED_OUT, Outcome.FAILED, Outcome.RELEASED, Outcome.LOST])
async def test_an_attempt_that_ends_behind_the_deadline_is_not_tried_again(scene: Scene, outcome: Outcome) -> None:
    executor = await scene.attach()
    run = await limited(scene)
    await scene.dispatch()
    start = await executor.link.expect(Start)
    scene.clock.advance(LIMIT)
    await executor.settled(executor.report_failure(start, outcome))

    failed = await scene.run(run)
    assert (failed.state, failed.reason) == (RunState.FAILED, "deadline_passed")


async def test_a_success_behind_the_deadline_stands(scene: Scene) -> None:
    executor = await scene.attach()
    run = await limited(scene)
    await scene.dispatch()
    start = await executor.link.expect(Start)
    scene.clock.advance(LIMIT)
    await scene.scheduler.expiring.tick()
    await executor.settled(executor.report(start))

    assert (await scene.run(run)).state is RunState.SUCCEEDED


async def test_a_run_that_was_handed_back_is_failed_at_its_deadline(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    run = await limited(scene)
    await scene.dispatch()
    start = await executor.link.expect(Start)
    scene.scheduler.expiring.wake.clear()
    await scene.scheduler.expiring.tick()
    await executor.settled(executor.report_failure(start, Outcome.RELEASED))
    assert scene.scheduler.expiring.wake.is_set()
    scene.clock.advance(LIMIT)
    await scene.scheduler.expiring.tick()

    assert (await scene.run(run)).reason == "deadline_passed"


async def test_a_retried_run_is_not_bound_by_a_deadline_that_has_passed(scene: Scene) -> None:
    await scene.attach(room=0)
    run = await limited(scene)
    scene.clock.advance(LIMIT)
    await scene.scheduler.expiring.tick()
    await scene.scheduler.steering.retry(NAMESPACE, run, actor=SYSTEM)
    await scene.scheduler.expiring.tick()

    assert (await scene.run(run)).state is RunState.QUEUED


async def test_deadlines_that_pass_together_are_failed_in_batches(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mainspring.scheduler.settlement.due_runs.BATCH", 2)
    await scene.attach(room=0)
    runs = [await limited(scene) for _ in range(5)]
    scene.clock.advance(LIMIT)
    ticks = 0
    while await scene.scheduler.expiring.tick():
        ticks += 1

    assert ticks == 3
    assert {(await scene.run(run)).reason for run in runs} == {"deadline_passed"}
