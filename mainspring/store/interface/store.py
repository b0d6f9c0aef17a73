"""One database as a whole."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from mainspring.store.aside import Aside
from mainspring.store.interface.access import Access
from mainspring.store.interface.audit import Audit
from mainspring.store.interface.backfills import Backfills
from mainspring.store.interface.calendars import Calendars
from mainspring.store.interface.cluster import Cluster
from mainspring.store.interface.dead import Dead, Sweeps
from mainspring.store.interface.executors import Executors
from mainspring.store.interface.history import History
from mainspring.store.interface.invariants import Invariants
from mainspring.store.interface.jobs import Jobs
from mainspring.store.interface.memories import Memories
from mainspring.store.interface.queues import Queues, Rollups
from mainspring.store.interface.runs import Runs
from mainspring.store.interface.steering import Steering
from mainspring.store.interface.suspensions import Suspensions
from mainspring.store.interface.telemetry import Telemetry
from mainspring.store.interface.triggers import Triggers
from mainspring.store.interface.webhooks import Webhooks


class Store(Protocol):
    """One database."""

    runs: Runs
    steering: Steering
    dead: Dead
    sweeps: Sweeps
    invariants: Invariants
    suspensions: Suspensions
    memories: Memories
    triggers: Triggers
    backfills: Backfills
    calendars: Calendars
    webhooks: Webhooks
    jobs: Jobs
    cluster: Cluster
    executors: Executors
    telemetry: Telemetry
    history: History
    audit: Audit
    queues: Queues
    rollups: Rollups
    access: Access
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
