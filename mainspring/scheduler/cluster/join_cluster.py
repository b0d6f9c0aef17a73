"""This server among others: its lease, who else is there, and the database's time."""

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from mainspring.clock import Clock
from mainspring.domain.cluster.server import Place, Server, Vitals
from mainspring.domain.ids import ServerId
from mainspring.scheduler.facts import Facts, ServersSeen, SessionsChanged
from mainspring.scheduler.hints import ExchangeHints
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

SAMPLES = 8
# The first pays for a connection.
FIRST = 3
"""Samples before anything is taken for the time."""
DRIFT = 5e-4
"""Seconds by which two clocks may come apart in one second; a clock that is being slewed does so."""

Follow = Callable[[timedelta], None]
"""Shifts this server's clock."""
Fare = Callable[[], Vitals]
"""How this server fares."""


class JoinCluster:
    """Renews the server's row and disciplines its clock by the database's."""

    name = "join_cluster"

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        server: ServerId,
        hints: ExchangeHints,
        follow: Follow,
        facts: Facts,
        place: Place,
    ) -> None:
        self.wake = asyncio.Event()
        self.period = settings.lease / 3
        self._store = store
        self._settings = settings
        self._clock = clock
        self._server = server
        self._hints = hints
        self._follow = follow
        self._facts = facts
        self._place = place
        self.fare: Fare = Vitals
        """What it tells of itself with each renewal."""
        self._joined_at: datetime | None = None
        self._apart = 0.0
        """Seconds by which this server's clock was shifted, to follow the database's."""
        self._attached = 0
        facts.subscribe(SessionsChanged, self._counted)
        self._samples: deque[Sample] = deque(maxlen=SAMPLES)

    async def tick(self) -> bool:
        await self.set_clock()
        now = self._clock.now()
        servers = await self._store.cluster.join(self._row(now), now=now)
        self._facts.publish(ServersSeen(servers, self._apart, self._unsure(self._clock.monotonic())))
        alone = all(server.id == self._server for server in servers)
        if self._hints.alone and not alone:
            self._hints.wake.set()
        self._hints.alone = alone
        return False

    def _row(self, now: datetime) -> Server:
        self._joined_at = self._joined_at or now
        place, fares = self._place, self.fare()
        return Server(
            id=self._server,
            name=self._settings.name,
            lease_until=now + timedelta(seconds=self._settings.lease),
            url=place.url,
            zone=place.zone,
            version=place.version,
            protocol=place.protocol,
            joined_at=self._joined_at,
            attached=self._attached,
            commit_p99=fares.commit_p99,
            loop_delay=fares.loop_delay,
        )

    def _counted(self, changed: SessionsChanged) -> None:
        self._attached = len(changed.sessions)

    async def set_clock(self) -> None:
        """Follow the database's clock, and never run ahead of it: no run may start early."""
        for _ in range(1 if self._samples else FIRST):
            self._samples.append(await self._sample())
        now = self._clock.monotonic()
        # Each says how far ahead the other clock is at least, as of then; the best of them is the one that says most.
        apart = max(sample.at_least(now) for sample in self._samples)
        if apart:
            self._follow(apart)
            self._apart += apart.total_seconds()
            self._samples = deque((sample.after(apart) for sample in self._samples), maxlen=SAMPLES)

    def _unsure(self, now: float) -> float:
        """Seconds by which the database's clock may still be ahead."""
        return max(0.0, min(sample.at_most(now) for sample in self._samples).total_seconds())

    async def _sample(self) -> "Sample":
        asked = self._clock.monotonic()
        theirs = await self._store.clock()
        answered = self._clock.monotonic()
        return Sample(answered, theirs - self._clock.now(), answered - asked)


class Sample(NamedTuple):
    """One look at the database's clock: it may have looked as late as its answer came, or as early as it was asked."""

    taken: float
    ahead: timedelta
    """How far ahead the database was, if it looked when its answer came."""
    took: float

    def at_least(self, now: float) -> timedelta:
        return self.ahead - timedelta(seconds=DRIFT * (now - self.taken))

    def at_most(self, now: float) -> timedelta:
        return self.ahead + timedelta(seconds=self.took + DRIFT * (now - self.taken))

    def after(self, apart: timedelta) -> "Sample":
        """The same look, once this server's clock was moved."""
        return self._replace(ahead=self.ahead - apart)
