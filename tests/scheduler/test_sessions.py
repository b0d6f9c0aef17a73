"""Executor sessions: leases, reconnects, inventories, and links that break the protocol."""

import asyncio
from datetime import datetime
from typing import Any

import pytest

from mainspring.domain.ids import SessionId
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.scheduler.facts import LeasesReclaimed
from mainspring.scheduler.sessions.gateway import GREETINGS_MAX
from mainspring.wire.codec import encode
from mainspring.wire.messages import (
    Beat,
    Goodbye,
    Holding,
    Inventory,
    Leased,
    Load,
    Refused,
    Room,
    Stale,
    Start,
)
from tests.scheduler.scene import Scene, ScriptedExecutor, until_idle
from tests.support.limits import HANG

LOAD = Load(0, 0, 0.0, 0)


async def test_a_beat_renews_the_lease_and_is_answered(scene: Scene) -> None:
    executor = await scene.attach()
    scene.clock.advance(5)
    executor.link.say(Beat(7, LOAD))
    await until_idle()
    await scene.scheduler.sessions.renewing.tick()

    assert (await executor.link.expect(Leased)).seq == 7
    [session] = await scene.store.cluster.sessions()
    assert (session.lease_until - scene.clock.now()).total_seconds() == 10


async def test_an_executor_that_stays_silent_loses_its_attempts(scene: Scene) -> None:
    await scene.let_pass(60)
    executor = await scene.attach()
    [run] = await scene.enqueue()
    heard: list[str] = []
    scene.scheduler.facts.subscribe(LeasesReclaimed, lambda _: heard.append("look everywhere"))
    await scene.dispatch()
    await executor.link.expect(Start)
    await scene.let_pass(10.9)
    assert (await scene.run(run)).state is RunState.RUNNING

    await scene.let_pass(0.2)
    lost = await scene.run(run)
    assert lost.losses == 1
    assert lost.attempt == 1
    assert heard == ["look everywhere"]


