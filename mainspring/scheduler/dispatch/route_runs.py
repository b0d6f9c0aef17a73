"""Due runs of routed jobs get their executor, and those whose executor is gone get another one."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime

from msgspec.structs import replace

from mainspring.clock import Clock
from mainspring.domain.jobs.job import Job
from mainspring.domain.limits.lanes import key_of
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.routing.choose import Draw, RouteState
from mainspring.domain.routing.fit import is_unrouted, serves
from mainspring.domain.routing.route import OnAbsent
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Facts, HintReceived, RunsQueued, RunsScheduled, RunsSettled
from mainspring.scheduler.hints import ExchangeHints
from mainspring.store.interface import Store

BATCH = 1_000
PATIENCE = 5.0
"""Seconds that an executor may be away before its runs are given to another one."""


class RouteRuns:
    """Every server routes; runs that another one routes at the moment are passed over."""

    name = "route_runs"

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        hints: ExchangeHints,
        queued: Callable[[Iterable[int]], None],
        facts: Facts,
        *,
        poll: float,
        draw: Draw,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = poll
        self._poll = poll
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self._queued_in = queued
        self._facts = facts
        self._draw = draw
        self._states: dict[int, RouteState] = {}
        """By job."""
        self._absent: dict[int, float] = {}
        """Since when the executor of an addressed line is away, on the monotonic clock."""
        self._lines: frozenset[int] = frozenset()
        """Lines in which runs stand that have no executor yet."""
        facts.wake(self.wake, CatalogChanged)
        facts.subscribe(RunsQueued, lambda queued: self._queued(queued.lines))
        facts.subscribe(HintReceived, lambda hint: self._queued(hint.lines or self._lines))
        facts.subscribe(RunsScheduled, lambda scheduled: self._due(scheduled.due_at))

    def _queued(self, lines: Iterable[int]) -> None:
        if not self._lines.isdisjoint(lines):
            self.wake.set()

    def _due(self, instant: datetime) -> None:
        if self._lines and (instant - self._clock.now()).total_seconds() < self.period:
            self.wake.set()

    async def tick(self) -> bool:
        routed = {
            number: (line, job)
            for number, line in self._catalog.lines.items()
            if (job := self._catalog.job_of(line)) is not None and (line.address or is_unrouted(line, job))
        }
        self._lines = frozenset(number for number, (line, _) in routed.items() if line.address == ADDRESS_ANY)
        again = False
        for number in sorted(self._lines):
            again |= await self._route(number, *routed[number])
        for number, (line, job) in routed.items():
            if line.address != ADDRESS_ANY:
                await self._watch(number, line, job)
        self._absent = {number: since for number, since in self._absent.items() if number in routed}
        self.period = self._poll if again else await self._until_next()
        return again

    async def _route(self, number: int, line: Line, job: Job) -> bool:
        """Give due runs of a line their executors; True if there may be more."""
        route = job.spec.policy.route
        names = sorted({one.executor for one in self._catalog.takers(line)})
        wanted = [*names, *(name for name in route.executors if name not in names)]
        addressed = {name: replace(line, address=name) for name in wanted}
        await self._catalog.make_lines(addressed.values())
        numbers = {name: self._catalog.numbers[each] for name, each in addressed.items()}
        state = self._states.setdefault(job.id, RouteState(self._draw))

        def assign(_job: int, arguments: bytes) -> int | None:
            chosen = state.choose(route, names, key_of(route.key, arguments) if route.key else "")
            return None if chosen is None else numbers[chosen]

        moved = await self._store.lanes.route([number], assign, now=self._clock.now(), limit=BATCH)
        if moved:
            self._queued_in(moved)
            self._hints.add(moved)
        return sum(moved.values()) == BATCH

    async def _watch(self, number: int, line: Line, job: Job) -> None:
        """Give the runs of an executor that stays away to another one, or fail them, by the job's policy."""
        there = any(one.executor == line.address and serves(one, line) for one in self._catalog.sessions)
        if there or job.spec.policy.route.absent is OnAbsent.WAIT:
            self._absent.pop(number, None)
            return
        now = self._clock.monotonic()
        if now - self._absent.setdefault(number, now) < PATIENCE:
            return
        if job.spec.policy.route.absent is OnAbsent.FAIL:
            failed = await self._store.lanes.fail_line(number, now=self._clock.now(), limit=BATCH)
            if failed:
                self._facts.publish(RunsSettled(failed))
            return
        lobby = replace(line, address=ADDRESS_ANY)
        await self._catalog.make_lines([lobby])
        to = self._catalog.numbers[lobby]
        await self._store.lanes.unaddress(number, to, limit=BATCH)
        self.wake.set()

    async def _until_next(self) -> float:
        if not self._lines:
            return self._poll
        due = await self._store.runs.next_due(sorted(self._lines), after=self._clock.now())
        if due is None:
            return self._poll
        return max(0.0, min(self._poll, (due - self._clock.now()).total_seconds()))
