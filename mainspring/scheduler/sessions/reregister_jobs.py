"""Executors whose code says something else than what holds: heard again, for that may have lost its last speaker."""

import asyncio

from mainspring.domain.jobs.job import JobSpec
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Fact, Facts, SessionsChanged
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.gateway import Gateway

PERIOD = 5.0


class ReregisterJobs:
    """Brings an older release's definitions back once a newer one is gone: nobody says hello then."""

    name = "follow_code"
    period = PERIOD

    def __init__(self, catalog: Catalog, gateway: Gateway, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._catalog = catalog
        self._gateway = gateway
        self._look = True
        self._behind: dict[tuple[str, JobSpec], ExecutorConnection] = {}
        facts.subscribe(CatalogChanged, self._changed)
        facts.subscribe(SessionsChanged, self._changed)

    def _changed(self, _: Fact) -> None:
        self._look = True

    async def tick(self) -> bool:
        if self._look:
            self._look = False
            self._behind = {
                (attached.session.namespace, spec): attached
                for attached in self._gateway.attached.values()
                for spec in attached.jobs
                if not self._catalog.follows(attached.session.namespace, spec)
            }
        for (namespace, spec), attached in list(self._behind.items()):
            await self._catalog.register(namespace, [spec], attached.speaker)
        return False
