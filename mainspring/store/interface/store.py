"""One database as a whole."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from mainspring.store.aside import Aside
from mainspring.store.interface.access import Access, Users
from mainspring.store.interface.alerts.alerts import Alerts, Notices
from mainspring.store.interface.alerts.findings import AlertFindings
from mainspring.store.interface.breakers import Breakers
from mainspring.store.interface.bulk import Bulk
from mainspring.store.interface.calendars import Calendars
from mainspring.store.interface.cluster import Cluster
from mainspring.store.interface.executors import Executors
from mainspring.store.interface.jobs import Jobs
from mainspring.store.interface.lanes import Lanes
from mainspring.store.interface.limits import Limits
from mainspring.store.interface.queues import Queues
from mainspring.store.interface.runs import Runs
from mainspring.store.interface.triggers import Triggers
from mainspring.store.interface.webhooks import Webhooks
from mainspring.store.interface.workflows import Waits, Workflows


class Store(Protocol):
    """One database."""

    runs: Runs
    bulk: Bulk
    triggers: Triggers
    calendars: Calendars
    webhooks: Webhooks
    jobs: Jobs
    queues: Queues
    limits: Limits
    lanes: Lanes
    breakers: Breakers
    alerts: Alerts
    notices: Notices
    findings: AlertFindings
    executors: Executors
    cluster: Cluster
    access: Access
    users: Users
    workflows: Workflows
    waits: Waits
    aside: Aside
    """Rows that could not be read."""

    async def clock(self) -> datetime:
        """The database's own time."""

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
