"""The parts that make this server one of several."""

from mainspring.clock import Clock
from mainspring.domain.cluster.server import Place
from mainspring.scheduler.cluster.check_durability import CheckDurability
from mainspring.scheduler.cluster.join_cluster import Follow, JoinCluster
from mainspring.scheduler.cluster.operations import ServerOperations
from mainspring.scheduler.cluster.resize_pools import ResizePools
from mainspring.scheduler.cluster.share_executors import ShareExecutors
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts, ServersSeen
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.sessions.wire import Sessions
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store

DRAINED = "an operator has drained this server"


class Membership:
    """Builds the parts; each subscribes to the facts that it needs."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        place: Place,
        sessions: Sessions,
        hints: ExchangeHints,
        follow: Follow,
        facts: Facts,
    ) -> None:
        server, gateway = sessions.gateway.server, sessions.gateway
        self.known = sessions.known
        self.joining = JoinCluster(store, settings, clock, server, hints, follow, facts, place)
        self.sharing = ShareExecutors(server, place, self.known, gateway)
        self.resizing = ResizePools(store, settings, gateway, facts)
        self.servers = ServerOperations(store, clock, self.joining.wake, self.known)
        self.durability = CheckDurability(settings.require_durability, facts)
        self._gateway = gateway
        facts.subscribe(ServersSeen, lambda _: self._send_away())

    @property
    def reason(self) -> str:
        """Why this server takes no work; empty if it does."""
        return DRAINED if self.known.is_drained else ""

    @property
    def unready(self) -> str:
        """Why load balancers are to leave this server out; a server that is not ready still takes runs unless drained."""
        return self.reason or self.durability.reason

    @property
    def duties(self) -> list[Duty]:
        return [self.joining, self.sharing, self.resizing]

    def _send_away(self) -> None:
        """Executors of a drained server go elsewhere, also those that came a moment ago."""
        if self.known.is_drained:
            self._gateway.leave()
