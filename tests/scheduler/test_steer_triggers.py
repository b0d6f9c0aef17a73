"""What people do with triggers: all or none, against the revision they have seen, with a word in the audit log."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.fire_times.preview import Previewed
from mainspring.domain.triggers.spec import AnyRule, At, Cron, Every, TriggerSpec, Webhook
from mainspring.domain.triggers.trigger import Trigger, TriggerState
from mainspring.errors import ConflictError, InvalidInputError, MainspringError, NotFoundError, StaleError
from mainspring.scheduler.operations import trigger_queries
from mainspring.scheduler.operations.triggers import TriggerOperations
from mainspring.scheduler.triggers.count_forecasts import Question
from mainspring.store.interface import AuditFilter
from mainspring.store.interface.triggers import TriggerFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import FakeClock
from tests.scheduler.forecasts import counted
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA, DAY

DAILY = Cron(expressions=("0 9 * * *",))


@pytest.fixture
async def scene(clock: FakeClock) -> AsyncIterator[Scene]:
    store = SqliteStore.inline(clock=clock)
    await store.migrate()
    made = Scene(store, clock)
    await made.start()
    executor = made.executor()
    schema = msgspec.json.encode({"type": "object", "properties": {"day": {"type": "integer"}}})
    executor.jobs = [msgspec.structs.replace(executor.jobs[0], schema=schema)]
    await executor.connect()
    yield made
    await made.stop()
    await store.close()


@pytest.fixture
def triggers(scene: Scene) -> TriggerOperations:
    return scene.scheduler.triggers


def spec(name: str = "nightly", when: AnyRule = DAILY, **said: Any) -> TriggerSpec:
    return TriggerSpec(**{"name": name, "job": "report", "when": when, **said})


async def define(triggers: TriggerOperations, *specs: TriggerSpec, **said: Any) -> list[Trigger]:
    return await triggers.define(NAMESPACE, specs, actor=ANNA, **said)


async def names(triggers: TriggerOperations) -> list[str]:
    return [each.name for each in await triggers.list(TriggerFilter(namespace=NAMESPACE))]


async def acts(scene: Scene) -> list[tuple[str, str, Any]]:
    entries = await scene.store.access.audit(AuditFilter(kind="trigger"))
    return [(entry.act, entry.key, msgspec.json.decode(entry.details)) for _, entry in reversed(entries)]


async def test_a_trigger_is_made_and_changed_and_grows_a_revision_with_each_change(
    scene: Scene, triggers: TriggerOperations
) -> None:
    [made] = await define(triggers, spec())
    [same] = await define(triggers, spec())
    [changed] = await define(triggers, spec(description="for the books"), note="asked by Anna")

    assert [each.revision for each in (made, same, changed)] == [1, 1, 2]
    assert made.next_due == changed.next_due == scene.clock.now().replace(hour=9) + DAY
    assert await triggers.get(NAMESPACE, "nightly") == changed


async def test_all_are_defined_or_none(triggers: TriggerOperations) -> None:
    good = [spec(f"t{number}") for number in range(300)]
    with pytest.raises(InvalidInputError) as refused:
        await define(triggers, *good, spec("bad", Cron(expressions=("99 * * * *",))))
    assert refused.value.field == "triggers[300].when.expressions[0]"
    assert await names(triggers) == []

    made = await define(triggers, *good)

    assert [each.name for each in made] == [each.name for each in good]
    assert len({each.id for each in made}) == 300


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"job": "reprot"}, "unknown_job"),
        ({"calendar": "none"}, "unknown_calendar"),
        ({"input": msgspec.Raw(b'{"day": "monday"}')}, "bad_arguments"),
        ({"input": msgspec.Raw(b"[]")}, "bad_input"),
        ({"when": Webhook(), "input": msgspec.Raw(b"7")}, "bad_input"),
        ({"when": At(at=FakeClock().now() - DAY)}, "bad_trigger"),
    ],
)
async def test_what_does_not_fit_is_refused_and_changes_nothing(
    triggers: TriggerOperations, said: dict[str, Any], code: str
) -> None:
    with pytest.raises(MainspringError) as refused:
        await define(triggers, spec(**said))

    assert refused.value.code == code
    assert await names(triggers) == []


async def test_the_same_name_twice_is_refused(triggers: TriggerOperations) -> None:
    with pytest.raises(InvalidInputError) as refused:
        await define(triggers, spec(), spec())

    assert refused.value.field == "triggers[1].name"


async def test_what_others_changed_is_not_overwritten(triggers: TriggerOperations) -> None:
    with pytest.raises(NotFoundError):
        await define(triggers, spec(), match=1)
    await define(triggers, spec(), create=True)
    await define(triggers, spec(description="new"), match=1)

    with pytest.raises(ConflictError):
        await define(triggers, spec(), create=True)
    with pytest.raises(StaleError):
        await define(triggers, spec(), match=1)
    with pytest.raises(StaleError):
        await triggers.delete(NAMESPACE, "nightly", actor=ANNA, match=1)


async def test_one_that_is_over_may_be_defined_as_it_is(scene: Scene, triggers: TriggerOperations) -> None:
    once = spec(when=At(at=scene.clock.now() + timedelta(seconds=5)))
    await define(triggers, once)
    scene.clock.advance(10)
    await scene.scheduler.timing.firing.tick()

    [same] = await define(triggers, once)

    assert (same.state, same.revision) == (TriggerState.ENDED, 1)


async def test_everything_that_people_do_is_in_the_audit_log(scene: Scene, triggers: TriggerOperations) -> None:
    await define(triggers, spec(), note="for the books")
    await define(triggers, spec("a"), spec("b"))
    await triggers.pause(NAMESPACE, "nightly", reason="holidays", actor=ANNA)
    await triggers.pause(NAMESPACE, "nightly", reason="again", actor=ANNA)
    await triggers.resume(NAMESPACE, "nightly", actor=ANNA)
    _, skipped = await triggers.skip_next(NAMESPACE, "nightly", actor=ANNA)
    await triggers.delete(NAMESPACE, "nightly", actor=ANNA, reason="done")

    found = await acts(scene)
    assert [(act, key) for act, key, _ in found] == [
        ("trigger.define", "nightly"),
        ("trigger.define", "2 triggers"),
        ("trigger.pause", "nightly"),
        ("trigger.resume", "nightly"),
        ("trigger.skip", "nightly"),
        ("trigger.delete", "nightly"),
    ]
    details = [each for _, _, each in found]
    assert (details[0]["note"], details[0]["before"], details[0]["after"]["job"]) == ("for the books", None, "report")
    assert (details[2], details[5]) == ({"reason": "holidays"}, {"note": "done", "ledger": 1})
    assert skipped == scene.clock.now().replace(hour=9) + DAY
    assert details[4] == {"instant": skipped.isoformat().replace("+00:00", "Z")}


async def test_what_was_due_when_a_trigger_is_deleted_is_in_the_ledger_and_the_audit_log(
    scene: Scene, triggers: TriggerOperations
) -> None:
    [made] = await define(triggers, spec())
    scene.clock.advance(3 * DAY.total_seconds())
    await triggers.delete(NAMESPACE, "nightly", actor=ANNA)

    now = scene.clock.now()
    [span] = await scene.store.triggers.skips(made.id, since=now - 9 * DAY, until=now, limit=9)
    assert span == Span(now.replace(hour=9) - 2 * DAY, now.replace(hour=9), SkipReason.DELETED)
    assert (await acts(scene))[-1][2] == {"skipped": [msgspec.to_builtins(span)], "ledger": made.id}


async def test_a_trigger_that_nobody_has_is_not_found(triggers: TriggerOperations) -> None:
    for act in (triggers.pause, triggers.resume, triggers.skip_next, triggers.fire_now, triggers.delete):
        with pytest.raises(NotFoundError) as refused:
            await act(NAMESPACE, "none", actor=ANNA)
        assert refused.value.code == "unknown_trigger"


async def test_a_preview_of_a_saved_interval_counts_from_when_it_was_made(
    scene: Scene, triggers: TriggerOperations
) -> None:
    saved = spec(when=Every(every=3600))
    await define(triggers, saved)
    scene.clock.advance(1234)
    now = scene.clock.now()

    found = await triggers.preview(NAMESPACE, saved, after=now, count=1)
    unsaved = await triggers.preview(NAMESPACE, spec("other", Every(every=3600)), after=now, count=1)

    assert found == [Previewed(now + timedelta(seconds=3600 - 1234), now + timedelta(seconds=3600 - 1234))]
    assert unsaved[0].at == now + timedelta(seconds=3600)


async def test_neither_preview_nor_forecast_has_what_will_be_skipped(scene: Scene, triggers: TriggerOperations) -> None:
    hourly = spec(when=Cron(expressions=("0 * * * *",)))
    await define(triggers, hourly)
    _, skipped = await triggers.skip_next(NAMESPACE, hourly.name, actor=ANNA)
    hour = timedelta(hours=1)

    [first] = await triggers.preview(NAMESPACE, hourly, after=scene.clock.now(), count=1)
    forecast = await counted(scene, Question(NAMESPACE, skipped, 2, hour))

    assert (first.at, forecast.counts) == (skipped + hour, (0, 1))


async def test_a_forecast_counts_the_triggers_that_are_active(scene: Scene, triggers: TriggerOperations) -> None:
    await define(triggers, *(spec(f"t{number}", Cron(expressions=("30 12 * * *",))) for number in range(7)))
    await triggers.pause(NAMESPACE, "t3", actor=ANNA)

    found = await counted(scene, Question(NAMESPACE, None, 2, timedelta(minutes=30)))

    assert (found.counts, found.triggers, found.complete) == ((0, 6, 0, 0), 6, True)


async def test_a_page_that_no_index_answers_ends_after_a_bounded_look_and_the_next_one_goes_on(
    scene: Scene, triggers: TriggerOperations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trigger_queries, "PAGE_LOOK", 4)
    await define(triggers, *(spec(f"t{number}") for number in range(9)), spec("t8-called", Webhook()))
    await define(triggers, spec("t6-once", At(at=scene.clock.now() + DAY)))
    asked = TriggerFilter(namespace=NAMESPACE, kind="once", limit=2)

    pages, after = [], ""
    while True:
        found, last = await triggers.page(msgspec.structs.replace(asked, after=after))
        pages.append([each.name for each in found])
        if last is None:
            break
        after = last

    assert pages == [[], ["t6-once"], []]
