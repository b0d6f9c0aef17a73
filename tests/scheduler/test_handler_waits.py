"""Handlers that wait, on each database: their runs are set aside, go on once all has come, and hold nothing meanwhile."""

from typing import Any

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.domain.runs.run import RunState, Suspension
from mainspring.domain.waits.ended import read_end
from mainspring.domain.waits.handler import WAITS_MAX, write_waits
from mainspring.domain.workflows.spec import StepSpec
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.workflow_scene import WorkflowScene

TWO = {"offer": StepSpec(job="offer", input={"n": 1}), "pack": StepSpec(job="pack", input={"n": 2})}


async def opened(scene: Scene) -> WorkflowScene:
    names = ["outer", "offer", "pack"]
    executor = scene.executor(room=100, handlers=names)
    executor.jobs = [JobSpec(name=name, handler=name) for name in names]
    await executor.connect()
    return WorkflowScene(scene, executor)


async def set_aside(stage: WorkflowScene, start: Start, waits: bytes) -> None:
    ended = [
        Ended(run=run, token=start.token, outcome=Outcome.SUSPENDED, suspension=Suspension(waits=waits))
        for run in start.runs
    ]
    stage.executor.say_outcomes([], [], [], ended)
    await stage.settle()


async def waiting(scene: Scene, waits: dict[str, StepSpec]) -> tuple[WorkflowScene, RunId, Start]:
    """A run whose handler waits, and the attempt that has ended by it."""
    stage = await opened(scene)
    run = await stage.enqueue("outer", order=7)
    await stage.tick()
    [start] = stage.taken()
    await set_aside(stage, start, write_waits(waits))
    return stage, run, start


async def remembered(scene: Scene, run: RunId) -> dict[str, Any]:
    kept = await scene.store.runs.checkpoints(run)
    ends = {one.name: read_end(one.value or b"") for one in kept if one.kind is MemoryKind.WAIT}
    return {name: (end.state, msgspec.json.decode(end.result)) for name, end in ends.items()}


async def test_a_run_that_waits_holds_no_slot_and_goes_on_once_all_has_come(scene: Scene) -> None:
    stage, run, _ = await waiting(scene, TWO)
    waits = await stage.run(run)
    assert (waits.state, waits.reason) == (RunState.WAITING, "steps")
    await stage.tick()
    first, second = [(start, at) for start in stage.taken() for at in range(len(start.runs))]
    for at, (start, place) in enumerate((first, second)):
        stage.executor.say_outcomes([start.runs[place]], [start.token], [msgspec.json.encode(at)], [])
        await stage.settle()
        await stage.tick()
        assert (await stage.run(run)).state is (RunState.WAITING if at == 0 else RunState.RUNNING)
    [again] = stage.taken()
    assert again.runs == [run]
    assert again.attempts == [2]
    assert sorted((await remembered(scene, run)).values()) == [("succeeded", 0), ("succeeded", 1)]
    assert not await scene.store.workflows.any()


async def test_a_call_that_fails_is_remembered_as_failed(scene: Scene) -> None:
    stage, run, _ = await waiting(scene, {"offer": StepSpec(job="offer")})
    await stage.tick()
    [start] = stage.taken()

    def refuse(_name: str, _given: Any) -> Any:
        raise ValueError("no")

    await stage.answer(start, refuse)
    await stage.tick()
    [again] = stage.taken()
    assert again.runs == [run]
    assert await remembered(scene, run) == {"offer": ("failed", None)}


async def test_a_second_wait_follows_the_first(scene: Scene) -> None:
    stage, run, _ = await waiting(scene, {"offer": StepSpec(job="offer")})
    for name in ("pack", "last"):
        await stage.tick()
        [start] = stage.taken()
        await stage.answer(start, lambda step, _: step)
        await stage.tick()
        [again] = stage.taken()
        assert again.runs == [run]
        await set_aside(stage, again, write_waits({name: StepSpec(job="pack")}))
    assert set(await remembered(scene, run)) == {"offer", "pack"}


async def test_a_cancel_of_a_run_that_waits_stops_what_it_waits_for(scene: Scene) -> None:
    stage, run, _ = await waiting(scene, {"offer": StepSpec(job="offer"), "rest": StepSpec(sleep="1d")})
    await stage.tick()
    steps = await scene.store.workflows.steps(run, after=None, limit=10)
    await scene.scheduler.steering.cancel(NAMESPACE, run, actor=Actor("anna"))
    await stage.tick()
    [start] = stage.taken()
    stage.executor.say_outcomes([], [], [], [Ended(run=start.runs[0], token=start.token, outcome=Outcome.CANCELLED)])
    await stage.settle()
    await stage.tick()
    assert await stage.state(run) is RunState.CANCELLED
    assert {await stage.state(one.run) for one in steps} == {RunState.CANCELLED}


async def test_an_outcome_that_comes_twice_begins_nothing_twice(scene: Scene) -> None:
    stage, run, start = await waiting(scene, {"offer": StepSpec(job="offer")})
    await stage.tick()
    await set_aside(stage, start, write_waits({"offer": StepSpec(job="offer")}))
    await stage.tick()
    assert sum(len(one.runs) for one in stage.taken()) == 1
    assert len(await scene.store.workflows.steps(run, after=None, limit=10)) == 1


async def test_waits_that_cannot_be_fail_the_attempt_and_nothing_is_begun(scene: Scene) -> None:
    many = {str(number): StepSpec(job="offer") for number in range(WAITS_MAX + 1)}
    bad = [
        b"[]",
        b'{"waits":{}}',
        b'{"waits":{"a":{}}}',
        b'{"waits":{"a":{"job":"offer","after":["b"]}}}',
        b'{"waits":{"a":{"sleep":"soon"}}}',
        b'{"waits":{"a":{"job":"offer","sleep":"1s"}}}',
        b'{"waits":{"\\u0000":{"job":"offer"}}}',
        msgspec.json.encode({"waits": many}),
    ]
    stage = await opened(scene)
    for raw in bad:
        run = await stage.enqueue("outer")
        await stage.tick()
        [start] = stage.taken()
        await set_aside(stage, start, raw)
        found = await stage.run(run)
        assert found.state is RunState.FAILED, raw
        assert not await scene.store.workflows.any(), id_text(run)


async def test_a_server_that_has_not_heard_of_a_wait_finds_it(scene: Scene) -> None:
    stage, run, _ = await waiting(scene, {"offer": StepSpec(job="offer")})
    # As another server that was not there when the run was set aside, and knows of no workflow.
    scene.scheduler.catalog.has_workflows = False
    await scene.scheduler.workflows.sweeping.tick()
    await stage.play(lambda name, _: name)
    assert (await remembered(scene, run)) == {"offer": ("succeeded", "offer")}
