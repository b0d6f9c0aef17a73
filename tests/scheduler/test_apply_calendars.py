"""An owner's calendars become what code says, before the triggers that use them; a missing one blocks its own trigger only."""

from typing import Any

import pytest

from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.triggers.plan import Act
from mainspring.domain.triggers.spec import Cron, TriggerSpec
from mainspring.errors import ConflictError, InvalidInputError, StaleError
from mainspring.scheduler.operations.jobs import ANY, Expected, Words
from mainspring.scheduler.plans.apply_plan import ApplyTriggers, Definitions
from mainspring.scheduler.plans.plan_outlook import Outlook
from mainspring.store.interface import CalendarFilter
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_apply_triggers import applying, executor
from tests.words import ANNA

__all__ = ["applying", "executor"]

pytestmark = pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])

WEEKEND = CalendarSpec(name="office", weekdays=("sat", "sun"))
SUNDAY = CalendarSpec(name="office", weekdays=("sun",))
WORDS = Words(actor=ANNA)


def spec(name: str, calendar: str = "") -> TriggerSpec:
    return TriggerSpec(name=name, job="report", when=Cron(expressions=("0 6 * * *",)), calendar=calendar)


def wanted(*triggers: TriggerSpec, calendars: tuple[CalendarSpec, ...] = (), **fields: Any) -> Definitions:
    return Definitions(owner="shop", triggers=triggers, calendars=calendars, **fields)


def acts(outlook: Outlook) -> dict[str, Act]:
    calendars = {each.item.name: each.item.act for each in outlook.calendars}
    return calendars | {each.item.name: each.item.act for each in outlook.shown}


async def names(scene: Scene) -> list[str]:
    return [each.name for each in await scene.scheduler.calendars.list(CalendarFilter(namespace=NAMESPACE))]


async def test_an_unknown_calendar_blocks_its_own_trigger_until_it_is_there(
    scene: Scene, applying: ApplyTriggers
) -> None:
    both = wanted(spec("plain"), spec("careful", "office"))

    planned = await applying.plan(NAMESPACE, both)
    done = await applying.apply(NAMESPACE, both, actor=ANNA, based_on=planned.plan.based_on)
    there = await scene.store.triggers.get(NAMESPACE, "careful")
    await scene.scheduler.calendars.put(NAMESPACE, WEEKEND, Expected(absent=True), WORDS)
    again = await applying.apply(NAMESPACE, both, actor=ANNA)

    assert acts(planned) == acts(done) == {"plain": Act.ADD, "careful": Act.BLOCKED}
    assert "calendar 'office' does not exist" in done.plan.of(Act.BLOCKED)[0].reason
    assert there is None
    assert acts(again) == {"careful": Act.ADD}


async def test_a_blocked_trigger_that_is_there_stays_as_it_is(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, wanted(spec("careful")), actor=ANNA)

    done = await applying.apply(NAMESPACE, wanted(spec("careful", "office")), actor=ANNA)

    assert acts(done) == {"careful": Act.BLOCKED}
    assert (await scene.scheduler.triggers.get(NAMESPACE, "careful")).spec == spec("careful")


async def test_calendars_come_before_their_triggers_and_go_after_them(scene: Scene, applying: ApplyTriggers) -> None:
    whole = wanted(spec("careful", "office"), calendars=(WEEKEND,))

    planned = await applying.plan(NAMESPACE, whole)
    done = await applying.apply(NAMESPACE, whole, actor=ANNA, based_on=planned.plan.based_on)
    kept = await applying.plan(NAMESPACE, whole)
    gone = await applying.apply(NAMESPACE, wanted(), actor=ANNA)

    assert acts(planned) == acts(done) == {"office": Act.ADD, "careful": Act.ADD}
    assert planned.shown[0].next_after == done.shown[0].next_after
    assert all(each.isoweekday() < 6 for each in done.shown[0].next_after)
    assert (acts(kept), kept.others_kept) == ({}, 1)
    assert acts(gone) == {"office": Act.REMOVE, "careful": Act.REMOVE}
    assert await names(scene) == []


