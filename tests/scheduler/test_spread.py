"""Runs with children: one for each slice, or for each executor, settled by a rule."""

from collections.abc import Callable

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.metadata import RunMetadata, read_metadata
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Failure, RunState
from mainspring.wire.messages import Cancel, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle

BROADCAST = Policy(route=Route("broadcast"))

Fails = Callable[[RunMetadata], bool]


async def join(scene: Scene, name: str, policy: Policy) -> ScriptedExecutor:
    executor = scene.executor(name, room=50)
    executor.jobs = [JobSpec(name="report", handler="report", policy=policy)]
    await executor.connect()
    await scene.scheduler.catalog.tick()
    return executor


async def enqueue(scene: Scene) -> RunId:
    [accepted] = await scene.accept(RunRequest(job="report", input=b'{"day": 3}'))
    return accepted.id


async def turn(scene: Scene) -> None:
    workflows = scene.scheduler.workflows
    while await workflows.beginning.tick() or await workflows.advancing.tick():
        pass
    await scene.scheduler.limits.gates.tick()
    await scene.dispatch()


def taken(executor: ScriptedExecutor) -> list[Start]:
    starts = [message for message in executor.link.heard if isinstance(message, Start)]
    for start in starts:
        executor.link.heard.remove(start)
    return starts


def children(starts: list[Start]) -> list[RunMetadata]:
    return [read_metadata(extra) for start in starts for extra in start.extras]


async def answer(scene: Scene, executor: ScriptedExecutor, starts: list[Start], fails: Fails) -> None:
    for start in starts:
        good: list[RunId] = []
        results: list[bytes] = []
        ended: list[Ended] = []
        for run, extra in zip(start.runs, start.extras, strict=True):
            about = read_metadata(extra)
            if fails(about):
                failure = Failure(error="ValueError", message="broke")
                ended.append(Ended(run=run, token=start.token, outcome=Outcome.FAILED, failure=failure))
            else:
                good.append(run)
                results.append(msgspec.json.encode(about.item))
        executor.say_outcomes(good, [start.token] * len(good), results, ended)
        await until_idle()
        while await scene.scheduler.settling.tick():
            pass


async def test_a_sliced_run_has_a_child_for_each_slice_and_their_results(scene: Scene) -> None:
    executor = await join(scene, "a", Policy(slices=4))
    run = await enqueue(scene)
    await turn(scene)
    starts = taken(executor)

    assert [(one.item, one.items) for one in children(starts)] == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert {given for start in starts for given in start.inputs} == {b'{"day":3}'}
    assert (await scene.run(run)).reason == "steps"
    await answer(scene, executor, starts, lambda _: False)
    await turn(scene)
    found = await scene.run(run)
    assert (found.state, found.result) == (RunState.SUCCEEDED, b"[0,1,2,3]")


@pytest.mark.parametrize(
    ("settle_by", "failing", "state"),
    [
        ("all", {0}, RunState.FAILED),
        ("any", {0, 1, 2}, RunState.SUCCEEDED),
        ("any", {0, 1, 2, 3}, RunState.FAILED),
        (3, {0}, RunState.SUCCEEDED),
        (3, {0, 1}, RunState.FAILED),
    ],
)
async def test_a_parent_settles_by_its_rule(
    scene: Scene, settle_by: str | int, failing: set[int], state: RunState
) -> None:
    executor = await join(scene, "a", Policy(slices=4, settle_by=settle_by))
    run = await enqueue(scene)
    await turn(scene)
    await answer(scene, executor, taken(executor), lambda about: about.item in failing)
    await turn(scene)

    found = await scene.run(run)
    assert found.state is state
    if state is RunState.FAILED:
        assert found.failure is not None
        assert found.failure.message == f"{len(failing)} of 4 slices failed"


async def test_children_that_are_not_needed_any_more_are_cancelled(scene: Scene) -> None:
    executor = await join(scene, "a", Policy(slices=3, settle_by="any", at_once=2))
    run = await enqueue(scene)
    await turn(scene)
    [start] = taken(executor)
    assert len(start.runs) == 2
    executor.say_outcomes(start.runs[:1], [start.token], [b"7"], [])
    await until_idle()
    while await scene.scheduler.settling.tick():
        pass
    await turn(scene)
    await until_idle()

    told = [held for message in executor.link.heard if isinstance(message, Cancel) for held in message.holding]
    assert [each for held in told for each in held.runs] == start.runs[1:]
    executor.say_outcomes([], [], [], [Ended(run=start.runs[1], token=start.token, outcome=Outcome.CANCELLED)])
    await until_idle()
    while await scene.scheduler.settling.tick():
        pass
    await turn(scene)
    found = await scene.run(run)
    assert (found.state, found.result) == (RunState.SUCCEEDED, b"[7,null,null]")


async def test_a_broadcast_has_one_child_for_each_executor(scene: Scene) -> None:
    executors = {name: await join(scene, name, BROADCAST) for name in ("a", "b", "c")}
    run = await enqueue(scene)
    await turn(scene)
    late = await join(scene, "d", BROADCAST)
    await turn(scene)

    starts = {name: taken(one) for name, one in executors.items()}
    assert {name: [one.item for one in children(found)] for name, found in starts.items()} == {
        "a": [0],
        "b": [1],
        "c": [2],
    }
    assert taken(late) == []
    for name, executor in executors.items():
        await answer(scene, executor, starts[name], lambda _: False)
    await turn(scene)
    assert (await scene.run(run)).result == b"[0,1,2]"


async def test_a_broadcast_without_an_executor_waits_for_one(scene: Scene) -> None:
    first = await join(scene, "a", BROADCAST)
    await scene.store.cluster.close_session(first.session, now=scene.clock.now())
    await first.disconnect()
    await scene.scheduler.catalog.tick()
    run = await enqueue(scene)
    await turn(scene)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert (found.state, found.reason, reasons[0].code) == (RunState.WAITING, "no_executor", "no_executor")
    executor = await join(scene, "b", BROADCAST)
    await turn(scene)
    assert [(one.item, one.items) for one in children(taken(executor))] == [(0, 1)]


async def test_the_child_of_an_executor_that_stays_away_fails(scene: Scene) -> None:
    executors = {name: await join(scene, name, BROADCAST) for name in ("a", "b")}
    await scene.scheduler.limits.routing.tick()
    run = await enqueue(scene)
    while await scene.scheduler.workflows.beginning.tick():
        pass
    await scene.store.cluster.close_session(executors["a"].session, now=scene.clock.now())
    await executors["a"].disconnect()
    for _ in range(4):
        await scene.scheduler.catalog.tick()
        await scene.scheduler.limits.routing.tick()
        await turn(scene)
        scene.clock.advance(3)
    await answer(scene, executors["b"], taken(executors["b"]), lambda _: False)
    await turn(scene)

    found = await scene.run(run)
    assert found.failure is not None
    assert found.failure.message == "1 of 2 executors failed"


async def test_a_sliced_job_that_routes_its_children_begins_too(scene: Scene) -> None:
    executors = [await join(scene, name, Policy(slices=6, route=Route("round_robin"))) for name in ("a", "b")]
    await enqueue(scene)
    await turn(scene)
    while await scene.scheduler.limits.routing.tick():
        pass
    await turn(scene)

    assert [len(children(taken(executor))) for executor in executors] == [3, 3]
