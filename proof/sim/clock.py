"""Clocks of simulated machines: one time, and each machine's own idea of it."""

import asyncio
from datetime import UTC, datetime, timedelta

from mainspring.clock import SystemClock
from proof.sim.loop import SimLoop

BOOTED = 1000.0
"""What the monotonic clock shows when a trial begins: zero is nothing special to it."""
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


class Machine:
    """What a machine takes for the time: its wall clock may be set by hand, and all it counts by may run fast or slow."""

    def __init__(self, loop: SimLoop, start: datetime, apart: float = 0.0) -> None:
        self.loop = loop
        self._start = start
        self._apart = timedelta(seconds=apart)
        self._counted = 0.0
        self._since = 0.0
        self.rate = 1.0
        """Seconds that it counts in one second."""

    def wall(self) -> datetime:
        return self._start + timedelta(seconds=self.elapsed() - BOOTED) + self._apart

    def elapsed(self) -> float:
        return BOOTED + self._counted + (self.loop.time() - self._since) * self.rate

    def jump(self, seconds: float) -> None:
        """Set the wall clock; what only grows is not touched by that."""
        self._apart += timedelta(seconds=seconds)

    def run_at(self, rate: float) -> None:
        """Count faster or slower from now on."""
        self._counted, self._since = self.elapsed() - BOOTED, self.loop.time()
        self.rate = rate


class SimClock(SystemClock):
    """The product's clock as one process of a machine has it; only what it counts by and how it waits is simulated."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine.wall, machine.elapsed)
        self.machine = machine
        self._loop = machine.loop

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(seconds, 0.0) / self.machine.rate)

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        if event.is_set() or seconds <= 0:
            await asyncio.sleep(0)
            return event.is_set()
        # Beside the event's own waiters, without the task and the two futures that a general wait needs.
        waiter = self._loop.create_future()
        timer = self._loop.call_later(seconds / self.machine.rate, _give_up, waiter)
        event._waiters.append(waiter)
        try:
            return bool(await waiter)
        finally:
            timer.cancel()
            event._waiters.remove(waiter)


def _give_up(waiter: "asyncio.Future[bool]") -> None:
    if not waiter.done():
        waiter.set_result(False)
