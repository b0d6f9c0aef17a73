"""Looks at the database and the cluster when an operator asks, and says what to do about what is wrong."""

from collections.abc import Mapping

from mainspring.clock import Clock
from mainspring.domain.cluster.cluster_checks import check_invariants, check_seals, check_servers
from mainspring.domain.cluster.database_checks import check_product, check_running
from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.domain.cluster.finding import Finding
from mainspring.domain.cluster.usage import ClusterUsage, LeaseAges, ages_of
from mainspring.domain.cluster.watch import DatabaseWatch
from mainspring.scheduler.access.vault import Vault
from mainspring.settings.keys import SEAL_MARK
from mainspring.store.interface import Store


class Examine:
    """It changes nothing and takes no lock."""

    def __init__(self, store: Store, clock: Clock, vault: Vault, lease: float) -> None:
        self._store, self._clock, self._vault, self._lease = store, clock, vault, lease

    async def database(self) -> tuple[StoreFacts, DatabaseWatch]:
        facts = await self._store.cluster.facts(now=self._clock.now())
        assert facts.watch is not None
        return facts, facts.watch

    async def usage(self) -> tuple[ClusterUsage, LeaseAges]:
        usage = await self._store.cluster.usage()
        return usage, ages_of(usage.leases, self._clock.now(), self._lease)

    def loans(self) -> Mapping[str, int]:
        """Connections of this server that are busy and idle; empty where it needs no pool."""
        return self._store.connections()

    async def findings(self, *, pool_size: int, retention_days: int) -> list[Finding]:
        """What the doctor finds from here, each check in one line."""
        now, (facts, _) = self._clock.now(), await self.database()
        return [
            check_product(facts),
            check_seals(facts.seals, self._vault.marks, SEAL_MARK),
            *check_running(facts, now, pool_size=pool_size, retention_days=retention_days),
            check_servers([(one.name, one.url) for one in await self._store.cluster.servers(now=now)]),
            *check_invariants(await self._store.cluster.violations(now=now)),
        ]
