"""Triggers that wait to be called: all that a server does for them."""

from mainspring.clock import Clock
from mainspring.domain.ids import Ids
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.insights.record_calls import RecordCalls
from mainspring.scheduler.intake.build_runs import Validate
from mainspring.scheduler.operations.secrets import SecretOperations
from mainspring.scheduler.triggers.call_triggers import CallTriggers, Take
from mainspring.scheduler.triggers.events import EventWaits, ReceiveEvents
from mainspring.scheduler.triggers.try_calls import TryCalls
from mainspring.scheduler.triggers.webhooks import ReceiveWebhooks
from mainspring.store.interface import Store


class Called:
    """Webhooks and events."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        ids: Ids,
        catalog: Catalog,
        validate: Validate,
        take: Take,
        vault: Vault,
        waits: EventWaits,
    ) -> None:
        self.calling = CallTriggers(store, clock, catalog, validate, take)
        self.recorded = RecordCalls(store)
        self.hooks = ReceiveWebhooks(store, clock, self.calling, vault, self.recorded)
        self.secrets = SecretOperations(store, clock, ids, vault)
        self.events = ReceiveEvents(store, clock, self.calling, waits)
        self.trials = TryCalls(store, clock, self.calling, vault)

    @property
    def duties(self) -> list[Duty]:
        return [self.calling, self.events, self.recorded]
