"""Sizes that operators want pools to have, on their way to executors."""

import asyncio
from collections import defaultdict

from mainspring.domain.cluster.session import PoolSize
from mainspring.scheduler.facts import Facts, HintReceived, SessionsChanged
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.wire.pools import Resize


class ResizePools:
    """Wishes are rows by an executor's name; whichever server it is attached to tells it, until it says that it follows."""

    name = "resize_pools"

    def __init__(self, store: Store, settings: SchedulerSettings, gateway: Gateway, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self.period = settings.poll
        self._store = store
        self._gateway = gateway
        self._wanted: dict[tuple[str, str], tuple[PoolSize, ...]] = {}
        facts.subscribe(HintReceived, self._hinted)
        facts.subscribe(SessionsChanged, lambda _: self._tell())

    async def tick(self) -> bool:
        # Also while nobody is attached: an executor that comes is told from here.
        wishes = await self._store.executors.pool_wishes()
        wanted: dict[tuple[str, str], list[PoolSize]] = defaultdict(list)
        for wish in wishes:
            wanted[wish.namespace, wish.executor].append(wish.size)
        self._wanted = {place: tuple(sizes) for place, sizes in wanted.items()}
        self._tell()
        return False

    def _tell(self) -> None:
        for attached in self._gateway.attached.values():
            session = attached.session
            wanted = self._wanted.get((session.namespace, session.executor), ())
            if wanted != attached.told.pools:
                attached.told.pools = wanted
                attached.send(Resize(list(wanted)))

    def _hinted(self, hint: HintReceived) -> None:
        if hint.lines is None:
            self.wake.set()
