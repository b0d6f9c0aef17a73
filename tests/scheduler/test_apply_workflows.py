"""An owner's workflows become what its set says, before the triggers that start them; drift is told, versions are kept."""

from typing import Any

import pytest

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.triggers.plan import Act
from mainspring.domain.triggers.spec import Cron, TriggerSpec
from mainspring.domain.workflows.definitions.fields import definition_of, job_of, steps_of
from mainspring.errors import ConflictError, InvalidInputError, StaleError
from mainspring.scheduler.operations.jobs import ANY, Words
from mainspring.scheduler.plans.apply_plan import ApplyTriggers, Definitions
from mainspring.scheduler.plans.plan_outlook import Outlook
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_apply_triggers import applying, executor
from tests.words import ANNA

__all__ = ["applying", "executor"]

pytestmark = pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])

WORDS = Words(actor=ANNA)


def flow(name: str = "night", *steps: str, **fields: Any) -> JobSpec:
    made = {"steps": {step: {"job": "report"} for step in steps or ("first",)}, **fields}
    return job_of(name, steps_of(made), made)


def wanted(*workflows: JobSpec, triggers: tuple[TriggerSpec, ...] = (), **fields: Any) -> Definitions:
    return Definitions(owner="shop", triggers=triggers, workflows=workflows, **fields)


def acts(outlook: Outlook) -> dict[str, Act]:
    found = {item.name: item.act for item in outlook.workflows}
    return found | {each.item.name: each.item.act for each in outlook.shown}


async def versions(scene: Scene, name: str) -> list[int]:
    found = await scene.scheduler.jobs.versions(NAMESPACE, name, before=None, limit=10)
    return [one.version for one in found]


async def test_what_is_planned_is_done_and_a_trigger_may_start_a_workflow_of_its_own_set(
    scene: Scene, applying: ApplyTriggers
) -> None:
    nightly = TriggerSpec(name="nightly", job="night", when=Cron(expressions=("0 2 * * *",)))
    whole = wanted(flow(), triggers=(nightly,))

    planned = await applying.plan(NAMESPACE, whole)
    absent = await scene.store.jobs.get(NAMESPACE, "night")
    done = await applying.apply(NAMESPACE, whole, actor=ANNA, based_on=planned.plan.based_on)
    again = await applying.plan(NAMESPACE, whole)

    assert absent is None
    assert acts(planned) == acts(done) == {"night": Act.ADD, "nightly": Act.ADD}
    assert (acts(again), again.others_kept) == ({}, 1)
    assert (await scene.scheduler.jobs.get(NAMESPACE, "night")).owner == "shop"


async def test_a_change_makes_a_version_names_its_fields_and_can_be_rolled_back(
    scene: Scene, applying: ApplyTriggers
) -> None:
    await applying.apply(NAMESPACE, wanted(flow()), actor=ANNA)
    longer = wanted(flow("night", "first", "second", runs_at_once=3))

    planned = await applying.plan(NAMESPACE, longer)
    await applying.apply(NAMESPACE, longer, actor=ANNA)
    made = await versions(scene, "night")
    await scene.scheduler.jobs.roll_back(NAMESPACE, "night", 1, ANY, WORDS)
    after = await applying.plan(NAMESPACE, longer)

    assert [change.path for change in planned.workflows[0].changes] == ["runs_at_once", "steps.second"]
    assert made == [2, 1]
    [item] = after.workflows
    assert item.act is Act.CHANGE
    assert item.drift is not None
    assert (item.drift.by, [change.path for change in item.drift.changes]) == (
        ANNA.name,
        ["runs_at_once", "steps.second"],
    )


async def test_an_edit_that_the_set_takes_over_is_no_drift_any_more(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, wanted(flow()), actor=ANNA)
    edited = flow("night", "first", "second")
    await scene.scheduler.jobs.put(NAMESPACE, edited, ANY, WORDS)

    await applying.apply(NAMESPACE, wanted(edited), actor=ANNA)

    job = await scene.scheduler.jobs.get(NAMESPACE, "night")
    assert (job.version, job.applied, acts(await applying.plan(NAMESPACE, wanted(edited)))) == (2, 2, {})


async def test_one_that_left_the_set_goes_after_its_trigger_unless_it_is_in_use(
    scene: Scene, applying: ApplyTriggers
) -> None:
    nightly = TriggerSpec(name="nightly", job="night", when=Cron(expressions=("0 2 * * *",)))
    await applying.apply(NAMESPACE, wanted(flow(), flow("day"), triggers=(nightly,)), actor=ANNA)
    other = Definitions(owner="other", triggers=(TriggerSpec(name="daily", job="day", when=nightly.when),))
    await applying.apply(NAMESPACE, other, actor=ANNA)

    done = await applying.apply(NAMESPACE, wanted(), actor=ANNA)

    assert acts(done) == {"night": Act.REMOVE, "day": Act.BLOCKED, "nightly": Act.REMOVE}
    assert "daily" in next(item.reason for item in done.workflows if item.act is Act.BLOCKED)
    assert await scene.store.jobs.get(NAMESPACE, "night") is None
    assert await scene.store.jobs.get(NAMESPACE, "day") is not None


