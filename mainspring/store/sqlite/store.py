"""One SQLite file as a store."""

import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from mainspring.clock import Clock, SystemClock
from mainspring.errors import ConfigError
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
from mainspring.store.acts.saved_views import SavedViewActs
from mainspring.store.acts.upkeep import UpkeepActs
from mainspring.store.acts.users.preferences import PreferenceActs
from mainspring.store.acts.users.users import UserActs
from mainspring.store.acts.webhooks import WebhookActs
from mainspring.store.acts.workflows.acts import WorkflowActs
from mainspring.store.acts.workflows.batches import BatchActs
from mainspring.store.acts.workflows.waits import WaitActs
from mainspring.store.interface import (
    AccessStore,
    AlertStore,
    BatchStore,
    BreakerStore,
    BulkStore,
    CalendarStore,
    ClusterStore,
    ExecutorStore,
    FindingStore,
    JobStore,
    LaneStore,
    LimitStore,
    NoticeStore,
    PreferenceStore,
    QueueStore,
    RunStore,
    SavedViewStore,
    TriggerStore,
    UserStore,
    WaitStore,
    WebhookStore,
    WorkflowStore,
)
from mainspring.store.sqlite.connection import Connection, Inline, Threaded
from mainspring.store.sqlite.count_lines import count_lines
from mainspring.store.sqlite.days import DayTables
from mainspring.store.sqlite.file_lock import FileLock
from mainspring.store.sqlite.file_rights import keep_private
from mainspring.store.sqlite.hot.backfill import make_runs
from mainspring.store.sqlite.hot.history import SqliteHistory
from mainspring.store.sqlite.hot.roll_up import roll_up
from mainspring.store.sqlite.hot.runs import SqliteRuns
from mainspring.store.sqlite.hot.steps import hop, take_steps, write_steps
from mainspring.store.sqlite.review import READERS, outside_years
from mainspring.store.sqlite.schema import Schema
from mainspring.store.sqlite.triggers.triggers import SqliteTriggers
from mainspring.store.sqlite.tx import SqliteTransactions, load_queries

VERSION_MIN = (3, 38, 0)
"""The first with the JSON operator that the batches need."""


class SqliteStore:
    """The contracts are in `store/interface/`."""

    def __init__(self, connection: Connection, *, clock: Clock, lock: FileLock | None = None) -> None:
        queries = load_queries()
        self.aside = queries.aside
        days = DayTables(connection, queries)
        self.connection = connection
        transactions = SqliteTransactions(connection, queries, days)
        self.runs: RunStore = SqliteRuns(connection, queries, days)
        self.workflows: WorkflowStore = WorkflowActs(
            transactions, take_steps, write_steps, hop, places=isinstance(connection, Inline)
        )
        bulk = BulkActs(transactions, make_runs)
        self.bulk: BulkStore = bulk
        self.triggers: TriggerStore = SqliteTriggers(connection, queries, days)
        self.calendars: CalendarStore = CalendarActs(transactions)
        self.waits: WaitStore = WaitActs(transactions)
        self.batches: BatchStore = BatchActs(transactions, write_steps)
        self.webhooks: WebhookStore = WebhookActs(transactions)
        self.limits: LimitStore = LimitActs(transactions)
        self.lanes: LaneStore = LaneActs(transactions)
        self.breakers: BreakerStore = BreakerActs(transactions)
        self.alerts: AlertStore = AlertActs(transactions)
        self.findings: FindingStore = FindingActs(transactions)
        self.notices: NoticeStore = NoticeActs(transactions)
        self.jobs: JobStore = JobActs(transactions)
        self.queues: QueueStore = QueueActs(transactions, partial(count_lines, transactions), roll_up)
        self.executors: ExecutorStore = ExecutorActs(transactions)
        invariants = InvariantActs(transactions, bulk, READERS, outside_years)
        upkeep = UpkeepActs(transactions, SqliteHistory(connection, queries, days), invariants.violations)
        self.cluster: ClusterStore = ClusterActs(transactions, upkeep)
        self.access: AccessStore = AccessActs(transactions)
        self.users: UserStore = UserActs(transactions)
        self.saved_views: SavedViewStore = SavedViewActs(transactions)
        self.preferences: PreferenceStore = PreferenceActs(transactions)
        self._schema = Schema(connection, clock)
        self._clock = clock
        self._lock = lock

    @classmethod
    async def open(cls, path: Path) -> "SqliteStore":
        """Open the file, made if need be; refuse if another process has it."""
        if sqlite3.sqlite_version_info < VERSION_MIN:
            raise ConfigError(f"SQLite {sqlite3.sqlite_version} is too old: 3.38 is the least that works")
        lock = FileLock(path)
        try:
            keep_private(path)
            return cls(Threaded(str(path)), clock=SystemClock(), lock=lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def inline(cls, path: str = ":memory:", *, clock: Clock) -> "SqliteStore":
        """The same store without threads: each act is done when its method is called."""
        return cls(Inline(path), clock=clock)

    async def clock(self) -> datetime:
        return self._clock.now()

    def connections(self) -> Mapping[str, int]:
        # Its threads have one each: there is none that could be waited for.
        return {}

    async def check_schema(self) -> None:
        await self._schema.check()

    async def migrate(self) -> list[str]:
        return await self._schema.migrate()

    async def pending(self) -> Mapping[str, str]:
        return await self._schema.pending()

    async def wake(self, hint: str) -> None:
        """No other process can have the file open, so there is none to wake."""

    async def listen(self, listener: Callable[[str], None]) -> bool:  # noqa: ARG002 — nobody speaks
        return False

    async def close(self) -> None:
        await self.connection.close()
        if self._lock is not None:
            self._lock.release()
