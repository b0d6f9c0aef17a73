"""Operators mark steps, fork workflow runs and move them to other versions, on each database."""

from typing import Any

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.spec import HANDLER, StepSpec, WorkflowSpec, write_workflow
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.operations.jobs import Expected, Words
from mainspring.store.interface import AuditFilter
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_workflow_changes import failing
from tests.scheduler.test_workflows import CHAIN, DIAMOND, MAP
from tests.scheduler.workflow_scene import WorkflowScene, echo, workflow

ANNA = Actor("anna")
GIVEN: dict[str, Any] = {"actor": ANNA, "reason": "a good one", "dry_run": False}
PREVIEW: dict[str, Any] = {"actor": ANNA, "reason": "", "dry_run": True}
BETWEEN = workflow(
    "$.c",
    a=StepSpec(job="a"),
    new=StepSpec(job="b", after=("a",)),
    b=StepSpec(job="b", after=("a",)),
    c=StepSpec(job="c", after=("b", "new")),
)


async def save(stage: WorkflowScene, spec: WorkflowSpec) -> int:
    """Another version of the workflow."""
    jobs = stage.scene.scheduler.jobs
    written = JobSpec(name="flow", handler=HANDLER, workflow=write_workflow(spec))
    job, _ = await jobs.put(NAMESPACE, written, Expected(), Words(actor=ANNA, note=""))
    return job.version


async def acts(scene: Scene) -> list[str]:
    return [entry.act for _, entry in await scene.store.access.audit(AuditFilter(namespace=NAMESPACE))]


async def test_a_step_that_is_marked_counts_as_succeeded_with_that_value(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND})
    run = await stage.enqueue(order=7)
    await stage.play(failing("charge"))
    changing = scene.scheduler.workflows.changing
    preview = await changing.mark(NAMESPACE, run, "charge", b'{"step": "by hand"}', **PREVIEW)
    assert preview.steps == ["ship"]
    assert await stage.state(run) is RunState.FAILED
    stage.started.clear()
    await changing.mark(NAMESPACE, run, "charge", b'{"step":"by hand"}', **GIVEN)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert stage.names == ["ship"]
    assert stage.started[0][1]["payment"] == "by hand"
    assert "workflow.mark" in await acts(scene)


