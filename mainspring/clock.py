"""Time is an argument everywhere; this is the only module that reads it.

asyncio is imported only by methods that wait, because the SDK reads the time without it.
"""

import time
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


class Clock(Protocol):
    """The time source of a server or an executor."""

    def now(self) -> datetime:
        """The instant all servers agree on, aware and in UTC."""

    def monotonic(self) -> float:
        """Seconds that only grow; for durations and local deadlines."""

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""

    async def wait(self, event: "asyncio.Event", seconds: float) -> bool:
        """Wait for the event, at most `seconds`; return whether it came."""


def _wall() -> datetime:
    return datetime.now(UTC)


def _elapsing() -> "Callable[[], float]":
    """Reads the seconds that also count while the machine is suspended, since leases do."""
    # Without a frame of Python: every attempt reads it, and a batch of them nothing slower.
    return partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic


_elapsed = _elapsing()


class SystemClock:
    """The machine's clock as it was at the start, carried on by elapsed time and shifted to follow the database's.

    A step of the machine's clock therefore changes nothing: no run starts early and no lease lapses because of it.
    """

    def __init__(self, wall: "Callable[[], datetime]" = _wall, elapsed: "Callable[[], float]" = _elapsed) -> None:
        self.monotonic = elapsed
        self._ahead = wall().timestamp() - elapsed()
        """The offset from elapsed to current time, in seconds."""

    def shift(self, apart: timedelta) -> None:
        """Follow another clock that is so far ahead."""
        self._ahead += apart.total_seconds()

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._ahead + self.monotonic(), UTC)

    async def sleep(self, seconds: float) -> None:
        import asyncio  # noqa: PLC0415

        await asyncio.sleep(seconds)

    async def wait(self, event: "asyncio.Event", seconds: float) -> bool:
        if event.is_set():
            return True
        import asyncio  # noqa: PLC0415

        try:
            async with asyncio.timeout(max(seconds, 0)):
                await event.wait()
        except TimeoutError:
            return False
        return True
