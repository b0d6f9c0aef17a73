"""Clocks of simulated machines: one time, and each machine's own idea of it."""

import asyncio
from datetime import UTC, datetime, timedelta

from proof.sim.loop import SimLoop

BOOTED = 1000.0
"""What the monotonic clock shows when a trial begins: zero is nothing special to it."""
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


class SimClock:
    """A `Clock` that a server or executor takes for the system's."""

    def __init__(self, loop: SimLoop, start: datetime, apart: float = 0.0) -> None:
        self._loop = loop
        self._start = start
        self.apart = timedelta(seconds=apart)
        """How far it is ahead."""

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._loop.time()) + self.apart

    def shift(self, apart: timedelta) -> None:
        """Follow another clock that is so far ahead."""
        self.apart += apart

    def monotonic(self) -> float:
        return BOOTED + self._loop.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(seconds, 0.0))

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        if event.is_set() or seconds <= 0:
            await asyncio.sleep(0)
            return event.is_set()
        # Beside the event's own waiters, without the task and the two futures that a general wait needs.
        waiter = self._loop.create_future()
        timer = self._loop.call_later(seconds, _give_up, waiter)
        event._waiters.append(waiter)
        try:
            return bool(await waiter)
        finally:
            timer.cancel()
            event._waiters.remove(waiter)


def _give_up(waiter: "asyncio.Future[bool]") -> None:
    if not waiter.done():
        waiter.set_result(False)
