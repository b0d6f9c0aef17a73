"""How long the runs of a job usually take, from the roll-ups of last week."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from mainspring.domain.alerts.findings import Place
from mainspring.domain.alerts.rule import AlertKind, AlertRule
from mainspring.domain.queues.rollup import Resolution, duration_of
from mainspring.scheduler.catalog import Catalog
from mainspring.store.interface import Store

WEEK = timedelta(days=7)
KEPT = timedelta(minutes=10)
ASKED_MAX = 50
"""Jobs that one evaluation asks about."""
MICROSECONDS = 1_000_000
SAMPLES_MIN = 20
"""Runs that it takes to say what is usual."""


class UsualDurations:
    """The 99th percentiles of durations, each kept for a while."""

    def __init__(self, store: Store, catalog: Catalog) -> None:
        self._store, self._catalog = store, catalog
        self._known: dict[Place, tuple[datetime, float | None]] = {}

    async def of(self, jobs: Collection[Place], rules: Sequence[AlertRule], now: datetime) -> dict[Place, float]:
        """Seconds by job, for those of these jobs that have run often enough; none unless a rule goes by it."""
        if not any(rule.spec.kind is AlertKind.RUN_LONG and rule.spec.older_than is None for rule in rules):
            return {}
        old = [place for place in jobs if place not in self._known or now - self._known[place][0] >= KEPT]
        for place in old[:ASKED_MAX]:
            self._known[place] = now, await self._ask(place, now)
        known = {place: self._known[place][1] for place in jobs if place in self._known}
        return {place: seconds for place, seconds in known.items() if seconds is not None}

    async def _ask(self, place: Place, now: datetime) -> float | None:
        job = self._catalog.jobs.get(place)
        lines = [number for number, line in self._catalog.lines.items() if line.namespace == place[0]]
        if job is None:
            return None
        rollups = await self._store.queues.rollups(
            Resolution.HOUR, lines=lines, since=now - WEEK, until=now, job=job.id
        )
        spread = duration_of(rollups)
        micros = spread.quantile(0.99) if spread.samples >= SAMPLES_MIN else None
        return None if micros is None else micros / MICROSECONDS
