"""Starts and stops the duties of one server, in an order that loses nothing."""

import asyncio
from collections.abc import Callable, Sequence

from mainspring.clock import Clock
from mainspring.scheduler.duty import Duty, Health, perform

DRAIN_STEP = 0.02


async def run_duties(
    duties: Sequence[Duty], clock: Clock, health: Health, stop: asyncio.Event, jitter: Callable[[], float]
) -> None:
    """Perform all duties until stop is set; wake them then, so that each sees it at once."""
    async with asyncio.TaskGroup() as group:
        for duty in duties:
            group.create_task(perform(duty, clock, health, stop, jitter), name=duty.name)
        await stop.wait()
        for duty in duties:
            duty.wake.set()


async def until(quiet: Callable[[], bool], clock: Clock, *, seconds: float) -> None:
    """Wait until there is nothing left to do, but not for ever."""
    deadline = clock.monotonic() + seconds
    while not quiet() and clock.monotonic() < deadline:
        await clock.sleep(DRAIN_STEP)
