"""Calendars through a whole server: triggers follow a change at once, on every server, and no instant is lost."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.calendars.spec import Blackout, CalendarSpec, CalendarVersion
from mainspring.domain.triggers.fire_times.expected import InstantState
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.spec import At, Cron, Roll, TriggerSpec
from mainspring.domain.triggers.trigger import TriggerState
from mainspring.errors import InvalidInputError, NotFoundError, StaleError
from mainspring.scheduler.operations.jobs import ANY, Expected, Words
from mainspring.scheduler.plans.apply_plan import Definitions
from mainspring.store.interface import RunFilter, TriggerFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import START, FakeClock
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import HOUR, MINUTE

ANNA = Words(actor=Actor("anna"))
NEW = Expected(absent=True)
FREEZE = Blackout(since=START + timedelta(seconds=50), until=START + 4 * MINUTE)
ONCE = TriggerSpec(name="once", job="report", when=At(at=START + 3 * MINUTE), calendar="office")


@pytest.fixture
async def scene(clock: FakeClock) -> AsyncIterator[Scene]:
    store = SqliteStore.inline(clock=clock)
    await store.migrate()
    made = Scene(store, clock)
    await made.start()
    await made.attach()
    yield made
    await made.stop()
    await store.close()


async def save(scene: Scene, expected: Expected = ANY, **fields: Any) -> CalendarVersion:
    made, _ = await scene.scheduler.calendars.put(NAMESPACE, CalendarSpec(name="office", **fields), expected, ANNA)
    return made


async def define(scene: Scene, *, roll: Roll = Roll.SKIP, end_at: datetime | None = None) -> None:
    rule = Cron(expressions=("* * * * *",))
    spec = TriggerSpec(name="tick", job="report", when=rule, calendar="office", roll=roll, end_at=end_at)
    await scene.scheduler.triggers.define(NAMESPACE, [spec], actor=ANNA.actor)


async def fire(scene: Scene, *, until: timedelta) -> None:
    while scene.clock.now() < START + until:
        scene.clock.advance(10)
        while await scene.scheduler.timing.firing.tick():
            pass


async def due(scene: Scene) -> list[str]:
    page = await scene.scheduler.list(RunFilter(namespace=NAMESPACE, oldest_first=True, limit=500))
    return [f"{run.due_at:%H:%M}" for run in page.runs]


async def test_a_change_withdraws_what_was_prepared_and_the_ledger_says_why(scene: Scene) -> None:
    await save(scene, NEW)
    await define(scene)
    await fire(scene, until=timedelta(seconds=40))
    assert await due(scene) == ["12:01"]

    await save(scene, blackouts=(FREEZE,))
    await fire(scene, until=timedelta(minutes=5))
    assert (await due(scene))[:2] == ["12:04", "12:05"]
    [found] = await scene.store.triggers.list(TriggerFilter(namespace=NAMESPACE))
    spans = await scene.store.triggers.skips(found.id, since=START, until=START + 5 * MINUTE, limit=9)
    assert spans == [Span(START + MINUTE, START + 3 * MINUTE, SkipReason.CALENDAR)]
    instants = await scene.scheduler.triggers.instants(
        NAMESPACE, "tick", since=START, until=START + 5 * MINUTE, limit=9
    )
    assert [(f"{each.at:%M}", each.reason) for each in instants] == [
        *((minute, SkipReason.CALENDAR) for minute in ("01", "02", "03")),
        ("04", None),
    ]


async def test_what_was_skipped_before_a_change_is_not_told_by_the_calendar_of_today(scene: Scene) -> None:
    await save(scene, NEW)
    await define(scene)
    scene.clock.advance(5 * 60)
    await fire(scene, until=timedelta(minutes=6))
    assert await told(scene) == [("01", "01"), ("02", "02"), ("03", "03")]

    await save(scene, blackouts=(FREEZE,))
    await fire(scene, until=timedelta(minutes=7))
    assert await told(scene) == [("01", "03")]


async def told(scene: Scene) -> list[tuple[str, str]]:
    """From when to when instants were missed."""
    found = await scene.scheduler.triggers.instants(NAMESPACE, "tick", since=START, until=START + HOUR, limit=99)
    missed = [each for each in found if each.reason is SkipReason.MISSED]
    assert InstantState.MISSING not in {each.outcome for each in found}
    return [(f"{each.at:%M}", f"{each.last or each.at:%M}") for each in missed]


async def test_what_is_left_out_at_the_end_is_in_the_ledger_though_nothing_fires_behind_it(scene: Scene) -> None:
    await save(scene, NEW, blackouts=(Blackout(since=START + 2 * MINUTE, until=START + 60 * MINUTE),))
    await define(scene, end_at=START + timedelta(minutes=4, seconds=30))
    await fire(scene, until=timedelta(minutes=5))
    [found] = await scene.store.triggers.list(TriggerFilter(namespace=NAMESPACE))

    assert await due(scene) == ["12:01"]
    assert (found.state, found.act_at) == (TriggerState.ENDED, None)
    assert await scene.store.triggers.skips(found.id, since=START, until=START + 5 * MINUTE, limit=9) == [
        Span(START + 2 * MINUTE, START + 4 * MINUTE, SkipReason.CALENDAR)
    ]


async def test_a_change_that_leaves_out_less_brings_instants_that_come_sooner(scene: Scene) -> None:
    await save(scene, NEW, blackouts=(FREEZE,))
    await define(scene)
    await fire(scene, until=timedelta(seconds=40))
    assert await due(scene) == []

    await save(scene)
    await fire(scene, until=MINUTE)
    assert (await due(scene))[0] == "12:01"


async def test_a_trigger_that_the_calendar_had_ended_goes_on_with_a_change(scene: Scene) -> None:
    await save(scene, NEW)
    await scene.scheduler.triggers.define(NAMESPACE, [ONCE], actor=ANNA.actor)
    await save(scene, blackouts=(FREEZE,))
    await fire(scene, until=MINUTE)
    assert (await scene.scheduler.triggers.get(NAMESPACE, "once")).state is TriggerState.ENDED

    await save(scene)
    await fire(scene, until=timedelta(minutes=3))
    assert await due(scene) == ["12:03"]
    await save(scene, weekdays=("sun",))
    await fire(scene, until=timedelta(minutes=4))
    assert await due(scene) == ["12:03"]


async def test_a_trigger_to_which_its_calendar_leaves_nothing_is_refused(scene: Scene) -> None:
    await save(scene, NEW, blackouts=(FREEZE,))
    triggers, words = scene.scheduler.triggers, "'office' leaves out every instant that is still to come"
    with pytest.raises(InvalidInputError, match=words) as defined:
        await triggers.define(NAMESPACE, [ONCE], actor=ANNA.actor)
    with pytest.raises(InvalidInputError, match=words) as applied:
        await scene.scheduler.applying.apply(NAMESPACE, Definitions(owner="app", triggers=[ONCE]), actor=ANNA.actor)

    assert {(one.value.code, one.value.field) for one in (defined, applied)} == {("bad_trigger", "calendar")}
    assert await triggers.list(TriggerFilter(namespace=NAMESPACE)) == []


async def test_where_days_roll_forward_a_blackout_puts_off(scene: Scene) -> None:
    await save(scene, NEW, blackouts=(FREEZE,))
    await define(scene, roll=Roll.NEXT)
    await fire(scene, until=timedelta(minutes=5))

    assert (await due(scene))[:2] == ["12:04", "12:05"]


async def test_another_server_follows_and_has_triggers_looked_at_again(scene: Scene) -> None:
    await save(scene, NEW)
    await define(scene)
    other = Scene(scene.store, scene.clock)
    await other.start()
    await other.scheduler.calendars.tick()
    await fire(other, until=timedelta(seconds=40))
    assert await due(scene) == ["12:01"]

    # Nobody has told it: it fires by the old one until it looks.
    await save(scene, blackouts=(FREEZE,))
    while await other.scheduler.timing.firing.tick():
        pass
    assert await due(scene) == ["12:01"]
    await other.scheduler.calendars.tick()
    while await other.scheduler.timing.firing.tick():
        pass
    assert await due(scene) == []
    assert other.scheduler.calendars.of(NAMESPACE, "office") is not None


async def test_a_calendar_that_is_gone_is_known_no_more(scene: Scene) -> None:
    calendars = scene.scheduler.calendars
    await save(scene, NEW)
    other = Scene(scene.store, scene.clock)
    await other.scheduler.calendars.tick()
    await calendars.delete(NAMESPACE, "office", ANY, ANNA)
    await other.scheduler.calendars.tick()

    assert calendars.of(NAMESPACE, "office") is None
    assert other.scheduler.calendars.of(NAMESPACE, "office") is None
    with pytest.raises(NotFoundError):
        await calendars.get(NAMESPACE, "office")


async def test_a_change_for_another_version_is_refused(scene: Scene) -> None:
    await save(scene, NEW)

    with pytest.raises(StaleError):
        await save(scene, NEW, weekdays=("sun",))
    with pytest.raises(InvalidInputError, match="400 days"):
        await save(scene, weekdays=("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
    assert (await scene.scheduler.calendars.get(NAMESPACE, "office")).version == 1
