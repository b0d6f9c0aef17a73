"""What a server does beside carrying runs: time, history, hints, and what handlers say."""

import asyncio
from datetime import timedelta

import pytest

from mainspring.domain.ids import Ids
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.errors import NotFoundError, StoreUnavailableError
from mainspring.scheduler.engine import Scheduler
from mainspring.scheduler.facts import HintReceived
from mainspring.settings import SchedulerSettings
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Logs, Reports, Start
from tests.scheduler.scene import NAMESPACE, Scene, until_idle
from tests.support.postgres import Postgres


async def test_a_servers_clock_follows_the_database(store: Store, clock: FakeClock) -> None:
    shifts: list[timedelta] = []
    scheduler = Scheduler(store, SchedulerSettings(name="s1"), clock, Ids(), follow=shifts.append)
    await scheduler.joining.tick()

    apart = await store.clock() - clock.now()
    assert abs(shifts[0] - apart) < timedelta(seconds=5)


async def test_history_older_than_its_retention_is_dropped(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))
    scene.clock.advance(29 * 86400)
    await scene.scheduler.pruning.tick()
    assert (await scene.run(run)).state.final

    scene.clock.advance(3 * 86400)
    await scene.scheduler.pruning.tick()
    with pytest.raises(NotFoundError):
        await scene.run(run)


async def test_what_a_handler_says_can_be_read(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    lines = [LogEntry(run, start.token, seq, 1_900_000_000_000_000, 20, f"line {seq}") for seq in range(3)]
    executor.link.say(Logs(lines), Reports([Progress(run, start.token, 0.5, "half")]))
    await until_idle()
    await scene.scheduler.sessions.telemetry.tick()

    page = await scene.scheduler.logs(NAMESPACE, run, after=0, limit=10)
    assert [entry.message for _, entry in page] == ["line 0", "line 1", "line 2"]
    progress = (await scene.scheduler.get(NAMESPACE, run)).progress
    assert progress is not None
    assert (progress.fraction, progress.note) == (0.5, "half")


async def test_hints_wake_other_servers_and_not_oneself(postgres: Postgres, clock: FakeClock) -> None:
    url = await postgres.create_migrated()
    here, there = await open_store(url), await open_store(url)
    first, second = (Scheduler(one, SchedulerSettings(name="s"), clock, Ids()) for one in (here, there))
    heard: asyncio.Queue[HintReceived] = asyncio.Queue()
    echoes: list[HintReceived] = []
    first.facts.subscribe(HintReceived, echoes.append)
    second.facts.subscribe(HintReceived, heard.put_nowait)
    for scheduler in (first, second):
        await scheduler.joining.tick()
    await first.joining.tick()
    await first.hints.tick()
    await second.hints.tick()
    first.hints.add([7, 3])
    sending = asyncio.create_task(first.hints.tick())

    assert await heard.get() == HintReceived([3, 7])
    # The hint may be heard before its sender has learnt that it was sent, and only then does it pause.
    while not sending.done():
        clock.advance(1)
        await asyncio.sleep(0)
    assert echoes == []
    await here.close()
    await there.close()
    await postgres.drop_database(url)


async def test_a_server_alone_sends_no_hints(scene: Scene) -> None:
    await scene.scheduler.joining.tick()
    scene.scheduler.hints.add([1])

    assert scene.scheduler.hints.alone
    assert not scene.scheduler.hints.wake.is_set()


async def test_a_server_is_not_ready_while_the_store_is_away(scene: Scene) -> None:
    assert scene.scheduler.readiness().ready

    scene.scheduler._health.ill("dispatch_runs", str(StoreUnavailableError("PostgreSQL: connection refused")))
    assert scene.scheduler.readiness().reason == "PostgreSQL: connection refused"
    scene.scheduler._health.well("dispatch_runs")
    assert scene.scheduler.readiness().ready
