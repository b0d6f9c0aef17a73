"""Drops old history, a day at a time, and prepares the days to come."""

import asyncio
import logging
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.prune_history")

DAYS_AHEAD = 7


class PruneHistory:
    """Any server may do it at any time: preparing and dropping twice does no harm."""

    name = "prune_history"
    period = 3600.0

    def __init__(self, store: Store, settings: SchedulerSettings, clock: Clock) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._settings = settings
        self._clock = clock

    async def tick(self) -> bool:
        now = self._clock.now()
        await self._store.cluster.prepare_history(now=now, days=DAYS_AHEAD)
        before = now - timedelta(days=self._settings.retention_days)
        for name in await self._store.cluster.prune(before=before):
            log.info("dropped %s, older than %d days", name, self._settings.retention_days)
        return False
