"""Runs that wait for a breaker go on: a few to find out, waves after that, then all."""

import asyncio

import msgspec

from mainspring.clock import Clock
from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.runs.attempt import Outcome
from mainspring.scheduler.breakers.count_attempts import Place
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import LONG_AGO, AttemptsEnded, CatalogChanged, Facts, RunsChanged, RunsQueued
from mainspring.store.interface import Store

BATCH = 1_000
STEP = 1.0
"""Seconds between two looks while runs are parked, and the part of a wave that each lets go."""


class Allowance(msgspec.Struct, frozen=True):
    """Parked runs that a breaker lets go at one look."""

    limit: int
    held: bool
    """Whether those go whose own instant has not come."""


class ReleaseParked:
    """Every server does this; a run that another one releases at the moment is passed over."""

    name = "release_parked"

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, facts: Facts, *, poll: float) -> None:
        self.wake = asyncio.Event()
        self.period = self._poll = poll
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._facts = facts
        self._probed: dict[Place, int] = {}
        """The revisions of half-open breakers for which probes were let go."""
        self._wave_at: dict[Place, float] = {}
        facts.subscribe(CatalogChanged, lambda _: self._changed())
        facts.subscribe(AttemptsEnded, self._ended)

    def _changed(self) -> None:
        if self.period < self._poll:
            self.wake.set()

    def _ended(self, fact: AttemptsEnded) -> None:
        if any(end.outcome is Outcome.PARKED for end in fact.ended):
            self.wake.set()

    async def tick(self) -> bool:
        places = await self._store.breakers.parked()
        self.period = min(STEP, self._poll) if places else self._poll
        more = False
        for place in places:
            more |= await self._release(place)
        return more

    async def _release(self, place: Place) -> bool:
        """Let runs of one breaker go; True if there may be more."""
        breaker = self._catalog.breakers.get(place)
        allowed = self._allowance(place, breaker)
        if allowed is None:
            return False
        epoch = None if breaker is None else breaker.epoch
        lines = await self._store.breakers.unpark(
            *place, epoch=epoch, now=self._clock.now(), limit=allowed.limit, held=allowed.held
        )
        if lines:
            self._facts.publish(RunsChanged(list(lines)))
            # They keep their due times, which claims may have passed.
            self._facts.publish(RunsQueued(sorted(set(lines.values())), since=LONG_AGO))
        return len(lines) == BATCH

    def _allowance(self, place: Place, breaker: Breaker | None) -> Allowance | None:
        if breaker is None or (breaker.state is BreakerState.CLOSED and not breaker.wave):
            return Allowance(BATCH, held=False)
        if breaker.state.refuses:
            return None
        if breaker.state is BreakerState.HALF_OPEN:
            if self._probed.get(place) == breaker.revision:
                return None
            self._probed[place] = breaker.revision
            return Allowance(min(BATCH, breaker.spec.probes), held=True)
        if not breaker.wave:
            return Allowance(BATCH, held=True)
        now = self._clock.monotonic()
        if now < self._wave_at.get(place, now):
            return None
        self._wave_at[place] = now + STEP
        return Allowance(min(BATCH - 1, breaker.wave), held=True)
