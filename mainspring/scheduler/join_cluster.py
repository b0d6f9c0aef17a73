"""This server among others: its lease, who else is there, and the database's time."""

import asyncio
from collections import deque
from collections.abc import Callable
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.domain.ids import ServerId
from mainspring.domain.session import ServerInfo
from mainspring.scheduler.exchange_hints import ExchangeHints
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

SAMPLES = 8

Follow = Callable[[timedelta], None]
"""Shifts this server's clock."""


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
    ) -> None:
        self.wake = asyncio.Event()
        self.period = settings.lease / 3
        self._store = store
        self._settings = settings
        self._clock = clock
        self._server = server
        self._hints = hints
        self._follow = follow
        self._samples: deque[tuple[float, timedelta]] = deque(maxlen=SAMPLES)

    async def tick(self) -> bool:
        await self.set_clock()
        now = self._clock.now()
        until = now + timedelta(seconds=self._settings.lease)
        info = ServerInfo(id=self._server, name=self._settings.name, lease_until=until)
        servers = await self._store.cluster.join(info, now=now)
        alone = all(server.id == self._server for server in servers)
        if self._hints.alone and not alone:
            self._hints.wake.set()
        self._hints.alone = alone
        return False

    async def set_clock(self) -> None:
        """Take the sample with the shortest round trip: it says most precisely how far apart the clocks are."""
        sent, before = self._clock.monotonic(), self._clock.now()
        theirs = await self._store.clock()
        trip = self._clock.monotonic() - sent
        self._samples.append((trip, theirs - (before + timedelta(seconds=trip / 2))))
        _, apart = min(self._samples)
        if apart:
            self._follow(apart)
            self._samples = deque(((one, other - apart) for one, other in self._samples), maxlen=SAMPLES)
