"""Suspended runs whose instant has come: they go back into their lines."""

import asyncio
import logging
from datetime import datetime

from mainspring.clock import Clock
from mainspring.scheduler.facts import Facts, ResumeSet, RunsChanged, RunsQueued
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.resume_runs")

BATCH = 1000


class ResumeRuns:
    """Any server may do it, and all may at once."""

    name = "resume_runs"

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self._store = store
        self._poll = settings.poll
        self._clock = clock
        self._next: datetime | None = None
        self._facts = facts
        facts.subscribe(ResumeSet, lambda resume: self.due(resume.at))

    def due(self, instant: datetime) -> None:
        """A run goes on then; be awake."""
        if self._next is None or instant < self._next:
            self._next = instant
            self.wake.set()

    async def tick(self) -> bool:
        """Resume what is due, a batch at a time, then sleep until the next; polling finds what was suspended elsewhere."""
        self._next = await self._store.suspensions.next_resume()
        left = self._poll if self._next is None else (self._next - self._clock.now()).total_seconds()
        if left > 0:
            self.period = min(left, self._poll)
            return False
        lines = await self._store.suspensions.resume_due(now=self._clock.now(), limit=BATCH)
        if lines:
            log.info("%d suspended runs go on: their time has come", len(lines))
            self._facts.publish(RunsChanged(list(lines)))
            self._facts.publish(RunsQueued(sorted(set(lines.values()))))
        self.period = self._poll
        return bool(lines)
