"""Operators resume workflow runs, retry them from a step and skip steps, on each database."""

from typing import Any

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.bulk.operation import SweepAct, SweepFilter, SweepState
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.spec import StepCall, StepSpec, WorkflowSpec
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_workflows import CHAIN, DIAMOND, MAP
from tests.scheduler.workflow_scene import WorkflowScene, echo

ANNA = Actor("anna")


def failing(*names: str) -> Any:
    def answer(name: str, arguments: Any) -> Any:
        if name in names:
            raise ValueError("broke")
        return echo(name, arguments)

    return answer


async def test_resume_runs_again_what_had_not_succeeded_and_nothing_that_had(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND})
    run = await stage.enqueue(order=7)
    await stage.play(failing("charge"))
    assert await stage.state(run) is RunState.FAILED
    operations = scene.scheduler.workflows.operations
    preview = await operations.resume(NAMESPACE, run, actor=ANNA, dry_run=True)
    assert preview.steps == ["charge", "ship"]
    assert await stage.state(run) is RunState.FAILED
    stage.started.clear()
    await operations.resume(NAMESPACE, run, actor=ANNA, reason="the card works again")
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names == ["charge", "ship"]
    steps = await scene.store.workflows.steps(run, after=None, limit=10)
    assert len(steps) == 3
    assert (await stage.run(steps[0].run)).attempt == 2


async def test_resume_of_a_map_runs_its_failed_items_only(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": MAP})
    run = await stage.enqueue(n=10)

    def answer(name: str, arguments: Any) -> Any:
        if name == "rows":
            return list(range(arguments["n"]))
        if name == "bill" and arguments["x"] == 9:
            raise ValueError("broke")
        return arguments["x"] if name == "bill" else sum(arguments["bills"])

    await stage.play(answer)
    assert await stage.state(run) is RunState.FAILED
    stage.started.clear()
    await scene.scheduler.workflows.operations.resume(NAMESPACE, run, actor=ANNA)
    await stage.play(lambda name, arguments: arguments["x"] if name == "bill" else sum(arguments["bills"]))

    found = await stage.run(run)
    assert (found.state, found.result) == (RunState.SUCCEEDED, b"45")
    assert stage.names == ["bill", "sum"]


async def test_resume_after_a_cancel(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.play(echo, rounds=1)
    await scene.scheduler.steering.cancel(NAMESPACE, run, actor=ANNA)
    await stage.play(echo)
    await scene.scheduler.workflows.operations.resume(NAMESPACE, run, actor=ANNA)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED


async def test_what_cannot_be_resumed_is_refused_and_nothing_changes(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.play(echo)
    operations = scene.scheduler.workflows.operations

    with pytest.raises(ConflictError, match="no step that failed"):
        await operations.resume(NAMESPACE, run, actor=ANNA)
    with pytest.raises(NotFoundError):
        await operations.resume("other", run, actor=ANNA)
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_an_undone_workflow_run_is_resumed_only_on_purpose(scene: Scene) -> None:
    steps = {
        "charge": StepSpec(job="charge", undo=StepCall(job="refund")),
        "ship": StepSpec(job="ship", after=("charge",)),
    }
    stage = await WorkflowScene.make(scene, {"flow": WorkflowSpec(steps=steps)})
    run = await stage.enqueue()
    await stage.play(failing("ship"))
    assert stage.names == ["charge", "ship", "charge.undo"]
    operations = scene.scheduler.workflows.operations
    with pytest.raises(ConflictError, match="was undone"):
        await operations.resume(NAMESPACE, run, actor=ANNA)
    stage.started.clear()
    await operations.resume(NAMESPACE, run, actor=ANNA, redo=True)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names == ["charge", "ship"]


async def test_retry_from_a_step_runs_it_and_all_after_it(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.play(echo)
    stage.started.clear()
    again = await scene.scheduler.workflows.operations.retry_from(NAMESPACE, run, "b", actor=ANNA)
    assert again.steps == ["b", "c"]
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names == ["b", "c"]


async def test_retry_from_a_live_or_an_unknown_step_is_refused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    operations = scene.scheduler.workflows.operations

    with pytest.raises(ConflictError, match="under way"):
        await operations.retry_from(NAMESPACE, run, "a", actor=ANNA)
    with pytest.raises(InvalidInputError, match="there is no step z"):
        await operations.retry_from(NAMESPACE, run, "z", actor=ANNA)
    await stage.play(echo)
    assert stage.names == ["a", "b", "c"]


async def test_a_skipped_step_skips_what_needs_it(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    await scene.scheduler.workflows.operations.skip(NAMESPACE, run, "b", actor=ANNA)
    await stage.play(echo)

    assert await stage.states(run) == {"a": "succeeded", "b": "skipped", "c": "skipped"}
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_a_pause_of_one_that_is_over_is_refused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.play(echo)

    with pytest.raises(ConflictError, match="is over"):
        await scene.scheduler.workflows.operations.pause(NAMESPACE, run, actor=ANNA)


async def test_a_retry_of_a_failed_step_s_run_has_its_workflow_run_go_on(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.play(failing("b"))
    assert await stage.state(run) is RunState.FAILED
    [failed] = [one.run for one in await scene.store.workflows.steps(run, after=None, limit=10) if one.step == 1]
    operations = scene.scheduler.workflows.operations

    assert await operations.retry_run(NAMESPACE, failed, actor=ANNA)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names == ["a", "b", "b", "c"]
    assert not await operations.retry_run(NAMESPACE, run, actor=ANNA)


async def test_a_sweep_leaves_the_steps_that_it_matches_to_their_workflow_runs(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.play(failing("b"))
    [failed] = [one.run for one in await scene.store.workflows.steps(run, after=None, limit=10) if one.step == 1]
    scene.clock.advance(1)
    dead = scene.scheduler.dead
    sweep = await dead.sweep(NAMESPACE, SweepAct.RETRY, SweepFilter(job="b"), actor=ANNA)
    while await dead.working.tick():
        pass

    done = await dead.get(NAMESPACE, sweep.id)
    assert (done.state, done.changed, done.passed, done.steps) == (SweepState.DONE, 0, 0, 1)
    assert done.note == "left out 1 steps: resume their workflow runs"
    assert await stage.state(failed) is RunState.FAILED
    with pytest.raises(ConflictError, match="it is a step"):
        await scene.scheduler.steering.retry(NAMESPACE, failed, actor=ANNA)
    await scene.scheduler.workflows.operations.resume(NAMESPACE, run, actor=ANNA)
    await stage.play(echo)
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_a_step_that_is_live_is_not_retried_by_its_workflow_run(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    [step] = await scene.store.workflows.steps(run, after=None, limit=10)

    assert not await scene.scheduler.workflows.operations.retry_run(NAMESPACE, step.run, actor=ANNA)
