"""Looks after the database once a minute, more often where durability is required; names who holds back vacuum."""

import asyncio
import logging

from mainspring.clock import Clock
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.scheduler.facts import DatabaseWatched, Facts
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.watch_database")

PERIOD = 60.0
PERIOD_REQUIRED = 10.0


class WatchDatabase:
    """Publishes what it finds; trouble is logged when it begins, and again when it is over. It never ends a session."""

    name = "watch_database"

    def __init__(self, store: Store, clock: Clock, facts: Facts, *, required: str = "") -> None:
        self.wake = asyncio.Event()
        # A server whose readiness depends on the durability has to notice soon that it is less.
        self.period = PERIOD_REQUIRED if required else PERIOD
        self._store, self._clock, self._facts = store, clock, facts
        self._named: int | str | None = None
        """The session or transaction that was named last."""

    async def tick(self) -> bool:
        found = await self._store.cluster.watch(now=self._clock.now())
        self._facts.publish(DatabaseWatched(found))
        self._tell(found)
        return False

    def _tell(self, found: DatabaseWatch) -> None:
        holder = found.holder if found.trouble else None
        named = None if holder is None else holder.pid or holder.name
        if holder is not None and named != self._named:
            log.warning("%s: %s", holder.words, holder.remedy)
        elif named is None and self._named is not None:
            log.info("vacuum is no longer held back")
        self._named = named
