"""Logs and progress of handlers on their way into the store; never in the way of anything else."""

import asyncio
import logging
from collections import deque
from sys import getsizeof

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.domain.runs.log import LogEntry, Progress
from mainspring.scheduler.facts import Facts, LogsStored
from mainspring.store.interface import Store
from mainspring.wire.messages import Logs, Reports

log = logging.getLogger("mainspring.keep_telemetry")

INBOX_MAX = 50_000
"""Lines that wait to be stored,"""
INBOX_BYTES = 64 * 1024 * 1024
"""and the memory of their texts; the oldest beyond either are dropped."""
BATCH = 5_000


class StoreTelemetry:
    """Bounded: when the store cannot keep up the oldest lines are dropped, and that is said."""

    name = "keep_telemetry"
    period = 60.0

    def __init__(self, store: Store, clock: Clock, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._entries: deque[LogEntry] = deque()
        self._bytes = 0
        self._progress: dict[RunId, Progress] = {}
        self._batch: list[LogEntry] = []
        """Under way; tried again if the store fails, which keeps each line once."""
        self._dropped = 0
        self._facts = facts

    def add(self, message: Logs | Reports) -> None:
        if isinstance(message, Logs):
            self._entries.extend(message.entries)
            self._bytes += sum(getsizeof(entry.message) for entry in message.entries)
            while len(self._entries) > INBOX_MAX or self._bytes > INBOX_BYTES:
                self._take()
                self._dropped += 1
        else:
            self._progress.update({entry.run: entry for entry in message.entries})
        self.wake.set()

    def _take(self) -> LogEntry:
        """Remove the oldest line from the inbox."""
        entry = self._entries.popleft()
        self._bytes -= getsizeof(entry.message)
        return entry

    async def tick(self) -> bool:
        now = self._clock.now()
        if self._dropped:
            log.warning("%d log lines of handlers were dropped: the store cannot keep up", self._dropped)
            self._dropped = 0
        if self._progress:
            progress, self._progress = self._progress, {}
            await self._store.runs.report_progress(list(progress.values()), now=now)
        self._batch = self._batch or [self._take() for _ in range(min(BATCH, len(self._entries)))]
        if self._batch:
            await self._store.runs.append_logs(self._batch, now=now)
            self._facts.publish(LogsStored(list({entry.run for entry in self._batch})))
            self._batch = []
        return bool(self._entries or self._progress)
