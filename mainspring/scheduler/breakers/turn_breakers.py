"""Breakers change their state by what was counted and as time passes; the first server to decide wins."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import Breaker, BreakerState, decided
from mainspring.domain.breakers.spec import base_of
from mainspring.domain.breakers.window import Calls, tally, window_start
from mainspring.domain.runs.retry import Jitter
from mainspring.scheduler.breakers.count_attempts import CountAttempts, Place
from mainspring.scheduler.breakers.hear_calls import HearCalls
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Facts
from mainspring.scheduler.hints import ExchangeHints
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.turn_breakers")

IDLE = 60.0
"""Seconds between two looks while no breaker has a time to keep."""
PAUSE = 0.2
"""Seconds between two writes of what was counted."""
SOON = 0.01
PRUNE = 60.0
KEY_LIFE = timedelta(hours=1)
"""How long the breaker of a key is kept that nobody calls."""
PRUNED_MAX = 1_000


class TurnBreakers:
    """Every server does this for all breakers; a breaker's revision lets one of them through."""

    name = "turn_breakers"

    def __init__(
        self, store: Store, clock: Clock, catalog: Catalog, hints: ExchangeHints, facts: Facts, *, jitter: Jitter
    ) -> None:
        self.wake = asyncio.Event()
        self.period = IDLE
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._hints = hints
        self._jitter = jitter
        self._write_at = 0.0
        self._counting = CountAttempts(clock, catalog, facts, self.wake)
        self.hearing = HearCalls(store, clock, catalog, self._counting, self.wake)
        self._prune_at = clock.monotonic() + PRUNE
        facts.wake(self.wake, CatalogChanged)

    async def tick(self) -> bool:
        await self._make_missing()
        if self._counting.any and self._clock.monotonic() >= self._write_at:
            self._write_at = self._clock.monotonic() + PAUSE
            await self._add_up()
        now = self._clock.now()
        for breaker in list(self._catalog.breakers.values()):
            if is_due(breaker, now):
                await self._look(breaker)
        await self._prune()
        self.period = self._until_next()
        return False

    async def _make_missing(self) -> None:
        """Code may name a breaker that no operator has defined: it begins with the usual rule."""
        named = {(job.namespace, job.spec.policy.breaker) for job in self._catalog.jobs.values()}
        missing = {place for place in named if place[1]} - self._catalog.breakers.keys()
        wanted = {**dict.fromkeys(sorted(missing)), **dict(self.hearing.unmade)}
        for (namespace, name), spec in wanted.items():
            await self._store.breakers.ensure(namespace, name, now=self._clock.now(), spec=spec)
        if wanted:
            await self._catalog.refresh()
            self.hearing.made()

    async def _prune(self) -> None:
        if self._clock.monotonic() >= self._prune_at:
            self._prune_at = self._clock.monotonic() + PRUNE
            if any(base_of(name) for _, name in self._catalog.breakers):
                await self._store.breakers.prune_keys(before=self._clock.now() - KEY_LIFE, limit=PRUNED_MAX)

    async def _add_up(self) -> None:
        """Calls whose commit fails are lost with it."""
        # Counted twice, they would open what is well.
        for (place, epoch), calls in self._counting.take().items():
            breaker = self._catalog.breakers.get(place)
            if breaker is None or breaker.epoch != epoch:
                continue
            since = window_start(breaker.spec, self._clock.now())
            counted = await self._store.breakers.add_calls(breaker.id, epoch, calls, since=since)
            await self._decide(breaker, counted)

    async def _look(self, breaker: Breaker) -> None:
        since = window_start(breaker.spec, self._clock.now())
        await self._decide(breaker, await self._store.breakers.calls(breaker.id, breaker.epoch, since=since))

    async def _decide(self, breaker: Breaker, calls: Sequence[Calls]) -> None:
        now = self._clock.now()
        counted = tally(breaker.spec, calls, now=now)
        probing = await self._probing(breaker, now)
        found = decided(breaker, counted, now=now, jitter=2 * self._jitter() - 1, probing=probing)
        if found is None:
            return
        if not await self._store.breakers.turn(found, before=breaker.revision, counted=counted):
            self._catalog.wake.set()
            return
        self._catalog.put_breaker(found, place_of(found))
        self._hints.add_all()
        if found.epoch != breaker.epoch:
            level = logging.WARNING if found.state is BreakerState.OPEN else logging.INFO
            why = f": {found.reason}" if found.reason else ""
            log.log(level, "breaker %s of %s is %s%s", found.name, found.namespace, found.state.value, why)

    async def _probing(self, breaker: Breaker, now: datetime) -> bool:
        """Whether attempts are under way through it; asked only where that decides."""
        if breaker.state is not BreakerState.HALF_OPEN or not is_due(breaker, now):
            return True
        states = await self._store.limits.gate_states([breaker.id], now=now)
        return any(state.held for state in states)

    def _until_next(self) -> float:
        now = self._clock.now()
        times = [
            (breaker.until - now).total_seconds()
            for breaker in self._catalog.breakers.values()
            if breaker.until is not None and not breaker.state.steered
        ]
        if self._counting.any:
            times.append(self._write_at - self._clock.monotonic())
        return max(SOON, min([IDLE, *times]))


def is_due(breaker: Breaker, now: datetime) -> bool:
    return breaker.until is not None and now >= breaker.until and not breaker.state.steered


def place_of(breaker: Breaker) -> Place:
    return breaker.namespace, breaker.name
