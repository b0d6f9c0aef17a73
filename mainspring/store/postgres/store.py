"""One PostgreSQL as the store."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

import asyncpg

from mainspring.errors import StoreUnavailableError
from mainspring.store.acts.access import AccessActs
from mainspring.store.acts.alerts.alerts import AlertActs
from mainspring.store.acts.alerts.findings import FindingActs
from mainspring.store.acts.alerts.notices import NoticeActs
from mainspring.store.acts.breakers.breakers import BreakerActs
from mainspring.store.acts.bulk.operations import BulkActs
from mainspring.store.acts.calendars import CalendarActs
from mainspring.store.acts.cluster import ClusterActs
from mainspring.store.acts.executors import ExecutorActs
from mainspring.store.acts.invariants import InvariantActs
from mainspring.store.acts.jobs import JobActs
from mainspring.store.acts.limits.lanes import LaneActs
from mainspring.store.acts.limits.limits import LimitActs
from mainspring.store.acts.queues import QueueActs
from mainspring.store.acts.review import READERS
from mainspring.store.acts.saved_views import SavedViewActs
from mainspring.store.acts.upkeep import UpkeepActs
from mainspring.store.acts.users.preferences import PreferenceActs
from mainspring.store.acts.users.users import UserActs
from mainspring.store.acts.webhooks import WebhookActs
from mainspring.store.acts.workflows.acts import WorkflowActs
from mainspring.store.acts.workflows.batches import BatchActs
from mainspring.store.acts.workflows.waits import WaitActs
from mainspring.store.postgres.connect import HostDialling
from mainspring.store.postgres.connection import Database, read_url
from mainspring.store.postgres.hot.backfill import make_runs
from mainspring.store.postgres.hot.history import PostgresHistory
from mainspring.store.postgres.hot.roll_up import roll_up
from mainspring.store.postgres.hot.runs import PostgresRuns
from mainspring.store.postgres.hot.steps import PostgresSteps
from mainspring.store.postgres.review import outside_years
from mainspring.store.postgres.schema import PostgresSchema
from mainspring.store.postgres.triggers.triggers import PostgresTriggers
from mainspring.store.postgres.tx import PostgresTransactions, load_queries

CHANNEL = "mainspring_wake"

log = logging.getLogger(__name__)


class PostgresStore:
    """The contracts are in `store/interface/`."""

    def __init__(self, url: str, *, listen_url: str | None = None, pool_size: int = 4) -> None:
        queries = load_queries()
        self.aside = queries.aside
        self._database = Database(url, size=pool_size, application="mainspring", hot=True)
        # Leases and hints have a connection of their own: they must not wait behind batches.
        self._vital = Database(url, size=2, application="mainspring leases")
        self._listen_dsn = listening(url, listen_url)
        self._listener: asyncpg.Connection[Any] | None = None
        self._schema = PostgresSchema(self._vital)
        transactions = PostgresTransactions(self._database, queries)
        history = PostgresHistory(self._database, queries)
        self.runs = PostgresRuns(self._database, queries, history)
        steps = PostgresSteps(self.runs)
        self.workflows = WorkflowActs(transactions, steps.take, steps.write, steps.hop)
        self.bulk = BulkActs(transactions, make_runs)
        self.triggers = PostgresTriggers(self._database, queries, history)
        self.calendars = CalendarActs(transactions)
        self.waits = WaitActs(transactions)
        self.batches = BatchActs(transactions, steps.write)
        self.webhooks = WebhookActs(transactions)
        self.limits = LimitActs(transactions)
        self.lanes = LaneActs(transactions)
        self.breakers = BreakerActs(transactions)
        self.findings = FindingActs(transactions)
        self.alerts, self.notices = AlertActs(transactions), NoticeActs(transactions)
        self.jobs = JobActs(transactions)
        self.queues = QueueActs(transactions, partial(count_lines, transactions), roll_up)
        self.executors = ExecutorActs(transactions)
        invariants = InvariantActs(transactions, self.bulk, READERS, outside_years)
        upkeep = UpkeepActs(transactions, history, invariants.violations)
        self.cluster = ClusterActs(PostgresTransactions(self._vital, queries), upkeep)
        self.access = AccessActs(transactions)
        self.users = UserActs(transactions)
        self.saved_views = SavedViewActs(transactions)
        self.preferences = PreferenceActs(transactions)

    @classmethod
    async def open(cls, url: str, *, listen_url: str | None = None, pool_size: int = 4) -> "PostgresStore":
        return cls(url, listen_url=listen_url, pool_size=pool_size)

    async def clock(self) -> datetime:
        now: datetime = await self._vital.fetchval("SELECT clock_timestamp()")
        return now

    def connections(self) -> Mapping[str, int]:
        pairs = self._database.loans(), self._vital.loans()
        return {"busy": sum(busy for busy, _ in pairs), "idle": sum(idle for _, idle in pairs)}

    async def check_schema(self) -> None:
        await self._schema.check()

    async def migrate(self) -> list[str]:
        return await self._schema.migrate()

    async def pending(self) -> Mapping[str, str]:
        return await self._schema.pending()

    async def wake(self, hint: str) -> None:
        with suppress(StoreUnavailableError):
            await self._vital.execute("SELECT pg_notify($1, $2)", CHANNEL, hint)

    async def listen(self, listener: Callable[[str], None]) -> bool:
        """Hear hints until the connection breaks; False if there is none to listen on."""
        if self._listen_dsn is None:
            return False
        if self._listener is not None and not self._listener.is_closed():
            return True
        try:
            self._listener = await HostDialling(self._listen_dsn).connect()
            await self._listener.add_listener(CHANNEL, lambda _, __, ___, hint: listener(hint))
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            log.warning("no hints from other servers for now, polling instead: %s", error)
            return False
        return True

    async def close(self) -> None:
        if self._listener is not None:
            with suppress(OSError, TimeoutError, asyncio.CancelledError):
                await self._listener.close(timeout=1)
        await self._database.close()
        await self._vital.close()


async def count_lines(transactions: PostgresTransactions, now: datetime) -> None:
    await transactions.write_once(lambda tx: tx.run("take_survey", now=now))


def listening(url: str, listen_url: str | None) -> str | None:
    """Where to LISTEN: nowhere if switched off or behind a pooler that cannot carry it."""
    if listen_url == "off":
        return None
    dsn, pooled = read_url(listen_url or url)
    return None if pooled else dsn
