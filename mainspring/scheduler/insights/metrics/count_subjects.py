"""Counts of the whole cluster that no survey has: dead letters, triggers, alerts, SLOs, notices and the use of slots."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Presence
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.caps import Caps
from mainspring.domain.metrics.family import Labels, Metric, Series
from mainspring.domain.slos.budget import BudgetState
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.scheduler.alerts.slo_standings import SloStandings
from mainspring.scheduler.catalog import Catalog
from mainspring.store.interface import PresenceFilter, Store

# A server that no Prometheus reads asks for nothing.
READ_LATELY = 300.0
"""Seconds for which counts are kept up after a scrape."""
PAGE = 500
SLOS_MAX = 500
Place = tuple[str, str]


class CountSubjects:
    """Asks the database now and then, never during a scrape."""

    name = "count_subjects"
    period = 15.0

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, caps: Caps) -> None:
        self.wake = asyncio.Event()
        self._store, self._clock, self._catalog, self._caps = store, clock, catalog, caps
        self._definitions, self._standings = KnownDefinitions(store, clock), SloStandings(store, catalog)
        self._read_at: float | None = None
        self._found: list[Series] = []

    def series(self) -> list[Series]:
        """The last counts; the first scrape asks for them."""
        if self._read_at is None:
            self.wake.set()
        self._read_at = self._clock.monotonic()
        return self._found

    async def tick(self) -> bool:
        if self._read_at is None or self._clock.monotonic() - self._read_at > READ_LATELY:
            # Old counts are not shown to a Prometheus that comes back.
            self._found, self._read_at = [], None
            return False
        self._found = [*await self._work(), *await self._told(), self._slots(await self._presences())]
        return False

    async def _work(self) -> list[Series]:
        now = self._clock.now()
        dead: Counter[Labels] = Counter()
        for number, runs in (await self._store.findings.open_dead()).items():
            if (job := self._catalog.jobs_by_id.get(number)) is not None:
                dead[(self._place(job.namespace),)] += runs
        triggers: Counter[Labels] = Counter()
        overdue = now - timedelta(minutes=1)
        for namespace, state, count in await self._store.findings.triggers(overdue=overdue):
            triggers[self._place(namespace), state] += count
        return [counted(declared.DEAD_LETTERS, dead), counted(declared.TRIGGERS, triggers)]

    async def _told(self) -> list[Series]:
        known = await self._definitions.read()
        alerts = Counter[Labels](
            (self._place(one.namespace), one.severity.value, one.state.value) for one in await self._store.alerts.open()
        )
        kinds = {(one.namespace, one.name): one.spec.kind.value for one in known.channels}
        waiting: Counter[Labels] = Counter({(kind,): 0 for kind in kinds.values()})
        for place, notices in (await self._store.notices.waiting()).items():
            waiting[(kinds.get(place, "gone"),)] += notices
        standings = await self._standings.of(known.slos[:SLOS_MAX], self._clock.now())
        return [
            counted(declared.ALERTS, alerts),
            counted(declared.NOTICES_WAITING, waiting),
            *of_slos({(self._place(namespace), name): found for (namespace, name), found in standings.items()}),
        ]

    async def _presences(self) -> list[Presence]:
        found: list[Presence] = []
        for namespace in {one.namespace for one in self._catalog.sessions}:
            query = PresenceFilter(namespace=namespace, limit=PAGE)
            while page := await self._store.executors.list(query):
                found += page
                last = page[-1].session
                query = PresenceFilter(namespace=namespace, after=(last.executor, last.id), limit=PAGE)
        return found

    def _slots(self, presences: Sequence[Presence]) -> Series:
        slots: Counter[Labels] = Counter()
        for one in presences:
            place = self._place(one.session.namespace)
            taken = {} if one.load is None else {use.pool: use.taken for use in one.load.pools}
            for size in one.session.abilities.pools:
                # More than its slots are taken where attempts wait on the executor itself.
                busy = min(taken.get(size.pool, 0), size.max)
                slots[place, size.pool.value, "taken"] += busy
                slots[place, size.pool.value, "free"] += size.max - busy
        return counted(declared.EXECUTOR_SLOTS, slots)

    def _place(self, namespace: str) -> str:
        return self._caps.namespace(namespace, self._clock.monotonic())


def of_slos(standings: dict[Place, BudgetState]) -> list[Series]:
    burns = [
        ((*place, f"{window.total_seconds() / 60:g}m"), rate)
        for place, found in standings.items()
        for window, rate in found.burns.items()
    ]
    left = [(place, found.budget_left) for place, found in standings.items()]
    return [Series(declared.SLO_BUDGET_LEFT, left), Series(declared.SLO_BURN_RATE, burns)]


def counted(metric: Metric, counts: Counter[Labels]) -> Series:
    return Series(metric, list(counts.items()))
