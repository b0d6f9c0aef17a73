"""Workflow runs begin, move from step to step and end, on each database."""

from typing import Any

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.workflows.move import LiveFlow, Move
from mainspring.domain.workflows.spec import StepCall, StepSpec, WorkflowSpec
from mainspring.scheduler.operations.jobs import ANY, Words
from mainspring.store.interface import RunFilter
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.workflow_scene import WorkflowScene, echo, workflow

DIAMOND = workflow(
    "$.ship",
    charge=StepSpec(job="charge", mapping={"order": "$.input.order"}),
    pack=StepSpec(job="pack", mapping={"order": "$.input.order"}),
    ship=StepSpec(job="ship", mapping={"payment": "$.charge.step", "parcel": "$.pack.step"}),
)
CHAIN = workflow("$.c", a=StepSpec(job="a"), b=StepSpec(job="b", after=("a",)), c=StepSpec(job="c", after=("b",)))


async def test_no_more_runs_of_a_workflow_are_under_way_than_it_says(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN, "free": CHAIN})
    jobs = scene.scheduler.jobs
    limited = Policy(at_once=2)
    await jobs.change(
        NAMESPACE, "flow", lambda spec: msgspec.structs.replace(spec, policy=limited), ANY, Words(actor=Actor("anna"))
    )
    runs = [await stage.enqueue() for _ in range(5)] + [await stage.enqueue("free")]
    await stage.tick()
    states = [await stage.state(run) for run in runs]
    await stage.play(echo)

    assert states.count(RunState.QUEUED) == 3
    assert states[5] is not RunState.QUEUED
    assert {await stage.state(run) for run in runs} == {RunState.SUCCEEDED}


async def test_a_diamond_runs_each_step_once_and_has_the_last_one_s_result(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND})
    run = await stage.enqueue(order=7)
    await stage.play(echo)

    found = await stage.run(run)
    assert (found.state, msgspec.json.decode(found.result or b"")) == (
        RunState.SUCCEEDED,
        {"step": "ship", "payment": "charge", "parcel": "pack"},
    )
    assert sorted(stage.names) == ["charge", "pack", "ship"]
    assert stage.names[-1] == "ship"
    assert await stage.states(run) == {"charge": "succeeded", "pack": "succeeded", "ship": "succeeded"}


async def test_parents_that_end_in_one_frame_or_in_two_begin_the_same(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND}, room=1)
    run = await stage.enqueue(order=7)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert (sorted(stage.names), stage.names[-1]) == (["charge", "pack", "ship"], "ship")