async def test_what_cannot_be_marked_is_refused_and_nothing_changes(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.tick()
    changing = scene.scheduler.workflows.changing
    with pytest.raises(ConflictError, match="under way"):
        await changing.mark(NAMESPACE, run, "a", b"1", **GIVEN)
    with pytest.raises(InvalidInputError, match="no step"):
        await changing.mark(NAMESPACE, run, "d", b"1", **GIVEN)
    with pytest.raises(InvalidInputError, match="not what the step returns"):
        await changing.mark(NAMESPACE, run, "b", b"{", **GIVEN)
    await stage.play(echo)
    assert stage.names == ["a", "b", "c"]


async def test_a_map_is_not_marked(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": MAP})
    run = await stage.enqueue(n=1)
    await stage.play(failing("rows"))
    with pytest.raises(ConflictError, match="is a map"):
        await scene.scheduler.workflows.changing.mark(NAMESPACE, run, "bill", b"[]", **GIVEN)


async def test_a_fork_begins_at_its_step_with_the_results_before_it(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.play(echo)
    changing = scene.scheduler.workflows.changing
    preview, none = await changing.fork(NAMESPACE, run, "b", None, **PREVIEW)
    assert (preview.steps, none) == (["b", "c"], None)
    stage.started.clear()
    _, fork = await changing.fork(NAMESPACE, run, "b", None, **GIVEN)
    await stage.play(echo)

    assert fork is not None
    assert await stage.state(fork) is RunState.SUCCEEDED
    assert stage.names == ["b", "c"]
    assert (await stage.run(fork)).result == (await stage.run(run)).result
    assert "workflow.fork" in await acts(scene)


async def test_a_retry_in_a_fork_leaves_the_runs_of_its_origin_alone(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.play(echo)
    _, fork = await scene.scheduler.workflows.changing.fork(NAMESPACE, run, "c", None, **GIVEN)
    await stage.play(echo)
    assert fork is not None
    before = await attempts(stage, run)
    await scene.scheduler.workflows.operations.retry_from(NAMESPACE, fork, "a", actor=ANNA)
    await stage.play(echo)

    assert await stage.state(fork) is RunState.SUCCEEDED
    assert await attempts(stage, run) == before
    assert (await attempts(stage, fork)).keys().isdisjoint(before)


async def attempts(stage: WorkflowScene, run: RunId) -> dict[RunId, int]:
    steps = await stage.scene.store.workflows.steps(run, after=None, limit=10)
    return {one.run: (await stage.run(one.run)).attempt for one in steps}


async def test_a_fork_of_a_step_that_is_not_there_is_refused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.play(echo)
    with pytest.raises(InvalidInputError, match="no step"):
        await scene.scheduler.workflows.changing.fork(NAMESPACE, run, "d", None, **GIVEN)


async def test_a_fork_goes_by_the_newest_version_with_the_results_that_fit(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.play(echo)
    version = await save(stage, BETWEEN)
    changing = scene.scheduler.workflows.changing
    target = await changing.target(NAMESPACE, run, None)
    preview, _ = await changing.fork(NAMESPACE, run, "new", None, **PREVIEW, target=target)
    stage.started.clear()
    _, fork = await changing.fork(NAMESPACE, run, "new", None, **GIVEN, target=target)
    await stage.play(echo)

    assert fork is not None
    assert (preview.steps, stage.names) == (["new", "c"], ["new", "c"])
    assert (await stage.state(fork), (await stage.flow(fork)).version) == (RunState.SUCCEEDED, version)
    assert set((await stage.states(fork)).values()) == {"succeeded"}
    assert (await stage.flow(run)).version == version - 1


async def test_a_fork_by_a_version_whose_steps_came_out_otherwise_is_refused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.play(echo)
    await save(stage, workflow("$.c", new=StepSpec(job="b"), a=StepSpec(job="a", after=("new",)), c=StepSpec(job="c")))
    changing = scene.scheduler.workflows.changing
    target = await changing.target(NAMESPACE, run, None)
    with pytest.raises(ConflictError, match="a has succeeded, and comes after new there") as refused:
        await changing.fork(NAMESPACE, run, "c", None, **GIVEN, target=target)

    assert refused.value.code == "version_misfit"
    assert "workflow.fork" not in await acts(scene)


async def test_a_live_run_goes_on_by_another_version_that_fits(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.tick()
    version = await save(stage, BETWEEN)
    await scene.scheduler.workflows.changing.move(NAMESPACE, run, None, **GIVEN)
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert sorted(stage.names) == ["a", "b", "c", "new"]
    assert (await stage.flow(run)).version == version
    assert "workflow.move" in await acts(scene)


async def test_a_version_that_does_not_fit_is_refused_with_all_misfits(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.tick()
    await save(stage, workflow("$.c", c=StepSpec(job="c"), b=StepSpec(job="b")))
    before = await stage.flow(run)
    with pytest.raises(ConflictError, match="a has begun, and that version has no such step"):
        await scene.scheduler.workflows.changing.move(NAMESPACE, run, None, **GIVEN)
    with pytest.raises(NotFoundError):
        await scene.scheduler.workflows.changing.move(NAMESPACE, run, 99, **GIVEN)
    assert msgspec.to_builtins(await stage.flow(run)) == msgspec.to_builtins(before)


async def test_a_failed_run_is_resumed_by_the_newest_version(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue(x=1)
    await stage.play(failing("b"))
    assert await stage.state(run) is RunState.FAILED
    await save(stage, BETWEEN)
    changing, operations = scene.scheduler.workflows.changing, scene.scheduler.workflows.operations
    with pytest.raises(ConflictError, match="is over"):
        await changing.move(NAMESPACE, run, None, **GIVEN)
    stage.started.clear()
    await operations.resume(NAMESPACE, run, actor=ANNA, target=await changing.target(NAMESPACE, run, None))
    await stage.play(echo)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert sorted(stage.names) == ["b", "c", "new"]
