"""Steps that wait for a time, an event or an approval, on each database."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.spec import StepSpec
from mainspring.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from mainspring.scheduler.triggers.events import Told
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.workflow_scene import WorkflowScene, echo, workflow

ANNA, BERT = Actor("anna"), Actor("bert")
FORM = {"type": "object", "required": ["why"], "properties": {"why": {"type": "string"}}}


def waiting(**wait: Any) -> Any:
    """One step, a wait, and a step that has its result."""
    return workflow(
        "$.w",
        a=StepSpec(job="a"),
        w=StepSpec(after=("a",), **wait),
        b=StepSpec(job="b", mapping={"got": "$.w"}),
    )


async def begun(scene: Scene, **wait: Any) -> tuple[WorkflowScene, RunId, RunId]:
    """A workflow run whose step waits, and the run of that step."""
    stage = await WorkflowScene.make(scene, {"flow": waiting(**wait)})
    run = await stage.enqueue(order=7)
    await stage.play(echo)
    [step] = [one.run for one in await scene.store.workflows.steps(run, after=None, limit=10) if one.step == 1]
    return stage, run, step


async def publish(scene: Scene, **data: Any) -> None:
    told = Told(type="paid", data=msgspec.json.encode(data))
    await scene.scheduler.called.events.tell(NAMESPACE, [told])


async def follow(stage: WorkflowScene) -> None:
    while await stage.scene.scheduler.workflows.waits.tick():
        pass
    await stage.play(echo)


async def test_a_sleep_ends_when_its_time_has_come_and_holds_no_slot_meanwhile(scene: Scene) -> None:
    stage, run, step = await begun(scene, sleep="3d")
    slept = await stage.run(step)
    assert (slept.state, slept.reason) == (RunState.WAITING, "sleep")
    await follow(stage)
    assert stage.names == ["a"]
    scene.clock.advance(timedelta(days=3).total_seconds())
    await follow(stage)

    assert stage.names == ["a", "b"]
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_an_event_ends_the_wait_that_it_matches_and_no_other(scene: Scene) -> None:
    stage, run, _ = await begun(scene, event="paid", match={"$.order": "$.input.order"})
    await publish(scene, order=8)
    await follow(stage)
    assert stage.names == ["a"]
    await publish(scene, order=7, sum=20)
    await follow(stage)

    assert stage.started[-1] == ("b", {"got": {"order": 7, "sum": 20}})
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_an_event_that_came_first_is_found_by_a_look_back(scene: Scene) -> None:
    wait = {"event": "paid", "match": {"$.order": "$.input.order"}}
    stage = await WorkflowScene.make(scene, {"flow": waiting(**wait, look_back="1h"), "other": waiting(**wait)})
    await publish(scene, order=7)
    run, other = await stage.enqueue(order=7), await stage.enqueue("other", order=7)
    await stage.play(echo)
    await follow(stage)

    assert await stage.state(run) is RunState.SUCCEEDED
    assert await stage.state(other) is RunState.WAITING


async def test_a_wait_fails_after_its_time_out_and_resumes_as_a_wait(scene: Scene) -> None:
    stage, run, step = await begun(scene, event="paid", timeout="2d")
    scene.clock.advance(timedelta(days=2, seconds=1).total_seconds())
    await scene.scheduler.expiring.tick()
    await stage.play(echo)
    assert await stage.state(run) is RunState.FAILED
    await scene.scheduler.workflows.operations.resume(NAMESPACE, run, actor=ANNA)
    await stage.play(echo)
    again = await stage.run(step)
    assert (again.state, again.reason) == (RunState.WAITING, "event")
    await publish(scene, order=7)
    await follow(stage)

    assert await stage.state(run) is RunState.SUCCEEDED


async def test_an_approval_needs_its_approvers_their_number_and_its_form(scene: Scene) -> None:
    wait = {"approval": "A large order", "approvers": ("anna", "bert"), "approvals": 2, "form": FORM}
    stage, _, step = await begun(scene, **wait)
    approvals = scene.scheduler.workflows.approvals
    [open_] = await approvals.list(NAMESPACE, after=None, limit=10)
    assert (open_.run, open_.about.rule.title) == (step, "A large order")
    with pytest.raises(ForbiddenError, match="not among the approvers"):
        await approvals.vote(NAMESPACE, step, actor=Actor("carl"), approved=True)
    with pytest.raises(InvalidInputError, match="missing"):
        await approvals.vote(NAMESPACE, step, actor=ANNA, approved=True)
    assert not (await approvals.vote(NAMESPACE, step, actor=ANNA, approved=True, form=b'{"why":"good"}'))[0]
    with pytest.raises(ConflictError, match="already"):
        await approvals.vote(NAMESPACE, step, actor=ANNA, approved=True, form=b'{"why":"good"}')
    assert (await approvals.vote(NAMESPACE, step, actor=BERT, approved=True, form=b'{"why":"yes"}'))[0]
    await follow(stage)

    assert stage.started[-1][1]["got"] == {"why": "yes", "approved": True, "by": ["anna", "bert"], "note": ""}
    assert await approvals.list(NAMESPACE, after=None, limit=10) == []
    with pytest.raises(NotFoundError):
        await approvals.vote(NAMESPACE, step, actor=ANNA, approved=True)


async def test_one_rejection_decides(scene: Scene) -> None:
    stage, run, step = await begun(scene, approval="A large order", approvals=2)
    await scene.scheduler.workflows.approvals.vote(NAMESPACE, step, actor=ANNA, approved=False, note="too much")
    await follow(stage)

    assert stage.started[-1][1]["got"] == {"approved": False, "by": ["anna"], "note": "too much"}
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_a_cancelled_workflow_run_asks_for_no_approval_any_more(scene: Scene) -> None:
    stage, run, step = await begun(scene, approval="A large order")
    await scene.scheduler.steering.cancel(NAMESPACE, run, actor=ANNA)
    await follow(stage)

    assert await stage.state(run) is RunState.CANCELLED
    assert await scene.scheduler.workflows.approvals.list(NAMESPACE, after=None, limit=10) == []
    with pytest.raises(NotFoundError):
        await scene.scheduler.workflows.approvals.vote(NAMESPACE, step, actor=ANNA, approved=True)
