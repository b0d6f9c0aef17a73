"""Runs that nobody has started when their deadline comes: they fail then, and are not started any more."""

import asyncio
import logging
from datetime import datetime

from mainspring.clock import Clock
from mainspring.scheduler.facts import DeadlineSet, Facts, RunsSettled
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.expire_runs")

BATCH = 1000


class ExpireRuns:
    """Any server may do it, and all may at once. An attempt that is under way is stopped by its executor instead."""

    name = "expire_runs"

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self._store = store
        self._poll = settings.poll
        self._clock = clock
        self._next: datetime | None = None
        self._facts = facts
        facts.subscribe(DeadlineSet, lambda deadline: self.due(deadline.at))

    def due(self, instant: datetime) -> None:
        """There is a deadline then; be awake."""
        if self._next is None or instant < self._next:
            self._next = instant
            self.wake.set()

    async def tick(self) -> bool:
        """Fail what is late, a batch at a time, then sleep until the next deadline; polling finds those set elsewhere."""
        self._next = await self._store.steering.next_deadline()
        left = self._poll if self._next is None else (self._next - self._clock.now()).total_seconds()
        if left > 0:
            self.period = min(left, self._poll)
            return False
        late = await self._store.steering.expire(now=self._clock.now(), limit=BATCH)
        if late:
            log.info("%d runs failed: nobody had started them when their deadline came", len(late))
            self._facts.publish(RunsSettled(late))
        self.period = self._poll
        return bool(late)
