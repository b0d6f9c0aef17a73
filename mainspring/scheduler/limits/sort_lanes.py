"""Due runs of keyed jobs are put into their lanes, and lanes that nothing uses any more are taken away."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.ids import RunId
from mainspring.domain.limits.lanes import FIRST, Lane, LaneRule, lane_of
from mainspring.errors import MainspringError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import (
    CatalogChanged,
    Facts,
    LeasesReclaimed,
    RunsSettled,
)
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.line_watch import LineWatch
from mainspring.scheduler.operations.runs import RunOperations
from mainspring.store.interface import Store

BATCH = 1_000
SWEEP = 10.0
"""Seconds between two looks for lanes that nobody looks at."""
SWEPT = 5_000
"""Lanes that one of them is about."""
LIFE = timedelta(minutes=1)
"""How long a lane is kept at least."""
REPLACED = "replaced by a newer run"


class SortLanes:
    """Every server sorts; runs that another one sorts at the moment are passed over."""

    name = "sort_lanes"

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        hints: ExchangeHints,
        steering: RunOperations,
        woken: Callable[[Iterable[int]], None],
        facts: Facts,
        *,
        poll: float,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = poll
        self._poll = poll
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self._steering = steering
        self._woken = woken
        self._facts = facts
        self._watched = LineWatch(self, clock, facts)
        """Lines whose runs stand in lanes."""
        self._plain: frozenset[int] = frozenset()
        """Lines of single jobs that were found to have no lanes."""
        self._sweep_at = 0.0
        self._swept = FIRST
        facts.wake(self.wake, CatalogChanged, LeasesReclaimed)

    async def tick(self) -> bool:
        keyed: dict[LaneRule, list[int]] = {}
        for number, line in self._catalog.lines.items():
            if (rule := self._catalog.lane_rule_of(line)) is not None:
                keyed.setdefault(rule, []).append(number)
        self._watched.watch(frozenset(number for lines in keyed.values() for number in lines))
        await self._release()
        again = False
        for rule, lines in keyed.items():
            again |= await self._enter(rule, lines)
        await self._tidy()
        self.period = self._poll if again else await self._until_next()
        return again

    async def _enter(self, rule: LaneRule, lines: list[int]) -> bool:
        """Put due runs of these lines into lanes; True if there may be more."""

        def assign(_job: int, arguments: bytes) -> Lane:
            return lane_of(rule, arguments)

        entered = await self._store.lanes.enter(rule, lines, assign, now=self._clock.now(), limit=BATCH)
        if entered.seen:
            self._woken(lines)
            self._hints.add(lines)
        if entered.skipped:
            self._facts.publish(RunsSettled(entered.skipped))
        for run in entered.replaced:
            await self._replace(rule, run)
        return entered.seen == BATCH or entered.left

    async def _replace(self, rule: LaneRule, run: RunId) -> None:
        try:
            await self._steering.cancel(rule.gate.namespace, run, reason=REPLACED, actor=SYSTEM)
        except MainspringError:
            # It has ended by itself.
            return

    async def _release(self) -> None:
        """Put runs back into lines whose jobs have no lanes any more."""
        plain = {
            number: line
            for number, line in self._catalog.lines.items()
            if line.job and number not in self._watched.lines
        }
        for number in plain.keys() - self._plain:
            job = self._catalog.jobs.get((plain[number].namespace, plain[number].job))
            while job is not None and await self._store.lanes.release(number, job.id, limit=BATCH):
                self._woken([number])
        self._plain = frozenset(plain)

    async def _tidy(self) -> None:
        """Look at some lanes after those of the last time: all of them at once would hold up a claim where there are many."""
        now = self._clock.monotonic()
        if not self._watched.lines or now < self._sweep_at:
            return
        self._sweep_at = now + SWEEP
        after = self._swept
        last = await self._store.lanes.end(after=after, limit=SWEPT)
        if last is None:
            after, last = FIRST, await self._store.lanes.end(after=FIRST, limit=SWEPT)
        if last is None:
            return
        self._swept = last
        self._woken(await self._store.lanes.sweep(now=self._clock.now(), after=after, last=last))
        pruned = await self._store.lanes.prune(before=self._clock.now() - LIFE, after=after, last=last)
        if pruned >= SWEPT // 2:
            # Many keys that came once: there are more of them.
            self._sweep_at = now

    async def _until_next(self) -> float:
        if not self._watched.lines:
            return self._poll
        due = await self._store.runs.next_due(sorted(self._watched.lines), after=self._clock.now())
        if due is None:
            return self._poll
        return max(0.0, min(self._poll, (due - self._clock.now()).total_seconds()))
