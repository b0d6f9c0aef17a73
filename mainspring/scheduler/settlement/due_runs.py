"""Runs whose time has come: deadlines pass, and suspended runs resume."""

import asyncio
import logging
from abc import ABC, abstractmethod
from datetime import datetime, timedelta

from mainspring.clock import Clock
from mainspring.scheduler.facts import (
    DeadlineSet,
    Facts,
    ResumeSet,
    RunsChanged,
    RunsQueued,
    RunsScheduled,
    RunsSettled,
)
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.due_runs")

BATCH = 1000


class DueRuns(ABC):
    """Acts on a batch of runs when the first of them is due. Any server may do it, and all may at once."""

    ahead = timedelta()
    """How long before an instant it acts."""

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = self._poll = settings.poll
        self._store = store
        self._clock = clock
        self._facts = facts
        self._next: datetime | None = None

    def due(self, instant: datetime) -> None:
        """Be awake at that time."""
        if self._next is None or instant < self._next:
            self._next = instant
            self.wake.set()

    async def tick(self) -> bool:
        if self._next is not None and self._next - self.ahead <= self._clock.now():
            # Known to be due: a question would only delay it, and comes with the next tick.
            self._next = None
            await self.act(self._clock.now())
            return True
        # The store is asked each time: another server may have set an earlier time, or acted already.
        self._next = await self.next_due()
        left = self._poll if self._next is None else (self._next - self.ahead - self._clock.now()).total_seconds()
        if left > 0:
            self.period = min(left, self._poll)
            return False
        self.period = self._poll
        return await self.act(self._clock.now())

    @abstractmethod
    async def next_due(self) -> datetime | None:
        """The time of the first run concerned."""

    @abstractmethod
    async def act(self, now: datetime) -> bool:
        """Act on one batch; False if none was due."""


class ExpireRuns(DueRuns):
    """Fails runs that no executor has started by their deadline; a running attempt is stopped by its executor."""

    name = "expire_runs"

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, facts: Facts) -> None:
        super().__init__(store, settings, clock, facts)
        facts.subscribe(DeadlineSet, lambda deadline: self.due(deadline.at))

    async def next_due(self) -> datetime | None:
        return await self._store.runs.next_deadline()

    async def act(self, now: datetime) -> bool:
        late = await self._store.runs.expire(now=now, limit=BATCH)
        if late:
            log.info("%d runs failed: no executor had started them by their deadline", len(late))
            self._facts.publish(RunsSettled(late))
        return bool(late)


class ResumeRuns(DueRuns):
    """Puts suspended runs back into their lines at the time set for that."""

    name = "resume_runs"

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, facts: Facts) -> None:
        super().__init__(store, settings, clock, facts)
        # So that the claim need not come after the instant either.
        self.ahead = timedelta(seconds=settings.claim_ahead)
        facts.subscribe(ResumeSet, lambda resume: self.due(resume.at))

    async def next_due(self) -> datetime | None:
        return await self._store.runs.next_resume()

    async def act(self, now: datetime) -> bool:
        resumed = await self._store.runs.resume_due(until=now + self.ahead, limit=BATCH)
        if resumed:
            log.info("%d suspended runs resume: their time has come", len(resumed))
            self._facts.publish(RunsChanged(list(resumed)))
            if late := [run for run in resumed.values() if run.due_at <= now]:
                # Claims may have passed their instants.
                since = min(run.due_at for run in late)
                self._facts.publish(RunsQueued(sorted({run.line for run in late}), since=since))
            if ahead := [run.due_at for run in resumed.values() if run.due_at > now]:
                self._facts.publish(RunsScheduled(min(ahead)))
        return bool(resumed)
