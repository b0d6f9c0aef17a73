"""A server whose store goes away in the moments after it came up, or as it leaves: it waits, and ends as it should."""

import asyncio
from typing import Any

import pytest

from mainspring.domain.ids import Ids
from mainspring.errors import StoreUnavailableError
from mainspring.scheduler.engine import LEARN_EVERY, Scheduler
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock


class Away:
    """A part of a store that answers nothing the first time."""

    def __init__(self, part: Any, times: int = 1) -> None:
        self._part = part
        self._times = times

    def __getattr__(self, name: str) -> Any:
        act = getattr(self._part, name)

        async def call(*arguments: Any, **named: Any) -> Any:
            self._times -= 1
            if self._times >= 0:
                raise StoreUnavailableError("the database system is shutting down")
            return await act(*arguments, **named)

        return call


async def ready(scheduler: Scheduler, clock: FakeClock) -> None:
    while not scheduler.readiness().ready:
        clock.advance(LEARN_EVERY)
        await asyncio.sleep(0)


@pytest.mark.parametrize("part", ["cluster", "jobs", "access", "calendars"])
async def test_a_server_waits_for_a_store_that_is_gone_once_it_listens(
    store: Store, clock: FakeClock, part: str, caplog: pytest.LogCaptureFixture
) -> None:
    setattr(store, part, Away(getattr(store, part)))
    scheduler, stop = Scheduler(store, SchedulerSettings(name="s1"), clock, Ids()), asyncio.Event()
    running = asyncio.create_task(scheduler.run(stop))
    await ready(scheduler, clock)
    stop.set()
    await running

    assert "the store is away: the database system is shutting down" in caplog.text


async def test_a_server_that_waits_for_its_store_can_be_stopped(store: Store, clock: FakeClock) -> None:
    store.cluster = Away(store.cluster, times=1_000_000)
    scheduler, stop = Scheduler(store, SchedulerSettings(name="s1"), clock, Ids()), asyncio.Event()
    running = asyncio.create_task(scheduler.run(stop))
    await asyncio.sleep(0)
    stop.set()
    clock.advance(LEARN_EVERY)
    await running

    assert not scheduler.readiness().ready


async def test_a_server_leaves_although_its_store_is_away(store: Store, clock: FakeClock) -> None:
    scheduler, stop = Scheduler(store, SchedulerSettings(name="s1"), clock, Ids()), asyncio.Event()
    running = asyncio.create_task(scheduler.run(stop))
    await ready(scheduler, clock)
    store.cluster = Away(store.cluster, times=1_000_000)
    stop.set()
    await running

    assert running.exception() is None
