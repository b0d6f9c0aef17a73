"""Log lines of handlers, for followers of a live run."""

import asyncio
from collections.abc import AsyncGenerator

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.domain.runs.log import LogEntry
from mainspring.domain.runs.run import Run
from mainspring.errors import UnavailableError
from mainspring.scheduler.facts import Facts, LogsStored
from mainspring.scheduler.insights.run_waiters import Watch
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

STREAMS_MAX = 500
STREAM_MAX = 3600.0
"""Seconds after which a stream ends, so that a reader who is still interested asks again, of any server."""
PAGE = 500
# An executor sends outcomes first, logs last.
LINGER = 1.0
"""Seconds after a run's end in which its last lines may still come."""

Lines = list[tuple[int, LogEntry]]


class FollowLogs:
    """Lines stored here are told at once; those stored by other servers, and an end settled there, are found by polling."""

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, ends: Watch, facts: Facts) -> None:
        self._store = store
        self._poll = settings.poll
        self._clock = clock
        self._ends = ends
        self._kept = Watch(facts, LogsStored)
        self._streams = 0

    def check_room(self) -> None:
        """Raises UnavailableError."""
        if self._streams >= STREAMS_MAX:
            raise UnavailableError(f"{STREAMS_MAX} logs are followed here already: ask another server, or later")

    async def follow(self, run: Run, *, after: int) -> AsyncGenerator[Lines | None, None]:
        """Lines behind a position as they come, now and then none, and at last None: the run is over, and all is told.

        Ends without that when it has lasted long enough.
        """
        self.check_room()
        self._streams += 1
        event = asyncio.Event()
        watches = (self._kept, self._ends)
        for watch in watches:
            watch.enter(run.id, event)
        try:
            async for lines in self._follow(run, after, event):
                yield lines
        finally:
            for watch in watches:
                watch.leave(run.id, event)
            self._streams -= 1

    async def _follow(self, run: Run, after: int, event: asyncio.Event) -> AsyncGenerator[Lines | None, None]:
        ends_at = self._clock.monotonic() + STREAM_MAX
        over_at = self._over_at(run)
        while self._clock.monotonic() < ends_at:
            event.clear()
            # Looked at before the lines are read: what comes in between is found by one more look.
            over = over_at is not None and self._clock.monotonic() >= over_at
            lines = await self._store.runs.logs(run.id, after=after, limit=PAGE)
            if not lines and over:
                yield None
                return
            after = lines[-1][0] if lines else after
            yield lines
            if len(lines) < PAGE:
                await self._clock.wait(event, self._patience(over_at))
                over_at = over_at or await self._look(run.id)

    def _over_at(self, run: Run) -> float | None:
        """When nothing more can come from a run; None while it is going on."""
        if run.finished_at is None:
            return None
        return self._clock.monotonic() + LINGER - (self._clock.now() - run.finished_at).total_seconds()

    def _patience(self, over_at: float | None) -> float:
        return self._poll if over_at is None else min(self._poll, max(over_at - self._clock.monotonic(), 0.0))

    async def _look(self, run: RunId) -> float | None:
        state = (await self._store.runs.states([run])).get(run)
        return self._clock.monotonic() + LINGER if state is not None and state.final else None