async def test_a_live_workflow_run_waits_for_its_steps_and_they_belong_to_it(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()

    found = await stage.run(run)
    assert (found.state, found.reason) == (RunState.WAITING, "steps")
    [step] = await scene.store.workflows.steps(run, after=None, limit=10)
    child = await stage.run(step.run)
    assert (child.job, child.workflow, child.step) == ("a", run, "a")


async def test_a_failed_step_fails_the_workflow_run_and_skips_what_needs_it(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()

    def answer(name: str, _arguments: Any) -> None:
        if name == "b":
            raise ValueError("broke")

    await stage.play(answer)

    found = await stage.run(run)
    assert (found.state, found.reason) == (RunState.FAILED, "step_failed")
    assert found.failure is not None
    assert found.failure.message == "b failed"
    assert await stage.states(run) == {"a": "succeeded", "b": "failed", "c": "skipped"}


async def test_ends_that_only_leave_notes_move_the_workflow_run_as_well(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND})
    # As on a server that has not claimed these attempts itself.
    scene.scheduler.settling.workflows = None
    run = await stage.enqueue(order=7)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert sorted(stage.names) == ["charge", "pack", "ship"]


async def test_a_lost_end_is_found_by_the_sweep(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    scene.scheduler.settling.workflows = None
    run = await stage.enqueue()
    await stage.tick()
    [start] = stage.taken()
    await stage.answer(start, echo)
    # The note is lost, as no crash can lose it.
    await drop_notes(scene)
    await stage.tick()
    assert stage.taken() == []
    scene.clock.advance(31)
    await scene.scheduler.workflows.sweeping.tick()
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names == ["a", "b", "c"]


async def drop_notes(scene: Scene) -> None:
    flows = await scene.store.workflows.noted(limit=10)
    assert flows

    await scene.store.workflows.advance(flows, Still(), now=scene.clock.now())


class Still:
    """Moves nothing."""

    def __call__(self, live: LiveFlow, *_: Any) -> Move:
        return Move(live, live.flow.copy())

    def stand_in(self, _live: LiveFlow, _step: int) -> NewRun:
        raise NotImplementedError

    def place(self, _runs: Any) -> None: ...


async def test_a_sweep_over_healthy_workflow_runs_changes_nothing(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    scene.clock.advance(31)
    assert await scene.store.workflows.mend([run], now=scene.clock.now()) == 0
    await scene.scheduler.workflows.sweeping.tick()
    await stage.play(echo)

    assert stage.names == ["a", "b", "c"]


MAP = workflow(
    "$.sum",
    rows=StepSpec(job="rows", mapping={"n": "$.input.n"}),
    bill=StepSpec(job="bill", each="$.rows", item="x", at_once=3),
    sum=StepSpec(job="sum", mapping={"bills": "$.bill"}),
)


def answer_map(name: str, arguments: Any) -> Any:
    if name == "rows":
        return list(range(arguments["n"]))
    return arguments["x"] * 10 if name == "bill" else sum(arguments["bills"])


@pytest.mark.parametrize("size", [0, 1, 10])
async def test_a_map_runs_once_for_each_element_and_hands_on_the_list(scene: Scene, size: int) -> None:
    stage = await WorkflowScene.make(scene, {"flow": MAP})
    run = await stage.enqueue(n=size)
    await stage.play(answer_map)

    found = await stage.run(run)
    assert (found.state, found.result) == (RunState.SUCCEEDED, str(10 * sum(range(size))).encode())
    assert sorted(given["x"] for name, given in stage.started if name == "bill") == list(range(size))


async def test_a_map_never_has_more_items_under_way_than_allowed(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": MAP})
    await stage.enqueue(n=10)
    while True:
        await stage.tick()
        starts = stage.taken()
        if not starts:
            break
        assert sum(len(start.runs) for start in starts) <= 3
        for start in starts:
            await stage.answer(start, answer_map)

    assert len(stage.started) == 12


async def test_a_wide_map_begins_in_pieces(scene: Scene) -> None:
    wide = workflow(
        "$.sum", rows=MAP.steps["rows"], bill=StepSpec(job="bill", each="$.rows", item="x"), sum=MAP.steps["sum"]
    )
    stage = await WorkflowScene.make(scene, {"flow": wide}, room=5_000)
    run = await stage.enqueue(n=2_500)
    await stage.play(answer_map)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert len(stage.started) == 2_502


async def test_a_sub_workflow_is_one_step(scene: Scene) -> None:
    outer = workflow(
        "$.last",
        inner=StepSpec(job="flow", mapping={"order": "$.input.order"}),
        last=StepSpec(job="last", after=("inner",)),
    )
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND, "outer": outer})
    run = await stage.enqueue("outer", order=3)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names[-2:] == ["ship", "last"]


async def test_a_cancel_stops_steps_and_runs_endings(scene: Scene) -> None:
    spec = WorkflowSpec(steps=CHAIN.steps, finally_=StepCall(job="tidy", mapping={"about": "$.workflow"}))
    stage = await WorkflowScene.make(scene, {"flow": spec}, room=0)
    run = await stage.enqueue()
    await stage.tick()
    state = await scene.scheduler.steering.cancel(NAMESPACE, run, actor=Actor("test"))
    assert state is RunState.RUNNING
    await stage.tick()
    assert await stage.states(run) == {"a": "cancelled", "b": "skipped", "c": "skipped", "finally": "begun"}
    await scene.scheduler.steering.cancel(NAMESPACE, run, actor=Actor("test"))
    page = await scene.scheduler.list(RunFilter(namespace=NAMESPACE, job="tidy"))
    assert len(page.runs) == 1


async def test_a_cancelled_workflow_run_ends_cancelled(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN}, room=0)
    run = await stage.enqueue()
    await stage.tick()
    await scene.scheduler.steering.cancel(NAMESPACE, run, actor=Actor("test"))
    await stage.tick()

    assert await stage.state(run) is RunState.CANCELLED


async def test_one_that_has_not_begun_is_cancelled_at_once(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await scene.scheduler.steering.cancel(NAMESPACE, run, actor=Actor("test"))

    assert await stage.state(run) is RunState.CANCELLED
    await stage.play(echo)
    assert stage.names == []


async def test_a_deadline_stops_steps_and_fails_the_workflow_run(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN}, room=0)
    [job] = [job for job in scene.scheduler.catalog.jobs.values() if job.name == "flow"]
    spec = msgspec.structs.replace(job.spec, deadline=60.0)
    await scene.scheduler.catalog.register(NAMESPACE, [spec])
    run = await stage.enqueue()
    await stage.tick()
    scene.clock.advance(61)
    while await scene.scheduler.expiring.tick():
        pass
    await stage.tick()

    found = await stage.run(run)
    assert (found.state, found.reason) == (RunState.FAILED, "step_failed")
    assert await stage.states(run) == {"a": "cancelled", "b": "skipped", "c": "skipped"}


async def test_nothing_begins_while_paused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    await scene.scheduler.workflows.operations.pause(NAMESPACE, run, actor=Actor("test"))
    [start] = stage.taken()
    await stage.answer(start, echo)
    await stage.tick()
    assert stage.taken() == []
    await scene.scheduler.workflows.operations.unpause(NAMESPACE, run, actor=Actor("test"))
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names == ["a", "b", "c"]


async def test_a_missing_place_fails_the_step_with_a_run_that_says_so(scene: Scene) -> None:
    spec = workflow(a=StepSpec(job="a"), b=StepSpec(job="b", mapping={"x": "$.a.nothing"}))
    stage = await WorkflowScene.make(scene, {"flow": spec})
    run = await stage.enqueue()
    await stage.play(echo)

    assert await stage.states(run) == {"a": "succeeded", "b": "failed"}
    steps = await scene.store.workflows.steps(run, after=None, limit=10)
    failed = await stage.run(steps[1].run)
    assert (failed.state, failed.reason) == (RunState.FAILED, "missing_place")
    assert failed.failure is not None
    assert failed.failure.message == "nothing stands at $.a.nothing"


async def test_a_step_whose_job_is_deleted_fails(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    del scene.scheduler.catalog.jobs[NAMESPACE, "b"]
    await stage.play(echo)

    assert await stage.states(run) == {"a": "succeeded", "b": "failed", "c": "skipped"}
    assert await stage.state(run) is RunState.FAILED


async def test_many_workflow_runs_move_together(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND}, room=1_000)
    runs = [await stage.enqueue(order=n) for n in range(50)]
    await stage.play(echo)

    assert {await stage.state(run) for run in runs} == {RunState.SUCCEEDED}
    assert len(stage.started) == 150


async def test_a_damaged_version_fails_its_runs_and_no_others(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN, "other": CHAIN})
    [job] = [job for job in scene.scheduler.catalog.jobs.values() if job.name == "other"]
    plain = msgspec.structs.replace(job.spec, workflow=b"", handler="a")
    run, other = await stage.enqueue(), await stage.enqueue("other")
    await scene.scheduler.catalog.register(NAMESPACE, [plain])
    await stage.play(echo)

    assert (await stage.run(other)).reason == "no_steps"
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_a_success_that_is_decided_from_memory_changes_nothing_if_another_server_moved_the_workflow_run(
    scene: Scene,
) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    [start] = stage.taken()
    memory = scene.scheduler.workflows.advancing.memory
    [live] = memory._flows.values()
    live.flow.requests = 4

    await stage.answer(start, echo)
    await stage.tick()

    assert (await stage.states(run))["a"] == "succeeded"
    assert [name for message in stage.taken() for name in message.names] == ["b"]
    assert memory._flows[run].flow.requests == 0


