"""Due workflow runs begin: their first steps are created."""

import asyncio
from collections.abc import Iterable
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.routing.route import Strategy
from mainspring.domain.runs.birth import child_line
from mainspring.domain.workflows.move import Advanced
from mainspring.domain.workflows.spec import HANDLER
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    CatalogChanged,
    DeadlineSet,
    Facts,
    HintReceived,
    RunsQueued,
    RunsScheduled,
    SessionsChanged,
)
from mainspring.scheduler.workflows.advancing import Advancing
from mainspring.scheduler.workflows.mover import Mover
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

BATCH = 500


class BeginWorkflows:
    """Takes due runs from the lines of workflows. Any server may do it, and all may at once."""

    name = "begin_workflows"

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        catalog: Catalog,
        advancing: Advancing,
        facts: Facts,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = self._poll = settings.poll
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._advancing = advancing
        self._facts = facts
        self._lines: frozenset[int] = frozenset()
        self._version = -1
        facts.subscribe(RunsQueued, lambda queued: self._queued(queued.lines))
        facts.subscribe(HintReceived, lambda hint: self._queued(hint.lines or self._lines))
        facts.subscribe(RunsScheduled, lambda _: self._queued(self._lines))
        for kind in (CatalogChanged, SessionsChanged):
            facts.subscribe(kind, lambda _: self._queued(self.lines))

    @property
    def lines(self) -> frozenset[int]:
        """The lines in which workflow runs wait to begin, but for those that operators have paused."""
        if self._version != self._catalog.version:
            self._version = self._catalog.version
            found = self._catalog.lines.items()
            self._lines = frozenset(n for n, line in found if line.handler == HANDLER and self._catalog.asks_for(line))
        return self._lines

    def _queued(self, lines: Iterable[int]) -> None:
        if self._lines and not self._lines.isdisjoint(lines):
            self.wake.set()

    def _has_members(self, number: int) -> bool:
        """Whether a broadcast would reach an executor; others need no executor to begin."""
        job = self._catalog.job_of(self._catalog.lines[number])
        if job is None or job.spec.policy.route.strategy is not Strategy.BROADCAST:
            return True
        return bool(self._catalog.takers(child_line(job)))

    async def tick(self) -> bool:
        lines = sorted(filter(self._has_members, self.lines))
        if not lines:
            self.period = self._poll
            return False

        async def act(mover: Mover, now: datetime) -> Advanced:
            return await self._store.workflows.begin(lines, mover, now=now, limit=BATCH)

        done = await self._advancing.run(act)
        deadlines = [move.live.deadline_at for move in done.moves if move.live.deadline_at is not None]
        if deadlines:
            self._facts.publish(DeadlineSet(min(deadlines)))
        if not done.moves:
            due = await self._store.runs.next_due(lines, after=self._clock.now())
            left = self._poll if due is None else (due - self._clock.now()).total_seconds()
            self.period = min(self._poll, max(0.001, left))
        return bool(done.moves)