async def test_a_server_that_stood_still_reclaims_nothing_for_a_lease(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    await executor.link.expect(Start)
    scene.clock.advance(60)
    await scene.let_pass(9)
    assert (await scene.run(run)).state is RunState.RUNNING

    await scene.let_pass(2)
    assert (await scene.run(run)).losses == 1


async def test_a_dead_session_is_told_so_and_cannot_be_revived(scene: Scene) -> None:
    await scene.let_pass(11)
    executor = await scene.attach()
    await scene.let_pass(13)
    executor.link.say(Beat(1, LOAD))
    await until_idle()
    await scene.scheduler.sessions.renewing.tick()
    assert (await executor.link.expect(Refused)).code == "session_dead"

    again = scene.executor()
    again.session = executor.session
    again.link.say(again.hello())
    await scene.scheduler.attach(again.link)
    assert (await again.link.expect(Refused)).code == "session_dead"
    assert again.link.closed is not None


async def test_a_run_lost_three_times_is_quarantined(scene: Scene) -> None:
    await scene.let_pass(60)
    run = None
    for number in range(3):
        executor = await scene.attach(f"e{number}")
        if run is None:
            [run] = await scene.enqueue()
        await scene.dispatch()
        await executor.link.expect(Start)
        await scene.let_pass(13)
        await executor.disconnect()

    assert run is not None
    poisoned = await scene.run(run)
    assert (poisoned.state, poisoned.reason, poisoned.losses) == (RunState.FAILED, "quarantined", 3)


async def test_what_never_arrived_goes_back_when_the_executor_connects_again(scene: Scene) -> None:
    executor = await scene.attach()
    kept, lost = await scene.enqueue(count=2)
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await executor.disconnect()
    welcome = await executor.connect([Holding(start.token, [kept])])
    await executor.answer_welcome()

    assert welcome.stale == []
    assert (await scene.run(kept)).state is RunState.RUNNING
    assert (await scene.run(lost)).state is RunState.QUEUED
    assert (await scene.run(lost)).failures == 0


async def test_a_hello_that_is_read_too_late_puts_nothing_back(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    frozen = Scene(scene.store, scene.clock)
    await frozen.start()
    late = ScriptedExecutor(frozen, "e1", executor.session, 100, ["report"])
    late.secret = executor.secret
    await late.connect([])
    await late.disconnect()

    assert (await scene.run(run)).state is RunState.RUNNING
    await executor.settled(executor.report(start))
    assert (await scene.run(run)).state is RunState.SUCCEEDED


async def test_a_connection_that_another_one_replaces_is_ended(scene: Scene) -> None:
    executor = await scene.attach()
    replaced = executor.serving
    assert replaced is not None
    await executor.connect()
    await replaced

    [attached] = scene.scheduler.gateway.attached.values()
    assert attached.link is executor.link
    await executor.disconnect()
    assert not scene.scheduler.gateway.attached


async def test_what_is_no_longer_its_own_is_named_at_the_welcome(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await executor.settled(executor.report(start))
    await executor.disconnect()
    welcome = await executor.connect([Holding(start.token, [run])])

    assert welcome.stale == [Holding(start.token, [run])]


async def test_an_attempt_missing_from_two_inventories_goes_back(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    [run] = await scene.enqueue()
    await scene.dispatch()
    await executor.link.expect(Start)
    await take_inventory(scene, executor)
    assert (await scene.run(run)).state is RunState.RUNNING

    await take_inventory(scene, executor)
    assert (await scene.run(run)).state is RunState.QUEUED
    await scene.dispatch()
    assert (await executor.link.expect(Start)).attempts == [2]


async def test_an_inventory_with_something_foreign_is_corrected(scene: Scene) -> None:
    executor = await scene.attach()
    foreign = Holding(scene.ids.token(), scene.ids.runs(1, scene.clock.now()))
    executor.link.say(Inventory([foreign]))

    assert (await executor.link.expect(Stale)).holding == [foreign]


async def test_what_an_executor_had_to_forget_keeps_no_credit(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await scene.scheduler.settling.settle([Ended(run=run, token=start.token, outcome=Outcome.LOST)])
    [attached] = scene.scheduler.gateway.attached.values()
    executor.link.say(Inventory([Holding(start.token, start.runs)]))
    assert (await executor.link.expect(Stale)).holding == [Holding(start.token, start.runs)]

    await take_inventory(scene, executor)
    assert [credit.taken for credit in attached.credits.values()] == [1]

    await take_inventory(scene, executor)
    assert [credit.taken for credit in attached.credits.values()] == [0]


async def test_goodbye_ends_the_session_at_once(scene: Scene) -> None:
    executor = await scene.attach()
    executor.link.say(Goodbye())
    assert executor.serving is not None
    await executor.serving

    assert await scene.store.cluster.sessions() == []


async def test_a_draining_executor_gets_nothing_new(scene: Scene) -> None:
    executor = await scene.attach()
    executor.link.say(Room({"loop": 0}))
    await take_inventory(scene, executor)
    [run] = await scene.enqueue()
    await scene.dispatch()

    assert executor.link.count(Start) == 0
    assert (await scene.run(run)).state is RunState.QUEUED


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"\xff\xff", "bad_frame"),
        (b"", "bad_frame"),
        (encode([Beat(1, LOAD)]), "bad_frame"),
        (encode([]), "bad_frame"),
    ],
)
async def test_a_connection_that_does_not_start_with_hello_is_refused(scene: Scene, frame: bytes, code: str) -> None:
    executor = scene.executor()
    executor.link.say_bytes(frame)
    await scene.scheduler.attach(executor.link)

    assert (await executor.link.expect(Refused)).code == code
    assert executor.link.closed is not None
    assert await scene.store.cluster.sessions() == []


async def test_a_newer_protocol_is_refused_with_what_to_do(scene: Scene) -> None:
    executor = scene.executor()
    executor.link.say(executor.hello(protocol=99))
    await scene.scheduler.attach(executor.link)

    refused = await executor.link.expect(Refused)
    assert refused.code == "protocol_version"
    assert "upgrade" in refused.reason


async def test_a_second_hello_ends_the_connection_and_disturbs_no_other(scene: Scene) -> None:
    executor = await scene.attach("e1")
    other = await scene.attach("e2")
    executor.link.say(executor.hello())
    assert executor.serving is not None
    await executor.serving

    assert (await executor.link.expect(Refused)).code == "bad_frame"
    other.link.say(Beat(1, LOAD))
    await until_idle()
    await scene.scheduler.sessions.renewing.tick()
    assert (await other.link.expect(Leased)).seq == 1


async def take_inventory(scene: Scene, executor: ScriptedExecutor) -> None:
    """Send an inventory with nothing but a foreign attempt; the answer shows that all before it was dealt with."""
    executor.link.say(Inventory([Holding(scene.ids.token(), scene.ids.runs(1, scene.clock.now()))]))
    await executor.link.expect(Stale)


async def test_a_goodbye_is_heard_to_its_end_although_the_connection_breaks(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    cluster, closed = scene.store.cluster, asyncio.Event()
    plain_drain, plain_close = cluster.drain_session, cluster.close_session

    async def drain_session(session: SessionId) -> None:
        scene.scheduler.gateway.attached[session].supersede()
        await until_idle()
        await plain_drain(session)

    async def close_session(session: SessionId, *, now: datetime) -> None:
        await plain_close(session, now=now)
        closed.set()

    monkeypatch.setattr(cluster, "drain_session", drain_session)
    monkeypatch.setattr(cluster, "close_session", close_session)
    executor.link.say(Goodbye())
    async with asyncio.timeout(HANG):
        await closed.wait()

    assert (await scene.run(run)).state is RunState.QUEUED


async def test_a_goodbye_is_heard_although_its_executor_hears_nothing_any_more(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    executor.link.deaf = True
    scene.scheduler.gateway.leave()
    await until_idle()
    executor.link.say(Goodbye())
    assert executor.serving is not None
    executor.link.cut()
    await executor.serving

    assert (await scene.run(run)).state is RunState.QUEUED


async def test_of_many_that_come_at_once_only_some_are_greeted_at_a_time(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, greeted, most = scene.store.cluster, 0, 0
    opened = cluster.open_session

    async def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal greeted, most
        greeted += 1
        most = max(most, greeted)
        await asyncio.sleep(0)
        found = await opened(*arguments, **named)
        greeted -= 1
        return found

    monkeypatch.setattr(cluster, "open_session", counted)
    await asyncio.gather(*(scene.attach(f"e{number}") for number in range(2 * GREETINGS_MAX)))

    assert len(scene.scheduler.gateway.attached) == 2 * GREETINGS_MAX
    assert most == GREETINGS_MAX