async def test_a_chain_hops_by_one_statement_a_step(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    await stage.enqueue()
    await stage.play(echo)
    await stage.enqueue()
    await stage.tick()
    [start] = stage.taken()

    await stage.answer(start, echo)

    # Without a tick: the next step was born claimed with the outcome.
    [after] = stage.taken()
    assert after.names == ["b"]


@pytest.mark.parametrize(("room", "begun_at_once"), [(100, ["b"]), (2, [])])
async def test_steps_pass_runs_that_may_wait_in_their_line_only_where_there_is_room_for_both(
    scene: Scene, room: int, begun_at_once: list[str]
) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN}, room=room)
    await stage.enqueue()
    await stage.play(echo)
    runs = [await stage.enqueue(), await stage.enqueue()]
    await stage.tick()
    starts = one_by_one(stage.taken())
    dispatch = scene.scheduler.dispatch
    dispatch.woken(dispatch._by_line)

    await stage.answer(starts[0], echo)

    assert [name for message in stage.taken() for name in message.names] == begun_at_once
    assert {await stage.state(run) for run in runs} == {RunState.WAITING}


def one_by_one(starts: list[Start]) -> list[Start]:
    """The same attempts, each in a message of its own."""
    return [
        msgspec.structs.replace(start, runs=[run], handlers=[0], attempts=[attempt], inputs=[raw], extras=[extra])
        for start in starts
        for run, attempt, raw, extra in zip(start.runs, start.attempts, start.inputs, start.extras, strict=True)
    ]
