"""Steps that wait for a time, an event or an approval, on each database."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.bulk.operation import SweepAct, SweepFilter
from mainspring.domain.ids import RunId
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.domain.waits.wait import LOOK_BACK_MAX
from mainspring.domain.workflows.spec import StepSpec
from mainspring.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from mainspring.scheduler.triggers.events import PublishedEvent
from tests.factories import add_namespace
from tests.scheduler.poison import Poison
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


async def publish(scene: Scene, **data: Any) -> int:
    """How many steps it lets go on."""
    told = PublishedEvent(type="paid", data=msgspec.json.encode(data))
    _, waits = await scene.scheduler.called.events.tell(NAMESPACE, [told])
    return waits


async def sweep_over(scene: Scene, *, job: str) -> tuple[int, int]:
    """Retry all dead letters of a job: how many were put back, and how many left to their workflow runs."""
    dead = scene.scheduler.dead
    sweep = await dead.sweep(NAMESPACE, SweepAct.RETRY, SweepFilter(job=job), actor=ANNA)
    while await dead.working.tick():
        pass
    done = await dead.get(NAMESPACE, sweep.id)
    return done.changed, done.steps


async def follow(stage: WorkflowScene) -> None:
    while await stage.scene.scheduler.workflows.waits.tick():
        pass
    await stage.play(echo)


async def test_a_sleep_ends_when_its_time_has_come_and_holds_no_slot_meanwhile(scene: Scene) -> None:
    stage, run, step = await begun(scene, sleep="3d")
    slept = await stage.run(step)
    assert (slept.state, slept.reason) == (RunState.WAITING, "sleep")
    _, [why] = await scene.scheduler.limits.why.run(NAMESPACE, step)
    assert (why.code, why.until) == ("sleep", scene.clock.now() + timedelta(days=3))
    await follow(stage)
    assert stage.names == ["a"]
    scene.clock.advance(timedelta(days=3).total_seconds())
    await follow(stage)

    assert stage.names == ["a", "b"]
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_an_event_ends_the_wait_that_it_matches_and_no_other(scene: Scene) -> None:
    stage, run, step = await begun(scene, event="paid", match={"$.order": "$.input.order"})
    _, [why] = await scene.scheduler.limits.why.run(NAMESPACE, step)
    assert (why.code, why.remedy, why.facts["places"]) == ("event", "mainspring events publish paid DATA", ["$.order"])
    assert await publish(scene, order=8) == 0
    await follow(stage)
    assert stage.names == ["a"]
    assert await publish(scene, order=7, sum=20) == 1
    await follow(stage)

    [count] = await scene.scheduler.called.events.counts(NAMESPACE, after="", limit=10)
    assert (count.told, count.unmatched) == (2, 1)
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


async def test_a_sweep_leaves_a_wait_that_failed_also_once_its_workflow_run_has_begun_anew(scene: Scene) -> None:
    stage, run, step = await begun(scene, event="paid", timeout="2d")
    scene.clock.advance(timedelta(days=2, seconds=1).total_seconds())
    await scene.scheduler.expiring.tick()
    await stage.play(echo)
    scene.clock.advance(1)
    assert await sweep_over(scene, job="flow") == (0, 1)
    # Begun anew it has other runs of its steps, and the place of this one is forgotten.
    await scene.scheduler.steering.retry(NAMESPACE, run, actor=ANNA)
    await stage.play(echo)
    assert await sweep_over(scene, job="flow") == (0, 1)
    await stage.play(echo)

    assert await stage.state(step) is RunState.FAILED
    assert stage.names == ["a", "a"]
    await publish(scene)
    await follow(stage)
    assert await stage.state(run) is RunState.SUCCEEDED


async def test_with_four_eyes_the_one_who_started_the_workflow_run_decides_nothing(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": waiting(approval="A large order", four_eyes=True)})
    [accepted] = await scene.accept(RunRequest(job="flow", by="anna"))
    await stage.play(echo)
    approvals = scene.scheduler.workflows.approvals
    [open_] = await approvals.list(NAMESPACE, after=None, limit=10)
    for approved in (True, False):
        with pytest.raises(ForbiddenError, match="anna has started this workflow run"):
            await approvals.vote(NAMESPACE, open_.run, actor=ANNA, approved=approved)
    assert (await approvals.list(NAMESPACE, after=None, limit=10))[0].votes == []
    assert (await approvals.vote(NAMESPACE, open_.run, actor=BERT, approved=True))[0]
    await follow(stage)

    assert stage.started[-1][1]["got"]["by"] == ["bert"]
    assert await stage.state(accepted.id) is RunState.SUCCEEDED


async def test_answers_go_with_the_history_of_their_run(scene: Scene) -> None:
    stage, _, step = await begun(scene, approval="A large order")
    await scene.scheduler.workflows.approvals.vote(NAMESPACE, step, actor=ANNA, approved=True)
    await follow(stage)
    rows = Poison(scene.store)
    assert await rows.count("votes") == 1
    await scene.store.cluster.prune(before=scene.clock.now() + timedelta(days=90))

    assert await rows.count("votes") == 0


async def test_events_kept_for_looks_back_go_though_the_last_workflow_is_deleted(scene: Scene) -> None:
    await scene.store.waits.tell(NAMESPACE, [("paid", b"{}")], now=scene.clock.now())
    rows = Poison(scene.store)
    scene.clock.advance(LOOK_BACK_MAX + 1)
    assert await rows.count("told") == 1
    await scene.scheduler.workflows.waits.tick()

    assert await rows.count("told") == 0


async def test_nothing_that_waits_is_left_of_a_deleted_namespace(scene: Scene) -> None:
    await begun(scene, event="paid")
    await scene.store.waits.tell(NAMESPACE, [("paid", b"{}")], now=scene.clock.now())
    await add_namespace(scene.store, "team")
    rows = Poison(scene.store)
    tables = ("waits", "wait_shapes", "told")
    for table in tables:
        await rows.move(table, NAMESPACE, "team")
    assert [await rows.count(table) for table in tables] == [1, 1, 1]
    entry = AuditEntry(
        at=scene.clock.now(), actor=ANNA, namespace="team", act="namespace.delete", kind="namespace", key="team"
    )
    await scene.store.access.delete_namespace("team", now=scene.clock.now(), entry=entry)

    assert [await rows.count(table) for table in tables] == [0, 0, 0]
