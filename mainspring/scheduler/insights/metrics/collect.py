"""All metrics of a server's engine at one moment."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from mainspring.clock import Clock
from mainspring.domain.cluster.server import HOME
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.caps import Caps
from mainspring.domain.metrics.family import Series
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.duty import Duty, Health
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.metrics.count_facts import CountFacts
from mainspring.scheduler.insights.metrics.count_subjects import CountSubjects
from mainspring.scheduler.insights.metrics.read_cluster import ReadCluster
from mainspring.scheduler.insights.metrics.timed_store import StoreTimes
from mainspring.scheduler.insights.metrics.vitals import LATELY, ReadVitals
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

Reading = Callable[[], Iterable[Series]]


class Metrics:
    """Reads plain numbers when asked; it asks no database."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        health: Health,
        times: StoreTimes,
        hints: ExchangeHints,
        facts: Facts,
        settings: SchedulerSettings,
    ) -> None:
        jobs = settings.metrics_jobs
        self._store, self._clock, self._health, self._times, self._hints = store, clock, health, times, hints
        self.caps = Caps(jobs=jobs)
        self._subjects = CountSubjects(store, clock, catalog, self.caps)
        self._included: list[Reading] = []
        self._counted = CountFacts(clock, catalog, self.caps, facts, jobs=bool(jobs))
        self._cluster = ReadCluster(clock, catalog, self.caps, facts)
        self._started_at = clock.now()
        self._lag = WatchLoop(clock)
        self.vitals = ReadVitals(clock, times.seconds, self._lag.worst)

    @property
    def duties(self) -> list[Duty]:
        return [self._lag, self._subjects]

    def include(self, *readings: Reading) -> None:
        """Show the series of other parts too."""
        self._included += readings

    def collect(self, namespace: str | None = None) -> list[Series]:
        """All series, or those of one namespace."""
        cluster = self._cluster.series()
        self._counted.drop(self.caps.expire(self._clock.monotonic()))
        found = [*cluster, *self._counted.series(), *self._subjects.series(), *self._server()]
        found += [one for reading in self._included for one in reading()]
        return found if namespace is None else [each for one in found if (each := one.within(namespace)) is not None]

    def _server(self) -> list[Series]:
        now = self._clock.monotonic()
        ages = [((duty,), now - at) for duty, at in self._health.worked_at.items()]
        return [
            Series(declared.START_TIME, [((), self._started_at.timestamp())]),
            self._health.ticks.series(),
            self._health.failures.series(),
            Series(declared.DUTY_AGE, ages),
            *self._times.series(),
            Series(
                declared.STORE_CONNECTIONS, [((state,), count) for state, count in self._store.connections().items()]
            ),
            Series(declared.SHARD_UP, [((HOME,), not self._health.trouble)]),
            self._counted.hints(self._hints.told),
            Series(declared.LOOP_LAG, [((), self._lag.seconds)]),
            Series(declared.FOLDED, self.caps.folded()),
        ]


class WatchLoop:
    """Looks every second how late the event loop comes back to it."""

    name = "watch_loop"
    period = 1.0

    def __init__(self, clock: Clock) -> None:
        self.wake = asyncio.Event()
        self.seconds = 0.0
        self._lately: deque[float] = deque(maxlen=int(LATELY / self.period))
        self._clock = clock
        self._ticked_at: float | None = None

    def worst(self) -> float | None:
        """Of the last minute; None: it has not looked yet."""
        return max(self._lately, default=None)

    async def tick(self) -> bool:
        now = self._clock.monotonic()
        if self._ticked_at is not None:
            self.seconds = max(0.0, now - self._ticked_at - self.period)
            self._lately.append(self.seconds)
        self._ticked_at = now
        return False
