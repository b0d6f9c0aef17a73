"""The virtual loop: time that jumps, processes that stop, die without a word, and are mixed up the same way each time."""

import asyncio
import random
from collections.abc import Iterator
from datetime import timedelta

import pytest

from proof.sim.clock import NOON, Machine, SimClock
from proof.sim.loop import SimLoop, StillError


@pytest.fixture
def loop() -> Iterator[SimLoop]:
    made = SimLoop(random.Random(1))
    asyncio.set_event_loop(made)
    yield made
    made.bury()
    asyncio.set_event_loop(None)
    made.close()


def clock_of(loop: SimLoop, apart: float = 0.0) -> SimClock:
    return SimClock(Machine(loop, NOON, apart))


def test_an_hour_is_over_at_once(loop: SimLoop) -> None:
    loop.run_until_complete(clock_of(loop).sleep(3600))

    assert 3600 <= loop.time() < 3601


def test_waiting_for_nothing_is_an_error(loop: SimLoop) -> None:
    with pytest.raises(StillError):
        loop.run_until_complete(loop.create_future())


def test_a_paused_process_goes_on_where_it_was(loop: SimLoop) -> None:
    process, ticks = loop.enter("one"), []

    async def tick() -> None:
        while True:
            await clock_of(loop).sleep(1.0)
            ticks.append(loop.time())

    loop.create_task(tick(), context=process.context)
    loop.outside(2.5, loop.pause, process)
    loop.outside(10.5, loop.resume, process)
    loop.run_until_complete(clock_of(loop).sleep(12.0))

    assert [round(at, 1) for at in ticks] == [1.0, 2.0, 10.5, 11.5]


def test_a_killed_process_cleans_nothing_up(loop: SimLoop) -> None:
    process, cleaned = loop.enter("one"), []

    async def hold() -> None:
        try:
            await clock_of(loop).sleep(5.0)
        finally:
            cleaned.append(loop.over)

    loop.create_task(hold(), context=process.context)
    loop.outside(1.0, loop.kill, process)
    loop.run_until_complete(clock_of(loop).sleep(20.0))

    assert cleaned == []


def test_callbacks_of_one_process_keep_their_order(loop: SimLoop) -> None:
    seen: list[tuple[str, int]] = []
    for process in (loop.enter("one"), loop.enter("two")):
        for number in range(5):
            loop.call_soon(seen.append, (process.name, number), context=process.context)

    loop.run_until_complete(clock_of(loop).sleep(0.1))

    for name in ("one", "two"):
        assert [number for who, number in seen if who == name] == list(range(5))


def test_a_clock_that_is_ahead_follows_the_others(loop: SimLoop) -> None:
    ahead, right = clock_of(loop, 30.0), clock_of(loop)
    ahead.shift(right.now() - ahead.now())

    assert ahead.now() == right.now()


def test_waiting_ends_with_the_event_or_with_the_time(loop: SimLoop) -> None:
    clock, event = clock_of(loop), asyncio.Event()
    loop.outside(3.0, event.set)

    assert not loop.run_until_complete(clock.wait(event, 1.0))
    assert loop.run_until_complete(clock.wait(event, 60.0))
    assert loop.time() < 4.0


def test_a_wall_clock_that_is_set_moves_no_process_but_the_next(loop: SimLoop) -> None:
    machine = Machine(loop, NOON)
    before = SimClock(machine)
    shown, counted = before.now(), before.monotonic()

    machine.jump(-3600.0)

    assert (before.now(), before.monotonic()) == (shown, counted)
    assert SimClock(machine).now() == shown - timedelta(hours=1)


def test_a_machine_that_runs_fast_counts_and_waits_by_its_own_time(loop: SimLoop) -> None:
    machine = Machine(loop, NOON)
    clock = SimClock(machine)
    counted = clock.monotonic()
    machine.run_at(1.25)

    loop.run_until_complete(clock.sleep(10.0))

    assert round(loop.time(), 2) == 8.0
    assert round(clock.monotonic() - counted, 2) == 10.0