async def test_a_calendar_in_use_is_not_removed_and_the_reason_is_said(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, wanted(calendars=(WEEKEND,)), actor=ANNA)
    await scene.scheduler.triggers.define(NAMESPACE, [spec("by-hand", "office")], actor=ANNA)

    planned = await applying.plan(NAMESPACE, wanted())
    done = await applying.apply(NAMESPACE, wanted(spec("other")), actor=ANNA)

    assert acts(planned) == {"office": Act.BLOCKED}
    assert acts(done) == {"office": Act.BLOCKED, "other": Act.ADD}
    assert "is used by trigger 'by-hand'" in done.calendars[0].item.reason
    assert await names(scene) == ["office"]


async def test_a_change_shows_the_triggers_that_fire_at_other_instants(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, wanted(spec("careful", "office"), calendars=(WEEKEND,)), actor=ANNA)

    planned = await applying.plan(NAMESPACE, wanted(spec("careful", "office"), calendars=(SUNDAY,)))

    [office] = planned.calendars
    assert office.item.act is Act.CHANGE
    assert [(each.path, each.before, each.after) for each in office.item.changes] == [
        ("weekdays", ["sat", "sun"], ["sun"])
    ]
    assert [each.trigger.name for each in office.impacts] == ["careful"]


async def test_an_edit_elsewhere_is_drift_with_its_author_and_is_put_back(
    scene: Scene, applying: ApplyTriggers
) -> None:
    whole = wanted(calendars=(WEEKEND,))
    await applying.apply(NAMESPACE, whole, actor=ANNA)
    await scene.scheduler.calendars.put(NAMESPACE, SUNDAY, ANY, WORDS)

    [office] = (await applying.plan(NAMESPACE, whole)).calendars
    await applying.apply(NAMESPACE, whole, actor=ANNA)
    back = await scene.scheduler.calendars.get(NAMESPACE, "office")

    assert office.item.act is Act.CHANGE
    assert office.item.drift is not None
    assert (office.item.drift.by, office.item.drift.changes[0].path) == (ANNA.name, "weekdays")
    assert (back.spec, back.owner, back.applied) == (WEEKEND, "shop", back.version)


async def test_a_calendar_of_another_owner_stops_everything_unless_it_is_adopted(
    scene: Scene, applying: ApplyTriggers
) -> None:
    await scene.scheduler.calendars.put(NAMESPACE, WEEKEND, Expected(absent=True), WORDS)

    with pytest.raises(ConflictError, match="was made by hand"):
        await applying.apply(NAMESPACE, wanted(spec("plain"), calendars=(WEEKEND,)), actor=ANNA)
    nothing = await scene.store.triggers.get(NAMESPACE, "plain")
    await applying.apply(NAMESPACE, wanted(spec("plain"), calendars=(WEEKEND,), adopt=True), actor=ANNA)

    assert nothing is None
    assert (await scene.scheduler.calendars.get(NAMESPACE, "office")).owner == "shop"


async def test_a_conflict_of_a_trigger_leaves_the_calendars_alone(scene: Scene, applying: ApplyTriggers) -> None:
    await scene.scheduler.triggers.define(NAMESPACE, [spec("taken")], actor=ANNA)

    with pytest.raises(ConflictError, match="was made by hand"):
        await applying.apply(NAMESPACE, wanted(spec("taken"), calendars=(WEEKEND,)), actor=ANNA)

    assert await names(scene) == []


async def test_a_plan_made_from_another_version_of_a_calendar_is_stale(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, wanted(calendars=(WEEKEND,)), actor=ANNA)
    planned = await applying.plan(NAMESPACE, wanted(calendars=(SUNDAY,)))
    await scene.scheduler.calendars.put(NAMESPACE, CalendarSpec(name="office"), ANY, WORDS)

    with pytest.raises(StaleError):
        await applying.apply(NAMESPACE, wanted(calendars=(SUNDAY,)), actor=ANNA, based_on=planned.plan.based_on)

    assert (await scene.scheduler.calendars.get(NAMESPACE, "office")).spec == CalendarSpec(name="office")


async def test_a_calendar_that_could_not_be_kept_is_refused_with_its_place(applying: ApplyTriggers) -> None:
    never = CalendarSpec(name="never", weekdays=("mon", "tue", "wed", "thu", "fri", "sat", "sun"))

    with pytest.raises(InvalidInputError, match=r"calendars\[1\]\.weekdays"):
        await applying.plan(NAMESPACE, wanted(calendars=(WEEKEND, never)))
    with pytest.raises(InvalidInputError, match=r"calendars\[1\]\.name"):
        await applying.plan(NAMESPACE, wanted(calendars=(WEEKEND, SUNDAY)))
