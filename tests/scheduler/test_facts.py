"""Facts reach every subscriber, in order, and no subscriber can stop another."""

import asyncio
from datetime import UTC, datetime
from functools import partial

import pytest

from mainspring.scheduler.facts import DeadlineSet, Fact, Facts, ResumeSet, RunsQueued, RunsSettled
from mainspring.wire.messages import Start
from tests.scheduler.scene import Scene

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def hear(heard: list[str], name: str, _: Fact) -> None:
    heard.append(name)


def test_subscribers_hear_in_the_order_of_their_subscription() -> None:
    facts, heard = Facts(), list[str]()
    for name in ("first", "second", "third"):
        facts.subscribe(RunsQueued, partial(hear, heard, name))

    facts.publish(RunsQueued([1]))

    assert heard == ["first", "second", "third"]


def test_a_fact_reaches_only_those_who_subscribed_to_its_kind() -> None:
    facts, heard = Facts(), list[datetime]()
    facts.subscribe(DeadlineSet, lambda fact: heard.append(fact.at))

    facts.publish(ResumeSet(NOON))
    assert heard == []
    facts.publish(DeadlineSet(NOON))
    assert heard == [NOON]


def test_a_subscriber_that_raises_is_logged_and_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    facts, heard = Facts(), list[RunsQueued]()

    def fail(_: RunsQueued) -> None:
        raise ZeroDivisionError

    facts.subscribe(RunsQueued, fail)
    facts.subscribe(RunsQueued, heard.append)
    facts.publish(RunsQueued([1]))

    assert heard == [RunsQueued([1])]
    assert [record.message for record in caplog.records] == ["a subscriber of RunsQueued failed"]


def test_several_kinds_wake_one_event() -> None:
    facts, event = Facts(), asyncio.Event()
    facts.wake(event, DeadlineSet, ResumeSet)

    facts.publish(ResumeSet(NOON))

    assert event.is_set()


async def test_a_test_can_wait_for_a_fact(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    facts = scene.scheduler.facts
    settled = asyncio.create_task(facts.expect(RunsSettled, lambda fact: run in fact.runs))
    await asyncio.sleep(0)
    facts.publish(RunsSettled([]))
    await executor.settled(executor.report(await executor.link.expect(Start)))

    assert (await settled).runs == [run]
