"""What was claimed a moment ahead starts at its instant.

A claim is a commit, and a commit waits for a disk that is slow at times. One that begins ahead of the instant has that
behind it when the instant comes; then only a frame is left to be sent.
"""

import asyncio
import heapq
from collections.abc import Callable
from datetime import datetime
from itertools import count

from mainspring.clock import Clock

Start = Callable[[], None]


class StartOnTime:
    """Keeps starts until their instants; beside dispatch, whose next claim must hold none of them up."""

    name = "hold_starts"

    def __init__(self, clock: Clock) -> None:
        self.wake = asyncio.Event()
        self.period = 60.0
        self._clock = clock
        self._order = count()
        self._starts: list[tuple[datetime, int, Start]] = []

    @property
    def idle(self) -> bool:
        return not self._starts

    def keep(self, instant: datetime, start: Start) -> None:
        heapq.heappush(self._starts, (instant, next(self._order), start))
        self.wake.set()

    async def tick(self) -> bool:
        while (wait := self._until_next()) <= 0:
            _, _, start = heapq.heappop(self._starts)
            start()
        self.period = wait
        return False

    def _until_next(self) -> float:
        if not self._starts:
            return 60.0
        return (self._starts[0][0] - self._clock.now()).total_seconds()
