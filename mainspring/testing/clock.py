"""A clock that stands still, jumps on request, or jumps by itself when all tasks wait."""

import asyncio
import heapq
import selectors
from collections.abc import Coroutine, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")
START = datetime(2030, 1, 1, 12, tzinfo=UTC)


class FakeClock:
    """A `Clock` that only the test moves."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._elapsed = timedelta(0)
        self._order = count()
        self._sleepers: list[tuple[timedelta, int, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._start + self._elapsed

    def monotonic(self) -> float:
        return self._elapsed.total_seconds()

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        await self._sleeper(seconds)

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        if event.is_set() or seconds <= 0:
            return event.is_set()
        came, late = asyncio.ensure_future(event.wait()), self._sleeper(seconds)
        try:
            await asyncio.wait((came, late), return_when=asyncio.FIRST_COMPLETED)
            return came.done()
        finally:
            came.cancel()
            late.cancel()

    def advance(self, seconds: float) -> None:
        """Move on; sleepers whose time has come run in its order as soon as the caller awaits something."""
        self._elapsed += timedelta(seconds=seconds)
        while self._sleepers and self._sleepers[0][0] <= self._elapsed:
            wake(heapq.heappop(self._sleepers)[2])

    def jump(self) -> bool:
        """Move on to the next sleeper and wake it; False if there is none."""
        while self._sleepers:
            until, _, sleeper = heapq.heappop(self._sleepers)
            if not sleeper.done():
                self._elapsed = max(self._elapsed, until)
                wake(sleeper)
                return True
        return False

    def _sleeper(self, seconds: float) -> asyncio.Future[None]:
        sleeper = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed + timedelta(seconds=seconds), next(self._order), sleeper))
        return sleeper


def wake(sleeper: asyncio.Future[None]) -> None:
    if not sleeper.done():
        sleeper.set_result(None)


class AutojumpSelector(selectors.BaseSelector):
    """Notices that the event loop would idle, and lets the clock jump instead.

    `patience` is how many real seconds sockets and threads get to answer first; a simulation without either needs none.
    """

    def __init__(self, clock: FakeClock, patience: float) -> None:
        self._clock = clock
        self._patience = patience
        self._real = selectors.DefaultSelector()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        would_idle = timeout is None or timeout > 0
        if not would_idle:
            return self._real.select(0)
        ready = self._real.select(self._patience if timeout is None else min(timeout, self._patience))
        if ready or self._clock.jump():
            return ready
        return self._real.select(timeout)

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._real.get_map()

    def close(self) -> None:
        self._real.close()


def run_autojump(main: Coroutine[Any, Any, T], clock: FakeClock, *, patience: float = 0.0) -> T:
    """Run to the end on a new event loop, jumping to the next sleeper whenever the loop would idle."""
    selector = AutojumpSelector(clock, patience)
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        return runner.run(main)
