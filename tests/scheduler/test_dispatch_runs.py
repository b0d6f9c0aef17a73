"""Due runs reach executors in order, within their credit, and never early."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Cancel, Start
from tests.factories import new_run
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle


async def test_a_waiting_run_is_claimed_and_sent_when_an_executor_comes(scene: Scene) -> None:
    executor = await scene.attach(room=0)
    [run] = await scene.enqueue()
    able = await scene.attach("e2")
    await scene.dispatch()

    start = await able.link.expect(Start)
    assert start.runs == [run]
    assert start.attempts == [1]
    assert executor.link.count(Start) == 0
    assert (await scene.run(run)).state is RunState.RUNNING
    assert (await scene.run(run)).executor == "e2"


async def test_a_free_seat_starts_a_run_with_the_commit_that_accepts_it(scene: Scene) -> None:
    executor = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()
    (await executor.link.expect(Start))
    [second] = await scene.enqueue()

    start = await executor.link.expect(Start)
    assert start.runs == [second]
    assert (await scene.run(second)).state is RunState.RUNNING


async def test_no_run_jumps_the_line_of_older_ones(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    first, second, third = [(await scene.enqueue())[0] for _ in range(3)]
    await scene.dispatch()

    order = []
    for _ in range(3):
        start = await executor.link.expect(Start)
        order.append(start.runs[0])
        await executor.settled(executor.report(start))
        await scene.dispatch()
    assert order == [first, second, third]


async def test_credit_is_never_exceeded(scene: Scene) -> None:
    executor = await scene.attach(room=7)
    await scene.enqueue(count=20)
    await scene.dispatch()

    sent = [run for message in executor.link.heard if isinstance(message, Start) for run in message.runs]
    assert len(sent) == 7
    await scene.dispatch()
    sent = [run for message in executor.link.heard if isinstance(message, Start) for run in message.runs]
    assert len(sent) == 7


async def test_urgent_runs_go_first_over_all_handlers(scene: Scene) -> None:
    executor = await scene.attach(room=0, handlers=["report", "mail"])
    low = await scene.enqueue("report", priority=1, count=2)
    high = await scene.enqueue("mail", priority=9, count=2)
    middle = await scene.enqueue("report", priority=5)
    able = await scene.attach("e2", room=10, handlers=["report", "mail"])
    await scene.dispatch()

    start = await able.link.expect(Start)
    assert start.runs == [*high, *middle, *low]
    assert [start.names[position] for position in start.handlers] == ["mail", "mail", "report", "report", "report"]
    assert executor.link.count(Start) == 0


async def test_a_batch_is_spread_over_the_executors_with_room(scene: Scene) -> None:
    first = await scene.attach("e1", room=0)
    await scene.enqueue(count=10)
    second, third = await scene.attach("e2", room=5), await scene.attach("e3", room=5)
    await scene.dispatch()

    assert len((await second.link.expect(Start)).runs) == 5
    assert len((await third.link.expect(Start)).runs) == 5
    assert first.link.count(Start) == 0


async def test_a_future_run_starts_at_its_time_and_not_before(scene: Scene) -> None:
    executor = await scene.attach()
    due_at = scene.clock.now() + timedelta(seconds=30)
    [accepted] = await scene.accept(RunRequest(job="report", due_at=due_at))
    await scene.dispatch()
    assert executor.link.count(Start) == 0

    scene.clock.advance(29.9)
    await scene.scheduler.dispatch.tick()
    assert scene.scheduler.dispatch.period <= 0.1
    assert executor.link.count(Start) == 0

    scene.clock.advance(0.1)
    await scene.scheduler.dispatch.tick()
    assert (await executor.link.expect(Start)).runs == [accepted.id]


async def claimed_ahead(scene: Scene) -> RunId:
    """A run that was claimed a moment before its instant, which comes in 40 ms."""
    due_at = scene.clock.now() + timedelta(seconds=30)
    [accepted] = await scene.accept(RunRequest(job="report", due_at=due_at))
    await scene.dispatch()
    scene.clock.advance(29.96)
    await scene.scheduler.dispatch.tick()
    return accepted.id


async def test_a_run_is_claimed_a_moment_ahead_and_started_at_its_instant(scene: Scene) -> None:
    executor, holding = await scene.attach(), scene.scheduler.dispatch.holding
    run = await claimed_ahead(scene)
    await holding.tick()
    assert (await scene.run(run)).state is RunState.RUNNING
    assert executor.link.count(Start) == 0
    assert holding.period == pytest.approx(0.04)

    scene.clock.advance(0.04)
    await holding.tick()
    assert (await executor.link.expect(Start)).runs == [run]
    assert (await scene.run(run)).started_at == scene.clock.now()
    assert holding.idle


async def test_a_run_that_falls_due_during_a_claim_is_not_left_to_the_poll(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = await scene.attach()
    first, second = (scene.clock.now() + timedelta(seconds=after) for after in (30, 30.02))
    await scene.accept(RunRequest(job="report", due_at=first), RunRequest(job="report", due_at=second))
    await scene.dispatch()
    scene.clock.advance(30)
    claim = scene.store.runs.claim

    async def claim_slowly(*arguments: Any, **named: Any) -> Any:
        claims = await claim(*arguments, **named)
        scene.clock.advance(0.05)
        return claims

    monkeypatch.setattr(scene.store.runs, "claim", claim_slowly)
    await scene.scheduler.dispatch.tick()
    assert executor.link.count(Start) == 1

    assert scene.scheduler.dispatch.period == 0
    await scene.scheduler.dispatch.tick()
    await until_idle()
    assert executor.link.count(Start) == 2


async def test_what_is_due_now_is_not_held_for_what_falls_due(scene: Scene) -> None:
    executor, line = await emptied(scene, room=3)
    due_at = scene.clock.now() + timedelta(seconds=30)
    await scene.accept(RunRequest(job="report", due_at=due_at))
    await scene.dispatch()
    scene.clock.advance(29.96)
    # Through another server, which has not said so yet.
    unheard = new_run(1, line, due_at=scene.clock.now())
    await scene.store.runs.create(NAMESPACE, [unheard], now=scene.clock.now())

    await scene.scheduler.dispatch.tick()
    assert (await executor.link.expect(Start)).runs == [unheard.id]
    assert executor.link.count(Start) == 0


async def test_half_of_the_free_seats_are_left_to_what_comes_meanwhile(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    run = await claimed_ahead(scene)
    assert (await scene.run(run)).state is RunState.QUEUED

    scene.clock.advance(0.04)
    await scene.scheduler.dispatch.tick()
    assert (await executor.link.expect(Start)).runs == [run]


async def test_what_was_claimed_for_an_executor_that_leaves_before_the_instant_is_put_back(scene: Scene) -> None:
    executor = await scene.attach()
    run = await claimed_ahead(scene)
    await executor.disconnect()
    await until_idle()

    scene.clock.advance(0.04)
    await scene.scheduler.dispatch.holding.tick()
    await scene.scheduler.dispatch.tick()
    assert (await scene.run(run)).state is RunState.QUEUED
    other = await scene.attach("e2")
    await scene.dispatch()
    assert (await other.link.expect(Start)).runs == [run]


async def test_what_is_cancelled_between_its_claim_and_its_instant_is_not_started(scene: Scene) -> None:
    executor = await scene.attach()
    run = await claimed_ahead(scene)
    await scene.scheduler.steering.cancel(NAMESPACE, run, actor=Actor("anna", "t1"))
    await executor.link.expect(Cancel)

    scene.clock.advance(0.04)
    await scene.scheduler.dispatch.holding.tick()
    assert executor.link.count(Start) == 0


async def test_an_instant_before_all_others_is_due(scene: Scene) -> None:
    scene.scheduler.dispatch.due(datetime.min.replace(tzinfo=UTC))
    assert not await scene.scheduler.dispatch.tick()


async def test_a_run_whose_handler_nobody_has_says_so_and_delays_no_other(scene: Scene) -> None:
    leaving = await scene.attach("e1", handlers=["mail"])
    await leaving.disconnect()
    await scene.let_pass(13)
    await scene.let_pass(11)
    await scene.scheduler.catalog.tick()
    [stuck] = await scene.enqueue("mail", priority=9)
    executor = await scene.attach("e2", handlers=["report"])
    [run] = await scene.enqueue("report", priority=0)
    await scene.dispatch()

    assert (await executor.link.expect(Start)).runs == [run]
    waiting = await scene.run(stuck)
    assert (waiting.state, waiting.reason) == (RunState.WAITING, "no_executor")

    able = await scene.attach("e3", handlers=["mail"])
    await scene.dispatch()
    assert (await able.link.expect(Start)).runs == [stuck]


async def test_an_executor_that_left_during_the_claim_loses_nothing(scene: Scene) -> None:
    executor = await scene.attach(room=0)
    [run] = await scene.enqueue()
    able = await scene.attach("e2")
    scene.scheduler.dispatch.woken_all()
    scene.scheduler.dispatch._group()
    await able.disconnect()
    scene.scheduler.dispatch._regroup = False
    await scene.scheduler.dispatch.tick()

    assert (await scene.run(run)).state is RunState.QUEUED
    assert executor.link.count(Start) == 0


async def test_more_lines_than_one_claim_looks_into_are_served_by_the_next(store: Store, clock: FakeClock) -> None:
    scene = Scene(store, clock, SchedulerSettings(name="s1", lines_max=3))
    await scene.start()
    names = [f"job{number}" for number in range(10)]
    executor = await scene.attach(room=0, handlers=names)
    runs = [(await scene.enqueue(name))[0] for name in names]
    able = await scene.attach("e2", handlers=names)
    await scene.dispatch()

    sent = [run for message in able.link.heard if isinstance(message, Start) for run in message.runs]
    assert sorted(sent) == sorted(runs)
    assert executor.link.count(Start) == 0
    await scene.stop()


async def emptied(scene: Scene, room: int = 1) -> tuple[ScriptedExecutor, int]:
    """An executor with that much credit, and its line, in which nothing is left as far as the server knows."""
    executor = await scene.attach(room=room)
    await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))
    await scene.dispatch()
    [line] = scene.scheduler.catalog.lines
    return executor, line


async def test_a_run_that_was_due_long_ago_starts_as_soon_as_there_is_room(scene: Scene) -> None:
    executor, _ = await emptied(scene)
    await scene.enqueue()
    start = await executor.link.expect(Start)
    [late] = await scene.accept(RunRequest(job="report", due_at=scene.clock.now() - timedelta(hours=1)))
    await executor.settled(executor.report(start))
    await scene.scheduler.dispatch.tick()

    assert (await executor.link.expect(Start)).runs == [late.id]


async def test_a_run_that_another_server_puts_back_is_found_by_the_next_poll(scene: Scene) -> None:
    executor, line = await emptied(scene)
    run = new_run(1, line, due_at=scene.clock.now() - timedelta(hours=1))
    await scene.store.runs.create("default", [run], now=scene.clock.now())
    scene.scheduler.dispatch.woken([line])
    await scene.scheduler.dispatch.tick()
    before = executor.link.count(Start)
    scene.clock.advance(1)
    await scene.scheduler.dispatch.tick()

    assert before == 0
    assert (await executor.link.expect(Start)).runs == [run.id]


async def test_what_falls_due_behind_a_backlog_is_known_once_that_is_gone(store: Store, clock: FakeClock) -> None:
    scene = Scene(store, clock, SchedulerSettings(name="s1", claim_batch=1))
    await scene.start()
    executor, line = await emptied(scene, room=3)
    job = scene.scheduler.catalog.jobs["default", "report"].id
    runs = [new_run(job, line, due_at=clock.now()) for _ in range(2)]
    soon = new_run(job, line, due_at=clock.now() + timedelta(seconds=0.3))
    await store.runs.create("default", [*runs, soon], now=clock.now())
    clock.advance(1e-3)
    scene.scheduler.dispatch.woken_all()
    while await scene.scheduler.dispatch.tick():
        pass

    assert executor.link.count(Start) == 2
    assert scene.scheduler.dispatch.period <= 0.3
    await scene.stop()
