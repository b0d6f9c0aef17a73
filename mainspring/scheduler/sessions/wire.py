"""The parts that serve executors: their connections, leases and messages, and the requests relayed to them."""

from mainspring.clock import Clock
from mainspring.domain.ids import ServerId
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.sessions.reclaim_leases import ReclaimLeases
from mainspring.scheduler.sessions.refusals import Refusals
from mainspring.scheduler.sessions.relay_requests import RelayRequests
from mainspring.scheduler.sessions.renew_leases import RenewLeases
from mainspring.scheduler.sessions.reregister_jobs import ReregisterJobs
from mainspring.scheduler.sessions.store_checkpoints import StoreCheckpoints
from mainspring.scheduler.sessions.store_telemetry import StoreTelemetry
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store


class Sessions:
    """Builds the parts; each subscribes to the facts that it needs."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        server: ServerId,
        catalog: Catalog,
        settling: SettleAttempts,
        access: AccessCache,
        facts: Facts,
    ) -> None:
        self.known = known = KnownServers(server, facts)
        refusals = Refusals(settling)
        self.renewing = RenewLeases(store, settings, clock, known, facts)
        self.reclaiming = ReclaimLeases(store, settings, clock, settling, facts)
        self.telemetry = StoreTelemetry(store, clock, facts)
        self.checkpoints = StoreCheckpoints(store, clock, refusals)
        self.gateway = Gateway(
            store,
            settings,
            clock,
            server,
            catalog,
            settling,
            self.renewing,
            self.telemetry,
            self.checkpoints,
            refusals,
            access,
            known,
            facts,
        )
        self.relaying = RelayRequests(store, settings, catalog, self.gateway, facts)
        self.following = ReregisterJobs(catalog, self.gateway, known, facts)

    @property
    def duties(self) -> list[Duty]:
        return [
            self.renewing,
            self.reclaiming,
            self.relaying,
            self.checkpoints,
            self.telemetry,
            self.following,
        ]
