"""What a running workflow cannot use fails its step with what and where, on each database."""

from typing import Any

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.maps import ITEMS_MAX
from mainspring.errors import ConflictError
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_workflows import CHAIN, MAP
from tests.scheduler.workflow_scene import WorkflowScene, echo

ANNA = Actor("anna")


async def reason_of(stage: WorkflowScene, run: RunId, step: int) -> str | None:
    """Why the run of a step failed."""
    found = await stage.scene.store.workflows.steps(run, after=None, limit=10)
    [failed] = [one.run for one in found if one.step == step]
    return (await stage.run(failed)).reason


@pytest.mark.parametrize(
    ("made", "code"),
    [({"no": "list"}, "not_a_list"), (7, "not_a_list"), ([0] * (ITEMS_MAX + 1), "too_many_items")],
    ids=["an object", "a number", "too many items"],
)
async def test_a_map_over_what_is_no_list_fails_its_step(scene: Scene, made: Any, code: str) -> None:
    stage = await WorkflowScene.make(scene, {"flow": MAP})
    run = await stage.enqueue(n=1)
    await stage.play(lambda _name, _given: made)

    assert await stage.state(run) is RunState.FAILED
    assert (await stage.states(run))["bill"] == "failed"
    assert await reason_of(stage, run, 1) == code


async def test_resume_of_one_that_succeeded_is_refused_and_nothing_runs(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.play(echo)
    stage.started.clear()
    with pytest.raises(ConflictError, match="no step that failed"):
        await scene.scheduler.workflows.operations.resume(NAMESPACE, run, actor=ANNA)
    await stage.play(echo)

    assert stage.names == []
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_retry_from_a_step_that_is_under_way_is_refused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    with pytest.raises(ConflictError, match="a is under way"):
        await scene.scheduler.workflows.operations.retry_from(NAMESPACE, run, "a", actor=ANNA)
    await stage.play(echo)
    assert stage.names == ["a", "b", "c"]
