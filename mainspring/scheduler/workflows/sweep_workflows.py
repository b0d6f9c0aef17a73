"""Finds workflow runs that stand still although they need not. In health it finds none."""

import asyncio
import logging
from datetime import datetime, timedelta

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.domain.workflows.move import Advanced
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.workflows.advancing import Advancing
from mainspring.scheduler.workflows.mover import Mover
from mainspring.store.interface import Store

log = logging.getLogger("mainspring.workflows")

BATCH = 500
STILL = timedelta(seconds=30)
PERIOD = 10.0


class SweepWorkflows:
    """Walks over workflow runs that nothing has moved for a while, compares them with history, and has them looked at."""

    name = "sweep_workflows"

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, advancing: Advancing) -> None:
        self.wake = asyncio.Event()
        self.period = PERIOD
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._advancing = advancing
        self._after: RunId | None = None

    async def tick(self) -> bool:
        if not self._catalog.has_workflows:
            # A handler may wait whose run another server has set aside.
            self._catalog.has_workflows = await self._store.workflows.any()
            return False
        now = self._clock.now()
        flows = await self._store.workflows.stale(before=now - STILL, after=self._after, limit=BATCH)
        self._after = flows[-1] if len(flows) == BATCH else None
        if not flows:
            return False
        mended = await self._store.workflows.mend(flows, now=now)
        if mended:
            log.error("%d ends of steps were in history and not in their workflow runs; they are taken up now", mended)

        async def act(mover: Mover, now: datetime) -> Advanced:
            return await self._store.workflows.advance(flows, mover, now=now, look=True)

        await self._advancing.run(act)
        return self._after is not None
