"""One database as a whole."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from mainspring.store.aside import Aside
from mainspring.store.interface.access import AccessStore, PreferenceStore, SavedViewStore, UserStore
from mainspring.store.interface.alerts.alerts import AlertStore, NoticeStore
from mainspring.store.interface.alerts.findings import FindingStore
from mainspring.store.interface.breakers import BreakerStore
from mainspring.store.interface.bulk import BulkStore
from mainspring.store.interface.calendars import CalendarStore
from mainspring.store.interface.cluster import ClusterStore
from mainspring.store.interface.executors import ExecutorStore
from mainspring.store.interface.jobs import JobStore
from mainspring.store.interface.lanes import LaneStore
from mainspring.store.interface.limits import LimitStore
from mainspring.store.interface.queues import QueueStore
from mainspring.store.interface.runs import RunStore
from mainspring.store.interface.triggers import TriggerStore
from mainspring.store.interface.webhooks import WebhookStore
from mainspring.store.interface.workflows import BatchStore, WaitStore, WorkflowStore


class Store(Protocol):
    """One database."""

    runs: RunStore
    bulk: BulkStore
    triggers: TriggerStore
    calendars: CalendarStore
    webhooks: WebhookStore
    jobs: JobStore
    queues: QueueStore
    limits: LimitStore
    lanes: LaneStore
    breakers: BreakerStore
    alerts: AlertStore
    notices: NoticeStore
    findings: FindingStore
    executors: ExecutorStore
    cluster: ClusterStore
    access: AccessStore
    users: UserStore
    saved_views: SavedViewStore
    preferences: PreferenceStore
    workflows: WorkflowStore
    waits: WaitStore
    batches: BatchStore
    aside: Aside
    """Rows that could not be read."""

    async def clock(self) -> datetime:
        """The database's own time."""

    def connections(self) -> Mapping[str, int]:
        """How many connections to the database are `busy`, and how many are `idle`."""

    async def check_schema(self) -> None:
        """Raise `SchemaError`, saying what to do, unless the schema is the one this version works with."""

    async def migrate(self) -> list[str]:
        """Apply missing migrations in order, then changed functions; return their names. Safe from many processes at once."""

    async def pending(self) -> Mapping[str, str]:
        """Migrations not yet applied: name to SQL."""

    async def wake(self, hint: str) -> None:
        """Tell other servers that there may be something to do; may be lost."""

    async def listen(self, listener: Callable[[str], None]) -> bool:
        """Have the listener called with hints; call again now and then, for a broken connection is only mended then.

        False if this database carries no hints; polling finds everything without them.
        """

    async def close(self) -> None: ...
