"""Gauges of the whole cluster, read from the last survey, the catalog and the lease of this server when metrics are read."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Session
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.caps import Caps
from mainspring.domain.metrics.family import Labels, Metric, Series
from mainspring.domain.queues.queue import Depth, Place, Survey, together
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import DatabaseWatched, Facts, QueuesSurveyed, RunsRolledUp, ServersSeen

STATES = ("queued", "later", "waiting", "running")


class ReadCluster:
    """Remembers the last survey and roll-up; a scrape asks no database."""

    def __init__(self, clock: Clock, catalog: Catalog, caps: Caps, facts: Facts) -> None:
        self._clock, self._catalog, self._caps = clock, catalog, caps
        self._survey = Survey(taken_at=None, depths={})
        self._rolled_until: datetime | None = None
        self._servers = 0
        facts.subscribe(QueuesSurveyed, self._surveyed)
        facts.subscribe(RunsRolledUp, self._rolled)
        self._watch: DatabaseWatch | None = None
        facts.subscribe(ServersSeen, self._counted)
        facts.subscribe(DatabaseWatched, self._watched)

    def series(self) -> list[Series]:
        now = self._clock.now()
        depths = self._depths()
        sessions = self._catalog.sessions
        return [
            *self._queues(depths, now),
            *self._listeners(sessions),
            *self._executors(sessions),
            Series(declared.SERVERS, [((), self._servers)]),
            Series(declared.SURVEY_AGE, age(self._survey.taken_at, now)),
            Series(declared.ROLLUP_AGE, age(self._rolled_until, now)),
            *([] if self._watch is None else of_database(self._watch)),
        ]

    def _surveyed(self, fact: QueuesSurveyed) -> None:
        self._survey = fact.survey

    def _rolled(self, fact: RunsRolledUp) -> None:
        self._rolled_until = fact.rolled.until

    def _counted(self, fact: ServersSeen) -> None:
        self._servers = len(fact.servers)

    def _watched(self, fact: DatabaseWatched) -> None:
        self._watch = fact.watch

    def _depths(self) -> dict[Labels, Depth]:
        """Of all queues that hold runs, have executors or are paused, by their labels."""
        now, found = self._clock.monotonic(), defaultdict(list)
        for number, depth in self._survey.depths.items():
            if (line := self._catalog.lines.get(number)) is not None:
                found[self._caps.queue(line.namespace, line.queue, now)].append(depth)
        for namespace, queue in [*self._paused(), *self._listened()]:
            found[self._caps.queue(namespace, queue, now)].append(Depth())
        return {labels: together(depths) for labels, depths in found.items()}

    def _paused(self) -> list[Place]:
        return [place for place, rule in self._catalog.rules.items() if rule.pause is not None and all(place)]

    def _listened(self) -> set[Place]:
        return {(one.namespace, queue) for one in self._catalog.sessions for queue in one.abilities.queues}

    def _queues(self, depths: Mapping[Labels, Depth], now: datetime) -> Iterable[Series]:
        runs = [((*labels, state), getattr(depth, state)) for labels, depth in depths.items() for state in STATES]
        oldest = [(labels, since(depth.oldest_at, now)) for labels, depth in depths.items()]
        paused = {self._caps.queue(*place, self._clock.monotonic()) for place in self._paused()}
        yield Series(declared.QUEUE_RUNS, runs)
        yield Series(declared.QUEUE_OLDEST, oldest)
        longest = [(labels, since(depth.running_oldest_at, now)) for labels, depth in depths.items()]
        yield Series(declared.QUEUE_RUNNING_OLDEST, longest)
        yield Series(declared.QUEUE_PAUSED, [(labels, labels in paused) for labels in depths])

    def _listeners(self, sessions: Iterable[Session]) -> Iterable[Series]:
        now = self._clock.monotonic()
        executors: Counter[Labels] = Counter()
        slots: Counter[Labels] = Counter()
        for session in sessions:
            room = sum(pool.max for pool in session.abilities.pools)
            for queue in session.abilities.queues:
                labels = self._caps.queue(session.namespace, queue, now)
                executors[labels] += 1
                slots[labels] += room
        yield tallied(declared.QUEUE_EXECUTORS, executors)
        yield tallied(declared.QUEUE_SLOTS, slots)

    def _executors(self, sessions: Iterable[Session]) -> Iterable[Series]:
        now = self._clock.monotonic()
        states: Counter[Labels] = Counter()
        for session in sessions:
            states[self._caps.namespace(session.namespace, now), session.state.name.lower()] += 1
        yield tallied(declared.EXECUTORS, states)


def of_database(found: DatabaseWatch) -> Iterable[Series]:
    yield Series(declared.DATABASE_SIZE, [((), found.size)])
    yield Series(declared.DATABASE_DEAD_ROWS, [((table,), rows) for table, rows in found.dead_rows.items()])
    yield Series(declared.DATABASE_XMIN_AGE, [((), 0.0 if found.holder is None else found.holder.seconds)])
    yield Series(declared.DATABASE_DURABILITY, [((str(found.durability),), 1)])
    yield Series(declared.DATABASE_NOTIFY_QUEUE, [((), found.notify_queue)])
    if found.replication_lag is not None:
        yield Series(declared.DATABASE_REPLICATION_LAG, [((), found.replication_lag)])


def tallied(metric: Metric, counts: Mapping[Labels, int]) -> Series:
    return Series(metric, list(counts.items()))


def since(instant: datetime | None, now: datetime) -> float:
    return 0.0 if instant is None else max(0.0, (now - instant).total_seconds())


def age(instant: datetime | None, now: datetime) -> list[tuple[Labels, float]]:
    """No series until there is something that has an age."""
    return [] if instant is None else [((), since(instant, now))]
