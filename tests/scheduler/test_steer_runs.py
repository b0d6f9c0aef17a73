"""Cancels reach the executor concerned, wherever it is attached, and retries start at once."""

import asyncio
from datetime import timedelta

import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.facts import HintReceived
from mainspring.testing.clock import START
from mainspring.wire.messages import Cancel, Holding, Inventory, Leave, Stale, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle
from tests.words import ANNA

LATER = START + timedelta(hours=1)


async def cancel(scene: Scene, run: RunId, reason: str = "") -> RunState:
    return await scene.scheduler.steering.cancel(NAMESPACE, run, actor=ANNA, reason=reason)


async def retry(scene: Scene, run: RunId, *, force: bool = False) -> None:
    await scene.scheduler.steering.retry(NAMESPACE, run, actor=ANNA, force=force)


async def running(scene: Scene) -> tuple[ScriptedExecutor, RunId, Start]:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    return executor, run, await executor.link.expect(Start)


async def test_a_queued_run_is_cancelled_and_whoever_waits_for_it_hears_it_at_once(scene: Scene) -> None:
    await scene.attach(room=0)
    [run] = await scene.enqueue()
    waiting = asyncio.create_task(scene.scheduler.wait(NAMESPACE, run, seconds=60))
    await scene.waited_for(run)

    assert await cancel(scene, run, "a typo") is RunState.CANCELLED
    over = await waiting
    assert (over.state, over.reason) == (RunState.CANCELLED, "a typo")


async def test_a_running_run_is_cancelled_by_its_executor(scene: Scene) -> None:
    executor, run, start = await running(scene)

    assert await cancel(scene, run, "stop it") is RunState.RUNNING
    assert (await executor.link.expect(Cancel)).holding == [Holding(start.token, [run])]
    assert (await scene.run(run)).reason == "cancelling"
    await executor.settled(executor.report_failure(start, Outcome.CANCELLED))
    over = await scene.run(run)
    assert (over.state, over.reason, over.failures) == (RunState.CANCELLED, "stop it", 0)


async def test_an_executor_is_told_once_on_every_connection(scene: Scene) -> None:
    executor, run, start = await running(scene)
    await cancel(scene, run)
    await cancel(scene, run)
    for _ in range(3):
        await scene.scheduler.sessions.relaying.tick()
    await until_idle()
    assert executor.link.count(Cancel) == 1

    await executor.disconnect()
    await executor.connect([Holding(start.token, [run])])
    await scene.scheduler.sessions.relaying.tick()
    assert (await executor.link.expect(Cancel)).holding == [Holding(start.token, [run])]


async def test_an_executor_attached_elsewhere_is_told_by_the_server_that_has_it(scene: Scene) -> None:
    other = Scene(scene.store, scene.clock)
    await other.start()
    executor, run, start = await running(other)
    assert await cancel(scene, run) is RunState.RUNNING
    await until_idle()
    assert executor.link.count(Cancel) == 0, "a hint that was lost"

    await other.scheduler.sessions.relaying.tick()
    assert (await executor.link.expect(Cancel)).holding == [Holding(start.token, [run])]
    await executor.settled(executor.report_failure(start, Outcome.CANCELLED))
    assert (await scene.run(run)).state is RunState.CANCELLED
    await other.stop()


async def test_a_cancel_wakes_the_other_servers_if_the_executor_is_not_here(scene: Scene) -> None:
    other = Scene(scene.store, scene.clock)
    await other.start()
    _, run, _ = await running(other)
    scene.scheduler.hints.alone = False
    scene.scheduler.hints.wake.clear()
    await cancel(scene, run)

    assert scene.scheduler.hints.wake.is_set()
    other.scheduler.sessions.relaying.wake.clear()
    other.scheduler.facts.publish(HintReceived(None))
    assert other.scheduler.sessions.relaying.wake.is_set()
    await other.stop()


async def test_a_success_that_was_faster_stands(scene: Scene) -> None:
    executor, run, start = await running(scene)
    await cancel(scene, run)
    await executor.settled(executor.report(start, result=b"42"))

    over = await scene.run(run)
    assert (over.state, over.result, over.reason) == (RunState.SUCCEEDED, b"42", None)


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.RELEASED, Outcome.LOST, Outcome.TIMED_OUT])
async def test_whatever_else_the_attempt_ends_with_the_run_is_not_tried_again(scene: Scene, outcome: Outcome) -> None:
    executor, run, start = await running(scene)
    await cancel(scene, run)
    await executor.settled(executor.report_failure(start, outcome))
    scene.clock.advance(60)
    await scene.dispatch()

    assert (await scene.run(run)).state is RunState.CANCELLED
    assert executor.link.count(Start) == 0


async def test_a_cancelled_run_whose_executor_dies_is_over_with_its_lease(scene: Scene) -> None:
    await scene.let_pass(60)
    _, run, _ = await running(scene)
    await cancel(scene, run, "enough")
    await scene.let_pass(13)

    over = await scene.run(run)
    assert (over.state, over.reason, over.losses) == (RunState.CANCELLED, "enough", 1)


async def test_a_cancelled_attempt_that_never_arrived_is_over_when_its_executor_comes_back(scene: Scene) -> None:
    executor, run, _ = await running(scene)
    await executor.disconnect()
    assert await cancel(scene, run) is RunState.RUNNING
    await executor.connect([])
    await executor.answer_welcome()

    assert (await scene.run(run)).state is RunState.CANCELLED


async def test_a_cancelled_attempt_missing_from_two_inventories_is_over(scene: Scene) -> None:
    executor, run, _ = await running(scene)
    await cancel(scene, run)
    for _ in range(2):
        executor.link.say(Inventory([Holding(scene.ids.token(), scene.ids.runs(1, scene.clock.now()))]))
        await executor.link.expect(Stale)

    assert (await scene.run(run)).state is RunState.CANCELLED


