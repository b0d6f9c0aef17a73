"""Bulk operations on workflow runs: each run once, with a preview, a reason, an audit entry and progress, on each database."""

from typing import Any

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.bulk.operation import FlowTerms, Sweep, SweepAct, SweepFilter, SweepState
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.spec import StepSpec
from mainspring.errors import InvalidInputError
from mainspring.store.interface import AuditFilter
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_workflow_changes import failing
from tests.scheduler.test_workflow_versions import BETWEEN, save
from tests.scheduler.test_workflows import CHAIN
from tests.scheduler.workflow_scene import WorkflowScene, echo, workflow

ANNA = Actor("anna")
FLOW = SweepFilter(job="flow")


async def failed_runs(stage: WorkflowScene, count: int, step: str = "b") -> list[RunId]:
    runs = [await stage.enqueue() for _ in range(count)]
    await stage.play(failing(step))
    stage.started.clear()
    return runs


async def swept(scene: Scene, act: SweepAct, chosen: SweepFilter = FLOW, **terms: Any) -> Sweep:
    """A sweep that has been worked off."""
    dead = scene.scheduler.dead
    scene.clock.advance(1)
    made = await dead.sweep(NAMESPACE, act, chosen, actor=ANNA, reason="the bank is back", terms=FlowTerms(**terms))
    while await dead.working.tick():
        pass
    return await dead.get(NAMESPACE, made.id)


async def audited(scene: Scene, act: str) -> int:
    entries = await scene.store.access.audit(AuditFilter(namespace=NAMESPACE))
    return sum(entry.act == act for _, entry in entries)


async def test_a_resume_is_previewed_and_then_runs_again_what_had_failed(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    runs = await failed_runs(stage, 3)
    good = await stage.enqueue()
    await stage.play(echo)
    stage.started.clear()

    scene.clock.advance(1)
    previewed = await scene.scheduler.dead.preview(NAMESPACE, SweepAct.RESUME, FLOW)
    untouched = {await stage.state(run) for run in runs}
    done = await swept(scene, SweepAct.RESUME)
    await stage.play(echo)

    assert (previewed.count, previewed.is_complete, list(previewed.sample)) == (3, True, runs)
    assert [list(one.steps) for one in previewed.flows] == [["b", "c"]] * 3
    assert untouched == {RunState.FAILED}
    assert (done.state, done.changed, done.passed) == (SweepState.DONE, 3, 0)
    assert {await stage.state(run) for run in [*runs, good]} == {RunState.SUCCEEDED}
    assert sorted(stage.names) == ["b", "b", "b", "c", "c", "c"]
    assert await audited(scene, "workflow.resume") == 3


async def test_only_runs_of_which_the_named_step_failed_are_resumed(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    early, late = await failed_runs(stage, 1, "a"), await failed_runs(stage, 1, "c")

    done = await swept(scene, SweepAct.RESUME, SweepFilter(job="flow", failed_step="c"))
    await stage.play(echo)

    assert (done.changed, done.passed) == (1, 1)
    assert (await stage.state(early[0]), await stage.state(late[0])) == (RunState.FAILED, RunState.SUCCEEDED)


@pytest.mark.parametrize(
    ("act", "terms", "names"),
    [
        (SweepAct.RETRY_STEP, {"step": "a"}, ["a", "b", "c"]),
        (SweepAct.SKIP, {"step": "b"}, []),
        (SweepAct.MARK, {"step": "b", "result": {"by": "hand"}}, ["c"]),
    ],
)
async def test_steps_are_retried_skipped_and_marked_in_bulk(
    scene: Scene, act: SweepAct, terms: dict[str, Any], names: list[str]
) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    await failed_runs(stage, 2)

    done = await swept(scene, act, **terms)
    await stage.play(echo)

    assert (done.state, done.changed) == (SweepState.DONE, 2)
    assert sorted(stage.names) == sorted(names * 2)
    assert await audited(scene, f"workflow.{act.value.removesuffix('_step')}") == 2


async def test_live_runs_are_moved_to_the_newest_version(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    runs = [await stage.enqueue() for _ in range(2)]
    await stage.tick()
    version = await save(stage, BETWEEN)

    done = await swept(scene, SweepAct.MOVE)
    await stage.play(echo)

    assert done.changed == 2
    assert {(await stage.flow(run)).version for run in runs} == {version}
    assert {await stage.state(run) for run in runs} == {RunState.SUCCEEDED}


async def test_live_runs_are_paused_and_unpaused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    runs = [await stage.enqueue() for _ in range(2)]
    await stage.tick()

    paused = await swept(scene, SweepAct.PAUSE)
    await stage.play(echo)
    held = {await stage.state(run) for run in runs}
    unpaused = await swept(scene, SweepAct.UNPAUSE)
    await stage.play(echo)

    assert (paused.changed, unpaused.changed, held) == (2, 2, {RunState.WAITING})
    assert {await stage.state(run) for run in runs} == {RunState.SUCCEEDED}
    assert (await audited(scene, "workflow.pause"), await audited(scene, "workflow.unpause")) == (2, 2)


async def test_a_run_that_fails_again_is_not_taken_a_second_time(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    await failed_runs(stage, 1)
    dead = scene.scheduler.dead
    scene.clock.advance(1)
    made = await dead.sweep(NAMESPACE, SweepAct.RESUME, FLOW, actor=ANNA)
    piece = await dead.working.find(made)
    assert await scene.scheduler.workflows.sweeps.work(made, piece)
    scene.clock.advance(1)
    await stage.play(failing("b"))
    stage.started.clear()

    again = await scene.scheduler.workflows.sweeps.work(made, piece)
    await stage.play(echo)

    assert (again, stage.names) == (False, [])
    assert (await dead.get(NAMESPACE, made.id)).changed == 1


@pytest.mark.parametrize(
    ("act", "chosen", "terms", "field"),
    [
        (SweepAct.RESUME, SweepFilter(queue="default"), {}, "filter.job"),
        (SweepAct.SKIP, FLOW, {}, "terms.step"),
        (SweepAct.RESUME, FLOW, {"step": "a"}, "terms.step"),
        (SweepAct.RETRY_STEP, FLOW, {"step": "a", "result": 1}, "terms.result"),
        (SweepAct.PAUSE, FLOW, {"version": 2}, "terms.version"),
        (SweepAct.MOVE, FLOW, {"redo": True}, "terms.redo"),
        (SweepAct.CANCEL, SweepFilter(job="flow", failed_step="a"), {}, "filter.failed_step"),
    ],
)
async def test_terms_that_do_not_go_with_the_act_are_refused(
    scene: Scene, act: SweepAct, chosen: SweepFilter, terms: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        await scene.scheduler.dead.sweep(NAMESPACE, act, chosen, actor=ANNA, terms=FlowTerms(**terms))

    assert refused.value.field == field
    assert await scene.scheduler.dead.list(NAMESPACE, before=None, limit=5) == []


async def test_the_waits_of_a_workflow_are_none_of_its_runs(scene: Scene) -> None:
    asking = workflow(ask=StepSpec(approval="May it?"))
    stage = await WorkflowScene.make(scene, {"flow": asking})
    run = await stage.enqueue()
    await stage.tick()
    scene.clock.advance(1)

    preview = await scene.scheduler.dead.preview(NAMESPACE, SweepAct.PAUSE, FLOW)
    done = await swept(scene, SweepAct.PAUSE)

    assert (preview.count, list(preview.sample)) == (1, [run])
    assert (done.state, done.changed, done.passed) == (SweepState.DONE, 1, 0)
