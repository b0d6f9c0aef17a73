"""An event makes one run of each trigger that waits for it, once, and is counted in any case."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from mainspring.domain.triggers.spec import Cron, Event, TriggerSpec
from mainspring.domain.webhooks.webhook import WebhookCall
from mainspring.errors import ConflictError, InvalidInputError, TooLargeError
from mainspring.scheduler.triggers import events as hear_events
from mainspring.store.interface import EventCount
from tests.scheduler.called_scene import CalledScene, told
from tests.scheduler.scene import NAMESPACE

GERMAN = {"$.country": msgspec.Raw(b'"de"')}


@pytest.fixture
async def scene() -> AsyncIterator[CalledScene]:
    made = await CalledScene.set()
    yield made
    await made.stop()
    await made.store.close()


async def counts(scene: CalledScene) -> list[EventCount]:
    return await scene.scheduler.called.events.counts(NAMESPACE, after="", limit=10)


async def test_every_match_is_one_run(scene: CalledScene) -> None:
    await scene.define("all", Event(type="order.paid"), job="open")
    await scene.define("german", Event(type="order.paid", filter=GERMAN), job="open", input=msgspec.Raw(b'{"vat": 19}'))
    await scene.define("lost", Event(type="order.lost"), job="open")
    answers = await scene.tell(told("order.paid", {"country": "de"}), told("order.paid", {"country": "fr"}))

    assert [(answer.event, answer.trigger) for answer in answers] == [(0, "all"), (0, "german"), (1, "all")]
    assert [run.id for run in await scene.runs()] == [answer.accepted.id for answer in answers if answer.accepted]
    assert await scene.inputs() == [{"country": "de"}, {"vat": 19, "country": "de"}, {"country": "fr"}]


async def test_an_event_without_subscribers_is_accepted_and_counted(scene: CalledScene) -> None:
    assert await scene.tell(told("nobody.waits"), told("nobody.waits")) == []
    scene.clock.advance(5)
    await scene.define("all", Event(type="order.paid"), job="open")
    await scene.tell(told("order.paid", id="1"), told("order.paid", id="1"))

    first, second = await counts(scene)
    assert (first.type, first.told, first.matched, first.unmatched) == ("nobody.waits", 2, 0, 2)
    assert (second.type, second.told, second.matched, second.unmatched) == ("order.paid", 2, 1, 0)
    assert second.last_at == scene.clock.now()


async def test_an_id_makes_an_event_once_for_each_trigger(scene: CalledScene) -> None:
    first = await scene.define("first", Event(type="paid"), job="open")
    [made] = await scene.tell(told("paid", {"a": 1}, id="e-1"))
    await scene.define("second", Event(type="paid"), job="open")
    [again, new] = await scene.tell(told("paid", {"a": 1}, id="e-1"))

    assert made.accepted is not None
    assert again.accepted is not None
    assert new.accepted is not None
    assert (again.trigger, again.accepted.id, again.accepted.existing) == (first.name, made.accepted.id, True)
    assert (new.trigger, new.accepted.existing) == ("second", False)


async def test_an_id_is_one_event_however_its_trigger_is_edited(scene: CalledScene) -> None:
    trigger = await scene.define("first", Event(type="paid"), job="open")
    await scene.tell(told("paid", {"a": 1}, id="e-1"))
    edited = TriggerSpec(name="first", job="open", when=Event(type="paid", mapping={"b": "$.a"}))
    await scene.redefine(trigger, edited)
    [again] = await scene.tell(told("paid", {"a": 1}, id="e-1"))

    assert again.accepted is not None
    assert again.accepted.existing


async def test_an_id_used_for_something_else_changes_nothing(scene: CalledScene) -> None:
    await scene.define("first", Event(type="paid"), job="open")
    await scene.tell(told("paid", {"a": 1}, id="e-1"))
    with pytest.raises(ConflictError):
        await scene.tell(told("paid", {"a": 3}), told("paid", {"a": 2}, id="e-1"))

    assert await scene.inputs() == [{"a": 1}]


async def test_a_trigger_that_cannot_take_it_keeps_nobody_else_from_it(scene: CalledScene) -> None:
    await scene.define("strict", Event(type="paid"))
    await scene.define("mapped", Event(type="paid", mapping={"file": "$.path"}))
    await scene.define("jobless", Event(type="paid"), job="nothing")
    await scene.define("paused", Event(type="paid"), job="open")
    await scene.define("open", Event(type="paid"), job="open")
    await scene.pause("paused")
    answers = await scene.tell(told("paid", {"a": 1}))

    refused = {answer.trigger: answer.refused.code for answer in answers if answer.refused is not None}
    assert refused == {
        "strict": "bad_arguments",
        "mapped": "missing_place",
        "jobless": "job_gone",
        "paused": "trigger_paused",
    }
    assert await scene.inputs() == [{"a": 1}]


@pytest.mark.parametrize(
    ("event", "field", "code"),
    [
        (hear_events.PublishedEvent(type="a b"), "type", "bad_event_type"),
        (hear_events.PublishedEvent(type="a", data=b"{"), "data", "bad_data"),
        (hear_events.PublishedEvent(type="a", data=b'"\xff"'), "data", "bad_data"),
        (hear_events.PublishedEvent(type="a", data=b"[" * 99 + b"]" * 99), "data", "input_too_deep"),
        (hear_events.PublishedEvent(type="a", id=""), "id", "bad_key"),
    ],
)
async def test_what_is_not_an_event_is_refused_by_field(
    scene: CalledScene, event: hear_events.PublishedEvent, field: str, code: str
) -> None:
    with pytest.raises(InvalidInputError) as alone:
        await scene.tell(event)
    with pytest.raises(InvalidInputError) as second:
        await scene.tell(told("fine"), event)

    assert (alone.value.field, alone.value.code) == (field, code)
    assert second.value.field == f"events[1].{field}"
    assert await counts(scene) == []


async def test_one_call_makes_only_so_many_runs(scene: CalledScene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hear_events, "RUNS_MAX", 3)
    for number in range(2):
        await scene.define(f"t{number}", Event(type="paid"), job="open")
    with pytest.raises(TooLargeError, match="more than 3"):
        await scene.tell(told("paid"), told("paid"))

    assert await scene.runs() == []


async def test_a_dry_run_says_which_place_does_not_match(scene: CalledScene) -> None:
    await scene.define("german", Event(type="paid", filter=GERMAN), job="open")
    await scene.define("daily", Cron(expressions=("0 0 * * *",)))
    trials = scene.scheduler.called.trials
    away = await trials.try_out(NAMESPACE, "german", WebhookCall({}, b'{"country": "fr"}'))
    good = await trials.try_out(NAMESPACE, "german", WebhookCall({}, b'{"country": "de"}'))

    assert (away.would_run, away.matched, away.unmet) == (False, False, "$.country")
    assert (good.would_run, good.matched, good.signed) == (True, True, None)
    with pytest.raises(ConflictError):
        await trials.try_out(NAMESPACE, "daily", WebhookCall({}, b"{}"))
    assert await scene.runs() == []
