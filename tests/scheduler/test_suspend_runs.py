"""Suspensions reach the executor concerned, wherever it is attached, and runs go on when their time has come."""

import asyncio
from datetime import timedelta

import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import NOT_COMMITTED, Ended, Outcome
from mainspring.domain.runs.checkpoints import Memory, MemoryKind
from mainspring.domain.runs.run import Failure, RunState, Suspension
from mainspring.errors import ConflictError
from mainspring.scheduler.facts import RunsSettled
from mainspring.wire.messages import (
    FRAME_MAX,
    CheckpointsLoaded,
    CheckpointsSaved,
    Holding,
    LoadCheckpoints,
    SaveCheckpoints,
    Start,
    Suspend,
)
from tests.factories import token
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle
from tests.words import ANNA, HOUR

STEP = MemoryKind.STEP


async def suspend(scene: Scene, run: RunId, **options: object) -> bool:
    return await scene.scheduler.suspending.suspend(NAMESPACE, run, actor=ANNA, **options)  # type: ignore[arg-type]


async def running(scene: Scene, name: str = "e1") -> tuple[ScriptedExecutor, RunId, Start]:
    executor = await scene.attach(name)
    [run] = await scene.enqueue()
    await scene.dispatch()
    return executor, run, await executor.link.expect(Start)


async def shown(scene: Scene, run: RunId) -> tuple[RunState, str | None]:
    found = await scene.run(run)
    return found.state, found.reason


async def test_a_running_run_yields_waits_and_goes_on_elsewhere(scene: Scene) -> None:
    executor, run, start = await running(scene)

    assert await suspend(scene, run, reason="maintenance") is False
    assert (await executor.link.expect(Suspend)).holding == [Holding(start.token, [run])]
    await executor.settled(executor.report_failure(start, Outcome.SUSPENDED))
    assert await shown(scene, run) == (RunState.WAITING, "suspended")
    assert (await scene.run(run)).suspension == Suspension("maintenance")
    await executor.disconnect()
    other = await scene.attach("e2")
    await scene.dispatch()
    assert other.link.count(Start) == 0

    await scene.scheduler.suspending.resume(NAMESPACE, run, actor=ANNA)
    await scene.scheduler.dispatch.tick()
    again = await other.link.expect(Start)
    assert (again.runs, again.attempts) == ([run], [2])


async def test_an_executor_is_told_once_on_every_connection(scene: Scene) -> None:
    executor, run, start = await running(scene)
    for _ in range(2):
        await suspend(scene, run)
        await scene.scheduler.sessions.relaying.tick()
    await until_idle()
    assert executor.link.count(Suspend) == 1

    await executor.disconnect()
    await executor.connect([Holding(start.token, [run])])
    await scene.scheduler.sessions.relaying.tick()
    await until_idle()
    assert executor.link.count(Suspend) == 1


async def test_a_wish_written_elsewhere_is_found_by_polling(scene: Scene) -> None:
    executor, run, start = await running(scene)
    other = Scene(scene.store, scene.clock)
    await other.start()
    await suspend(other, run)
    await until_idle()
    assert executor.link.count(Suspend) == 0

    await scene.scheduler.sessions.relaying.tick()
    assert (await executor.link.expect(Suspend)).holding == [Holding(start.token, [run])]


async def test_an_executor_that_never_had_it_makes_the_run_wait(scene: Scene) -> None:
    executor, run, _ = await running(scene)
    await suspend(scene, run)
    await executor.disconnect()
    await executor.connect([])
    await executor.answer_welcome()

    assert await shown(scene, run) == (RunState.WAITING, "suspended")


async def test_a_run_goes_on_at_its_instant_also_if_another_server_has_suspended_it(scene: Scene) -> None:
    resuming = scene.scheduler.resuming
    await scene.attach(room=0)
    [run] = await scene.enqueue()
    await resuming.tick()
    resuming.wake.clear()
    assert await suspend(scene, run, resume_at=scene.clock.now() + timedelta(seconds=0.5)) is True
    assert resuming.wake.is_set()
    other = Scene(scene.store, scene.clock)
    await other.start()
    assert await other.scheduler.resuming.tick() is False
    assert other.scheduler.resuming.period == pytest.approx(0.45)
    assert await shown(scene, run) == (RunState.WAITING, "suspended")

    scene.clock.advance(0.5)
    assert await other.scheduler.resuming.tick() is True
    assert await other.scheduler.resuming.tick() is False
    assert await shown(scene, run) == (RunState.QUEUED, None)


async def test_a_run_that_was_suspended_for_long_starts_at_its_instant(scene: Scene) -> None:
    executor, run, start = await running(scene)
    until = Suspension("later", scene.clock.now() + HOUR)
    ended = Ended(run=run, token=start.token, outcome=Outcome.SUSPENDED, suspension=until)
    await executor.settled(executor.say_outcomes([], [], [], [ended]))
    scene.clock.advance(3599.9)
    await scene.dispatch()
    scene.clock.advance(0.1)
    assert await scene.scheduler.resuming.tick() is True
    await scene.scheduler.dispatch.tick()
    await until_idle()

    assert executor.link.count(Start) == 1


