"""`mainspring executor --processes 1:8`: executor processes that come and go with the backlog."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from mainspring.cli.processes.child import ExecutorChild
from mainspring.cli.processes.signals import stop_on_signals
from mainspring.clock import Clock
from mainspring.errors import ConfigError, MainspringError

log = logging.getLogger("mainspring.executor")

LOOK_EVERY = 2.0
# A backlog comes in waves.
CALM = 20.0
"""Seconds for which fewer processes must have been wanted before one is let go."""

AskWanted = Callable[[], Awaitable[int]]
"""How many processes the server wants; raises MainspringError if it does not say."""


class ProcessRange(msgspec.Struct, frozen=True):
    """Fewest and most processes."""

    low: int
    high: int


def parse_range(text: str) -> ProcessRange | None:
    """None if it is not a range; raises ConfigError if it is one that cannot be."""
    low, colon, high = text.partition(":")
    if not colon:
        return None
    if not (low.isdecimal() and high.isdecimal()) or int(high) < max(1, int(low)):
        raise ConfigError(f"processes: {text!r} is not a range such as 1:8, from the fewest to the most")
    return ProcessRange(int(low), int(high))


class Pace:
    """Turns what is wanted into a count: up at once, down after calm."""

    def __init__(self, bounds: ProcessRange) -> None:
        self._bounds = bounds
        self._wanted: deque[tuple[float, int]] = deque()

    def count(self, wanted: int, now: float) -> int:
        bounded = min(self._bounds.high, max(self._bounds.low, wanted))
        self._wanted.append((now, bounded))
        while self._wanted[0][0] < now - CALM:
            self._wanted.popleft()
        return max(one for _, one in self._wanted)


class ScaledProcesses:
    """Starts processes as they are wanted, and drains the newest ones that are not."""

    def __init__(
        self, start: Callable[[int], ExecutorChild], bounds: ProcessRange, ask: AskWanted, clock: Clock
    ) -> None:
        self._start = start
        self._pace = Pace(bounds)
        self._bounds = bounds
        self._ask = ask
        self._clock = clock
        self._running: list[tuple[ExecutorChild, asyncio.Event, asyncio.Task[int]]] = []
        self._ending: set[asyncio.Task[int]] = set()
        self._started = 0

    async def run(self) -> int:
        """Serve until a signal, and return the worst exit code of what was drained then."""
        stop = asyncio.Event()
        stop_on_signals(stop, again=self._end_at_once)
        log.info("running %d to %d executor processes", self._bounds.low, self._bounds.high)
        self._resize(self._bounds.low, stop)
        while not stop.is_set():
            await self._clock.wait(stop, LOOK_EVERY)
            if not stop.is_set():
                self._resize(await self._count(), stop)
        for _, ending, _ in self._running:
            ending.set()
        ended = await asyncio.gather(*(task for _, _, task in self._running), *self._ending, return_exceptions=True)
        for failed in ended:
            if isinstance(failed, BaseException):
                raise failed
        codes = [code for code in ended if isinstance(code, int)]
        return max((code if code >= 0 else 1 for code in codes), default=0)

    async def _count(self) -> int:
        try:
            wanted = await self._ask()
        except MainspringError as error:
            # A server that is away says nothing of the work: all processes stay.
            log.debug("the number of executors is not known: %s", error)
            return len(self._running)
        return self._pace.count(wanted, self._clock.monotonic())

    def _resize(self, count: int, stop: asyncio.Event) -> None:
        if count != len(self._running):
            log.info("%d executor processes are wanted, %d run", count, len(self._running))
        while len(self._running) < count:
            child, ending = self._start(self._started), asyncio.Event()
            task = asyncio.create_task(child.keep(ending))
            # One that refuses to work ends them all: the others have the same settings.
            task.add_done_callback(partial(stop_unless, ending, stop))
            self._running.append((child, ending, task))
            self._started += 1
        while len(self._running) > count:
            _, ending, task = self._running.pop()
            ending.set()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    def _end_at_once(self) -> None:
        for child, _, _ in self._running:
            child.end()


def stop_unless(ending: asyncio.Event, stop: asyncio.Event, _task: object) -> None:
    """Stop all when a process ends that was not asked to."""
    if not ending.is_set():
        stop.set()
