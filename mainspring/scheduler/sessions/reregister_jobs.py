"""Registers again the jobs of executors whose code differs from the definition in force, whose last executor may be gone."""

import asyncio

import msgspec

from mainspring.domain.jobs.job import JobSpec
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.facts import CatalogChanged, Fact, Facts, SessionsChanged
from mainspring.scheduler.sessions.connection import ExecutorConnection
from mainspring.scheduler.sessions.gateway import Gateway

PERIOD = 5.0
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class ReregisterJobs:
    """Brings an older release's definitions back once a newer one is gone: no executor says hello then."""

    name = "follow_code"
    period = PERIOD

    def __init__(self, catalog: Catalog, gateway: Gateway, known: KnownServers, facts: Facts) -> None:
        self.wake = asyncio.Event()
        self._catalog = catalog
        self._gateway = gateway
        self._known = known
        self._look = True
        self._behind: dict[tuple[str, bytes], tuple[ExecutorConnection, JobSpec]] = {}
        """By namespace and definition: many executors have the same code."""
        facts.subscribe(CatalogChanged, self._changed)
        facts.subscribe(SessionsChanged, self._changed)

    def _changed(self, _: Fact) -> None:
        self._look = True

    async def tick(self) -> bool:
        if self._look:
            self._look = False
            self._behind = {
                (attached.session.namespace, _encode(spec)): (attached, spec)
                for attached in self._gateway.attached.values()
                for spec in attached.jobs
                if not self._catalog.follows(attached.session.namespace, spec)
            }
        for attached, spec in list(self._behind.values()):
            if self._known.know(spec.policy):
                await self._catalog.register(attached.session.namespace, [spec], attached.speaker)
        return False