async def test_a_run_that_is_to_go_on_is_claimed_before_its_instant_and_starts_then(scene: Scene) -> None:
    executor, run, start = await running(scene)
    until = Suspension("later", scene.clock.now() + HOUR)
    ended = Ended(run=run, token=start.token, outcome=Outcome.SUSPENDED, suspension=until)
    await executor.settled(executor.say_outcomes([], [], [], [ended]))
    scene.clock.advance(3599.9)
    await scene.dispatch()
    await scene.scheduler.resuming.tick()
    scene.clock.advance(0.06)
    assert await scene.scheduler.resuming.tick() is True
    await scene.scheduler.dispatch.tick()
    await scene.scheduler.dispatch.holding.tick()
    await until_idle()
    assert (await scene.run(run)).due_at == until.resume_at
    assert executor.link.count(Start) == 0

    scene.clock.advance(0.04)
    await scene.scheduler.dispatch.holding.tick()
    await until_idle()
    assert executor.link.count(Start) == 1


async def test_a_handler_that_suspends_its_own_run_wakes_the_duty(scene: Scene) -> None:
    executor, run, start = await running(scene)
    resuming = scene.scheduler.resuming
    await resuming.tick()
    resuming.wake.clear()
    until = Suspension("later", scene.clock.now() + HOUR)
    ended = Ended(run=run, token=start.token, outcome=Outcome.SUSPENDED, suspension=until)
    await executor.settled(executor.say_outcomes([], [], [], [ended]))

    assert resuming.wake.is_set()
    assert (await scene.run(run)).suspension == until


async def test_a_run_that_goes_on_is_told_to_whoever_follows_it(scene: Scene) -> None:
    await scene.attach(room=0)
    [run] = await scene.enqueue()
    seen = await scene.run(run)
    following = asyncio.create_task(scene.scheduler.follow(NAMESPACE, run, seen, seconds=60))
    await scene.waited_for(run)
    await suspend(scene, run)

    found = await following
    assert found is not None
    assert found.reason == "suspended"


async def test_refusals_change_nothing(scene: Scene) -> None:
    executor, run, start = await running(scene)
    with pytest.raises(ConflictError, match="running and not suspended"):
        await scene.scheduler.suspending.resume(NAMESPACE, run, actor=ANNA)
    await executor.settled(executor.report(start))
    with pytest.raises(ConflictError, match="it has succeeded"):
        await suspend(scene, run)

    assert await shown(scene, run) == (RunState.SUCCEEDED, None)


async def test_what_is_remembered_is_answered_once_durable_and_told_to_the_next(scene: Scene) -> None:
    executor, run, start = await running(scene)
    other = token()
    executor.link.say(
        SaveCheckpoints(1, [Memory(run, start.token, STEP, "charge", b"1"), Memory(run, other, STEP, "late", b"2")])
    )
    executor.link.say(LoadCheckpoints([Holding(start.token, [run]), Holding(other, [run])]))
    memories = scene.scheduler.sessions.checkpoints
    await memories.wake.wait()
    assert executor.link.count(CheckpointsSaved) == 0
    while executor.link.count(CheckpointsLoaded) < 2:
        await until_idle()
        await memories.tick()

    assert await executor.link.expect(CheckpointsSaved) == CheckpointsSaved(1, [Holding(other, [run])])
    answers = [await executor.link.expect(CheckpointsLoaded), await executor.link.expect(CheckpointsLoaded)]
    assert CheckpointsLoaded(run, start.token, [STEP], ["charge"], [b"1"]) in answers
    assert CheckpointsLoaded(run, other, [], [], [], stale=True) in answers


async def test_what_does_not_fit_into_one_frame_comes_in_parts(scene: Scene) -> None:
    executor, run, start = await running(scene)
    big = b'"' + b"x" * 60_000 + b'"'
    memories = [Memory(run, start.token, STEP, f"step {number}", big) for number in range(300)]
    await scene.store.runs.save_checkpoints(memories, now=scene.clock.now())
    executor.link.say(LoadCheckpoints([Holding(start.token, [run])]))
    await until_idle()
    await scene.scheduler.sessions.checkpoints.tick()
    parts: list[CheckpointsLoaded] = []
    while not parts or parts[-1].more:
        parts.append(await executor.link.expect(CheckpointsLoaded))

    assert sum(len(part.names) for part in parts) == 300
    assert all(sum(len(value or b"") for value in part.values) < FRAME_MAX / 2 for part in parts)
    assert len(parts) > 1


async def test_a_run_that_its_handler_has_settled_is_no_stale_news(scene: Scene) -> None:
    executor, run, start = await running(scene)
    failure = Failure(error=NOT_COMMITTED, message="", code=NOT_COMMITTED)
    ended = Ended(run=run, token=start.token, outcome=Outcome.FAILED, failure=failure)
    await executor.settled(executor.report(start))
    settled: list[RunId] = []
    scene.scheduler.facts.subscribe(RunsSettled, lambda fact: settled.extend(fact.runs))

    assert await scene.scheduler.settling.settle([ended]) == set()
    assert settled == [run]
    assert await shown(scene, run) == (RunState.SUCCEEDED, None)


async def test_a_run_whose_transaction_was_not_committed_is_tried_again(scene: Scene) -> None:
    executor, run, start = await running(scene)
    failure = Failure(error=NOT_COMMITTED, message="", code=NOT_COMMITTED)
    ended = Ended(run=run, token=start.token, outcome=Outcome.FAILED, failure=failure)
    await executor.settled(executor.say_outcomes([], [], [], [ended]))

    found = await scene.run(run)
    assert (found.state, found.failures) == (RunState.QUEUED, 1)
