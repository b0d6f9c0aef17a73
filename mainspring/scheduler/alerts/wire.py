"""The parts of a server that watch, and that tell people."""

from mainspring.clock import Clock
from mainspring.domain.ids import Ids, ServerId
from mainspring.domain.networks import read_networks
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.alerts.ack_links import AckLinks
from mainspring.scheduler.alerts.cluster_faults import ClusterFaults, OwnFaults
from mainspring.scheduler.alerts.definitions import AlertDefinitions
from mainspring.scheduler.alerts.evaluate_alerts import EvaluateAlerts
from mainspring.scheduler.alerts.gather import Gather
from mainspring.scheduler.alerts.known_definitions import KnownDefinitions
from mainspring.scheduler.alerts.look_for_trouble import LookForTrouble
from mainspring.scheduler.alerts.operations import AlertOperations
from mainspring.scheduler.alerts.send_notices import NoCourier, Sender, SendNotices
from mainspring.scheduler.alerts.slo_standings import SloStandings
from mainspring.scheduler.alerts.tell_store_away import IsAway, TellStoreAway
from mainspring.scheduler.alerts.trigger_successes import Calendars
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store


class Alerting:
    """The operations that routes call, and the duties that evaluate and send."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        ids: Ids,
        server: ServerId,
        catalog: Catalog,
        vault: Vault,
        facts: Facts,
        calendars: Calendars,
        is_away: IsAway,
        *,
        courier: Sender | None = None,
        own_faults: OwnFaults = lambda _: (),
    ) -> None:
        cluster = ClusterFaults(facts, settings.require_durability, own_faults, retention_days=settings.retention_days)
        known, gather = KnownDefinitions(store, clock), Gather(store, catalog, facts, cluster, calendars)
        links, sender = AckLinks(vault, ids, clock, settings.console_url), courier or NoCourier()
        self.sending = SendNotices(store, clock, ids, vault, sender, facts, known, links, console=settings.console_url)
        self.evaluating = EvaluateAlerts(store, clock, ids, server, gather, facts, known, calendars)
        self.missing = TellStoreAway(clock, known, self.sending, is_away)
        self.looking = LookForTrouble(store, clock, gather, known)
        networks = read_networks(settings.alert_networks)
        self.definitions = AlertDefinitions(store, clock, ids, vault, networks=networks)
        self.standings = SloStandings(store, catalog)
        self.operations = AlertOperations(store, clock, ids, self.sending, links, known, facts)

    @property
    def duties(self) -> list[Duty]:
        return [self.evaluating, self.sending, self.missing]
