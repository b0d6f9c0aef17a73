"""Due workflow runs begin: their first steps are created."""

import asyncio
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.routing.route import Strategy
from mainspring.domain.runs.birth import child_line
from mainspring.domain.workflows.move import Advanced, Move
from mainspring.domain.workflows.spec import HANDLER
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, DeadlineSet, Facts, FlowsEnded, SessionsChanged
from mainspring.scheduler.line_watch import LineWatch
from mainspring.scheduler.workflows.advancing import Advancing
from mainspring.scheduler.workflows.mover import Mover
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import RunsAtOnce, Store

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
        self._watch = LineWatch(self, clock, facts)
        self._version = -1
        facts.subscribe(FlowsEnded, self._ended)
        for kind in (CatalogChanged, SessionsChanged):
            facts.subscribe(kind, lambda _: self._watch.look(self.lines))

    @property
    def lines(self) -> frozenset[int]:
        """The lines in which workflow runs wait to begin, but for those that operators have paused."""
        if self._version != self._catalog.version:
            self._version = self._catalog.version
            found = self._catalog.lines.items()
            self._watch.watch(
                frozenset(n for n, line in found if line.handler == HANDLER and self._catalog.asks_for(line))
            )
        return self._watch.lines

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
        limited: dict[RunsAtOnce, list[int]] = {}
        for number in lines:
            if (within := self._limit_of(number)) is not None:
                limited.setdefault(within, []).append(number)
        among = {number for each in limited.values() for number in each}
        done = await self._begin([number for number in lines if number not in among])
        for within, own in limited.items():
            done += await self._begin(own, within)
        deadlines = [move.live.deadline_at for move in done if move.live.deadline_at is not None]
        if deadlines:
            self._facts.publish(DeadlineSet(min(deadlines)))
        if not done:
            due = await self._store.runs.next_due(lines, after=self._clock.now())
            left = self._poll if due is None else (due - self._clock.now()).total_seconds()
            self.period = min(self._poll, max(0.001, left))
        return bool(done)

    async def _begin(self, lines: list[int], within: RunsAtOnce | None = None) -> list[Move]:
        if not lines:
            return []

        async def act(mover: Mover, now: datetime) -> Advanced:
            return await self._store.workflows.begin(lines, mover, now=now, limit=BATCH, within=within)

        return list((await self._advancing.run(act)).moves)

    def _limit_of(self, number: int) -> RunsAtOnce | None:
        """How many runs may be under way of the workflow whose line it is; of other jobs the limit is their attempts'."""
        job = self._catalog.job_of(self._catalog.lines[number])
        if job is None or job.spec.handler != HANDLER or job.spec.policy.at_once is None:
            return None
        return RunsAtOnce(job.id, job.spec.policy.at_once)

    def _ended(self, ended: FlowsEnded) -> None:
        """Room for runs of a workflow that has a limit."""
        jobs = {move.live.job for move in ended.moves}
        limits = map(self._limit_of, self._watch.lines)
        if any(within is not None and within.job in jobs for within in limits):
            self.wake.set()