async def test_workflows_that_run_each_other_leave_together_and_a_step_s_job_cannot_be_deleted(
    scene: Scene, applying: ApplyTriggers
) -> None:
    inner, made = flow("inner"), {"steps": {"all": {"job": "inner"}}}
    outer = job_of("a-first-by-name", steps_of(made), made)
    last = job_of("z-last-by-name", steps_of(made), made)
    await applying.apply(NAMESPACE, wanted(inner, outer, last), actor=ANNA)

    with pytest.raises(ConflictError, match="is run by step 'all' of workflow"):
        await scene.scheduler.jobs.delete(NAMESPACE, "inner", ANY, WORDS)
    kept = await scene.store.jobs.get(NAMESPACE, "inner")
    done = await applying.apply(NAMESPACE, wanted(), actor=ANNA)

    assert kept is not None
    assert set(acts(done).values()) == {Act.REMOVE}
    assert await scene.store.jobs.get(NAMESPACE, "inner") is None


async def test_a_name_that_another_has_is_a_conflict_until_it_is_adopted(scene: Scene, applying: ApplyTriggers) -> None:
    await scene.scheduler.jobs.put(NAMESPACE, flow(), ANY.__class__(absent=True), WORDS)

    planned = await applying.plan(NAMESPACE, wanted(flow()))
    with pytest.raises(ConflictError, match="made by hand") as refused:
        await applying.apply(NAMESPACE, wanted(flow()), actor=ANNA)
    await applying.apply(NAMESPACE, wanted(flow(), adopt=True), actor=ANNA)

    assert acts(planned) == {"night": Act.CONFLICT}
    assert refused.value.code == "workflow_owned"
    assert (await scene.scheduler.jobs.get(NAMESPACE, "night")).owner == "shop"


async def test_a_job_with_a_handler_cannot_become_a_workflow(applying: ApplyTriggers) -> None:
    rest = {"steps": {"rest": {"sleep": "1s"}}}
    planned = await applying.plan(NAMESPACE, wanted(job_of("report", steps_of(rest), rest), adopt=True))

    assert acts(planned) == {"report": Act.CONFLICT}
    assert "job with a handler" in planned.workflows[0].reason


async def test_a_workflow_of_executors_code_is_its_apps_own_and_a_conflict_for_others(
    scene: Scene, applying: ApplyTriggers
) -> None:
    await scene.store.jobs.register(NAMESPACE, [flow()], now=scene.clock.now())

    others = await applying.plan(NAMESPACE, wanted(flow()))
    own = await applying.plan(NAMESPACE, wanted(flow(), code=True))
    changed = await applying.plan(NAMESPACE, wanted(flow("night", "first", "second"), code=True))

    assert (acts(others), acts(own), acts(changed)) == ({"night": Act.CONFLICT}, {}, {"night": Act.CHANGE})
    assert "defined by the code of executors" in others.workflows[0].reason


@pytest.mark.parametrize(
    ("made", "field", "code"),
    [
        ({"steps": {"a": {"job": "nothing"}}}, "workflows[0].steps.a.job", "unknown_job"),
        ({"steps": {"a": {"job": "night"}}}, "workflows[0].steps.a.job", "workflow_loop"),
        (
            {"steps": {"a": {"job": "report", "after": ["b"]}, "b": {"job": "report", "after": ["a"]}}},
            "workflows[0].steps",
            "cycle",
        ),
    ],
)
async def test_what_cannot_be_saved_names_its_place_and_changes_nothing(
    scene: Scene, applying: ApplyTriggers, made: dict[str, Any], field: str, code: str
) -> None:
    spec = job_of("night", steps_of(made), made)
    with pytest.raises(InvalidInputError) as refused:
        await applying.apply(NAMESPACE, wanted(spec, flow("day")), actor=ANNA)

    assert (refused.value.field[: len(field)], refused.value.code) == (field, code)
    assert await scene.store.jobs.get(NAMESPACE, "day") is None


async def test_a_plan_that_has_become_another_is_stale(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, wanted(flow()), actor=ANNA)
    planned = await applying.plan(NAMESPACE, wanted(flow("night", "first", "second")))
    await scene.scheduler.jobs.put(NAMESPACE, flow("night", "other"), ANY, WORDS)

    with pytest.raises(StaleError):
        await applying.apply(
            NAMESPACE, wanted(flow("night", "first", "second")), actor=ANNA, based_on=planned.plan.based_on
        )


def test_a_definition_makes_the_job_that_it_was_written_from(database: str) -> None:
    made = flow(
        "night",
        "first",
        "second",
        schema={"type": "object", "properties": {"n": {"type": "integer"}}},
        returns={"type": "string"},
        input={"n": 1},
        queue="slow",
        priority=7,
        deadline=7200.0,
        start_within=60.0,
        runs_at_once=20,
        fail_fast=True,
        policy={"history": "failures"},
        description="By night.",
    )
    written = definition_of(made)

    assert job_of("night", steps_of(written), written) == made, database
