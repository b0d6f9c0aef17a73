"""Drains that somebody asked for, on their way to the executors concerned."""

from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import CatalogChanged, Fact, Facts, SessionsChanged
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.wire.messages import Drain


class TellDrains:
    """Tells each executor attached here once on every connection; what it was told before does it no harm."""

    def __init__(self, catalog: Catalog, gateway: Gateway, facts: Facts) -> None:
        self._catalog = catalog
        self._gateway = gateway
        facts.subscribe(CatalogChanged, self._tell)
        facts.subscribe(SessionsChanged, self._tell)

    def _tell(self, _: Fact) -> None:
        for attached in self._gateway.attached.values():
            cordon = self._catalog.cordon_of(attached.session)
            if cordon is not None and cordon.drain_at is not None and cordon.drain_at != attached.drain_at:
                attached.drain_at = cordon.drain_at
                attached.send(Drain(cordon.grace))
