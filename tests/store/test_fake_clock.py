"""The clock of the tests: it stands still, moves on request, and jumps when everybody waits."""

import asyncio
from datetime import timedelta

from mainspring.testing.clock import START, FakeClock, run_autojump


async def test_time_stands_still_until_it_is_moved(clock: FakeClock) -> None:
    assert (clock.now(), clock.monotonic()) == (START, 0.0)
    clock.advance(2.5)
    assert (clock.now(), clock.monotonic()) == (START + timedelta(seconds=2.5), 2.5)


async def test_sleepers_wake_in_the_order_of_their_time(clock: FakeClock) -> None:
    woken: list[int] = []

    async def sleep(seconds: int) -> None:
        await clock.sleep(seconds)
        woken.append(seconds)

    async with asyncio.TaskGroup() as group:
        for seconds in (3, 1, 2):
            group.create_task(sleep(seconds))
        await asyncio.sleep(0)
        clock.advance(2)
        await asyncio.sleep(0)
        assert woken == [1, 2]
        clock.advance(1)
    assert woken == [1, 2, 3]


async def test_waiting_ends_with_the_event_or_with_the_time(clock: FakeClock) -> None:
    event = asyncio.Event()
    late = asyncio.ensure_future(clock.wait(event, 5))
    await asyncio.sleep(0)
    clock.advance(5)
    assert not await late

    came = asyncio.ensure_future(clock.wait(event, 5))
    await asyncio.sleep(0)
    event.set()
    assert await came
    assert await clock.wait(event, 0)


def test_the_clock_jumps_by_itself_when_everybody_waits() -> None:
    clock = FakeClock()
    woken: list[tuple[str, float]] = []

    async def beat(name: str, seconds: float) -> None:
        for _ in range(2):
            await clock.sleep(seconds)
            woken.append((name, clock.monotonic()))

    async def main() -> None:
        await asyncio.gather(beat("slow", 1000), beat("fast", 300))

    run_autojump(main(), clock)
    assert woken == [("fast", 300.0), ("fast", 600.0), ("slow", 1000.0), ("slow", 2000.0)]


def test_a_thread_is_waited_for_before_the_clock_jumps() -> None:
    clock = FakeClock()

    async def main() -> float:
        sleeper = asyncio.ensure_future(clock.sleep(1000))
        await asyncio.to_thread(sum, range(1000))
        at = clock.monotonic()
        await sleeper
        return at

    assert run_autojump(main(), clock, patience=0.1) == 0.0