async def test_a_cancelled_run_goes_on_being_cancelled_while_its_server_drains(scene: Scene) -> None:
    executor, run, start = await running(scene)
    scene.scheduler.gateway.leave()
    await executor.link.expect(Leave)
    await cancel(scene, run)
    await executor.disconnect()
    other = Scene(scene.store, scene.clock)
    await other.start()
    executor._scene = other
    await executor.connect([Holding(start.token, [run])])
    await other.scheduler.sessions.relaying.tick()

    assert (await executor.link.expect(Cancel)).holding == [Holding(start.token, [run])]
    await other.stop()


async def test_a_run_that_has_ended_cannot_be_cancelled_and_says_how_it_ended(scene: Scene) -> None:
    executor, run, start = await running(scene)
    await executor.settled(executor.report(start))

    with pytest.raises(ConflictError, match="it has succeeded") as refused:
        await cancel(scene, run)
    assert (refused.value.code, refused.value.kind) == ("run_final", "run")


async def test_cancelling_again_gives_the_same_answer(scene: Scene) -> None:
    await scene.attach(room=0)
    [run] = await scene.enqueue()

    assert [await cancel(scene, run), await cancel(scene, run)] == [RunState.CANCELLED] * 2


async def test_many_are_cancelled_in_one_call(scene: Scene) -> None:
    executor, run, start = await running(scene)
    await scene.attach("e2", room=0)
    executor.link.heard.clear()
    queued = [accepted.id for accepted in await scene.accept(*[RunRequest(job="report", due_at=LATER)] * 3)]
    [unknown] = scene.ids.runs(1, scene.clock.now())
    found = await scene.scheduler.steering.cancel_many(NAMESPACE, [run, *queued, unknown], actor=ANNA, reason="all")

    assert found == {run: RunState.RUNNING, **dict.fromkeys(queued, RunState.CANCELLED)}
    assert (await executor.link.expect(Cancel)).holding == [Holding(start.token, [run])]


@pytest.mark.parametrize("reason", ["x" * 501, "\x1b[31m", "\x00"])
async def test_a_reason_is_short_and_plain(scene: Scene, reason: str) -> None:
    await scene.attach(room=0)
    [run] = await scene.enqueue()
    with pytest.raises(InvalidInputError) as refused:
        await cancel(scene, run, reason)

    assert refused.value.code == "bad_reason"
    assert (await scene.run(run)).state is RunState.QUEUED


async def test_what_is_unknown_or_of_another_namespace_is_not_found(scene: Scene) -> None:
    await scene.attach(room=0)
    [run] = await scene.enqueue()
    [unknown] = scene.ids.runs(1, scene.clock.now())

    for namespace, wanted in ((NAMESPACE, unknown), ("other", run)):
        with pytest.raises(NotFoundError):
            await scene.scheduler.steering.cancel(namespace, wanted, actor=ANNA)
        with pytest.raises(NotFoundError):
            await scene.scheduler.steering.retry(namespace, wanted, actor=ANNA)
    with pytest.raises(InvalidInputError):
        await scene.scheduler.steering.cancel_many(NAMESPACE, [unknown] * 1001, actor=ANNA)


async def test_a_retried_run_starts_at_once_with_the_next_number(scene: Scene) -> None:
    executor, run, start = await running(scene)
    await cancel(scene, run)
    await executor.settled(executor.report_failure(start, Outcome.CANCELLED))
    await retry(scene, run)
    while await scene.scheduler.dispatch.tick():
        pass

    again = await executor.link.expect(Start)
    assert (again.runs, again.attempts) == ([run], [2])
    await executor.settled(executor.report(start, result=b'"old"'))
    assert (await scene.run(run)).state is RunState.RUNNING
    await executor.settled(executor.report(again, result=b'"new"'))
    over = await scene.run(run)
    assert (over.state, over.result, over.attempt) == (RunState.SUCCEEDED, b'"new"', 2)


async def test_a_retried_run_has_all_its_attempts_again(scene: Scene) -> None:
    executor, run, start = await running(scene)
    await executor.settled(executor.report_failure(start))
    scene.clock.advance(5)
    await scene.dispatch()
    await executor.settled(executor.report_failure(await executor.link.expect(Start)))
    assert (await scene.run(run)).reason == "attempts_spent"
    await retry(scene, run)
    await scene.dispatch()
    await executor.settled(executor.report_failure(await executor.link.expect(Start)))

    again = await scene.run(run)
    assert (again.state, again.reason, again.failures) == (RunState.QUEUED, "retry", 1)


async def test_a_run_that_nobody_can_take_any_more_waits_after_a_retry(scene: Scene) -> None:
    executor = await scene.attach(room=0)
    [run] = await scene.enqueue()
    await cancel(scene, run)
    await executor.disconnect()
    await scene.let_pass(60)
    await scene.scheduler.catalog.tick()
    await retry(scene, run)

    waiting = await scene.run(run)
    assert (waiting.state, waiting.reason) == (RunState.WAITING, "no_executor")


async def test_what_cannot_be_retried_says_why(scene: Scene) -> None:
    executor, run, start = await running(scene)
    with pytest.raises(ConflictError, match="it is running") as live:
        await retry(scene, run, force=True)
    await executor.settled(executor.report(start))
    with pytest.raises(ConflictError, match="only `force`") as succeeded:
        await retry(scene, run)
    await retry(scene, run, force=True)

    assert (live.value.code, succeeded.value.code) == ("run_live", "run_succeeded")
    assert (await scene.run(run)).state is RunState.QUEUED
