"""Counts finished runs by minute and by hour, a little after the fact."""

import asyncio
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.queues.rollup import Resolution
from mainspring.scheduler.facts import Facts, RunsRolledUp
from mainspring.store.interface import Store

GRACE = timedelta(seconds=10)
"""How long after the instant that it writes a settlement may take to commit. One that takes longer stays uncounted."""
SPAN_MIN, SPAN_MAX = timedelta(minutes=1), timedelta(days=1)
QUICK, SLOW = 0.1, 1.0
PRUNE_EVERY = 3600.0
KEPT = {Resolution.MINUTE: timedelta(days=7), Resolution.HOUR: timedelta(days=366)}
"""Hours outlive the history they were counted from."""


class RollUp:
    """Any server may do it at any time: a mark in the store lets one at a time, and each run is counted once."""

    name = "roll_up"
    period = 5.0

    def __init__(self, store: Store, clock: Clock, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock
        self._facts = facts
        self._span = SPAN_MIN
        self._prune_at = clock.monotonic()

    async def tick(self) -> bool:
        """Count one step; after a long absence the steps follow each other, as long as each is quick."""
        until, before = self._clock.now() - GRACE, self._clock.monotonic()
        rolled = await self._store.queues.roll_up(until=until, span=self._span)
        self._fit(self._clock.monotonic() - before)
        await self._prune()
        if rolled is None:
            return False
        self._facts.publish(RunsRolledUp(rolled))
        return rolled.until < until

    def _fit(self, took: float) -> None:
        if took < QUICK:
            self._span = min(2 * self._span, SPAN_MAX)
        elif took > SLOW:
            self._span = max(self._span / 2, SPAN_MIN)

    async def _prune(self) -> None:
        if self._clock.monotonic() < self._prune_at:
            return
        self._prune_at = self._clock.monotonic() + PRUNE_EVERY
        for step, kept in KEPT.items():
            await self._store.queues.prune_rollups(step, before=self._clock.now() - kept)
