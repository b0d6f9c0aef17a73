"""One SQLite file as a store."""

import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from mainspring.clock import Clock, SystemClock
from mainspring.errors import ConfigError
from mainspring.store.acts.access import AccessActs
from mainspring.store.acts.audit import AuditActs
from mainspring.store.acts.backfills import BackfillActs
from mainspring.store.acts.calendars import CalendarActs
from mainspring.store.acts.cluster import ClusterActs
from mainspring.store.acts.dead_letters import DeadLetterActs
from mainspring.store.acts.executors import ExecutorActs
from mainspring.store.acts.jobs import JobActs
from mainspring.store.acts.queues import QueueActs
from mainspring.store.acts.webhooks import WebhookActs
from mainspring.store.interface import (
    Access,
    Audit,
    Backfills,
    Calendars,
    Cluster,
    Dead,
    Executors,
    History,
    Invariants,
    Jobs,
    Memories,
    Queues,
    Rollups,
    Runs,
    Steering,
    Suspensions,
    Sweeps,
    Telemetry,
    Triggers,
    Webhooks,
)
from mainspring.store.sqlite.connection import Connection, Inline, Threaded
from mainspring.store.sqlite.count_lines import count_lines
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.file_lock import FileLock
from mainspring.store.sqlite.file_rights import keep_private
from mainspring.store.sqlite.hot.backfill import make_runs
from mainspring.store.sqlite.hot.history import SqliteHistory
from mainspring.store.sqlite.hot.runs import SqliteRuns
from mainspring.store.sqlite.invariants import SqliteInvariants
from mainspring.store.sqlite.memories import SqliteMemories
from mainspring.store.sqlite.rollups import SqliteRollups
from mainspring.store.sqlite.schema import Schema
from mainspring.store.sqlite.steering import SqliteSteering
from mainspring.store.sqlite.suspensions import SqliteSuspensions
from mainspring.store.sqlite.sweeps import SqliteSweeps
from mainspring.store.sqlite.telemetry import SqliteTelemetry
from mainspring.store.sqlite.triggers import SqliteTriggers
from mainspring.store.sqlite.tx import SqliteTransactions, load_queries

VERSION_MIN = (3, 38, 0)
"""The first with the JSON operator that the batches need."""


class SqliteStore:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, *, clock: Clock, lock: FileLock | None = None) -> None:
        queries = load_queries()
        self.aside = queries.aside
        days = Days(connection, queries)
        self.connection = connection
        transactions = SqliteTransactions(connection, queries)
        self.runs: Runs = SqliteRuns(connection, queries, days)
        self.steering: Steering = SqliteSteering(connection, queries, days)
        self.suspensions: Suspensions = SqliteSuspensions(connection, queries, days)
        self.memories: Memories = SqliteMemories(connection, queries)
        self.dead: Dead = DeadLetterActs(transactions)
        sweeps = SqliteSweeps(connection, queries, days)
        self.sweeps: Sweeps = sweeps
        backfills = BackfillActs(transactions, make_runs)
        self.backfills: Backfills = backfills
        self.invariants: Invariants = SqliteInvariants(connection, queries, days, sweeps, backfills)
        self.triggers: Triggers = SqliteTriggers(connection, queries, days)
        self.calendars: Calendars = CalendarActs(transactions)
        self.jobs: Jobs = JobActs(transactions)
        self.cluster: Cluster = ClusterActs(transactions)
        self.executors: Executors = ExecutorActs(transactions)
        self.telemetry: Telemetry = SqliteTelemetry(connection, queries, days)
        self.history: History = SqliteHistory(connection, queries, days)
        self.audit: Audit = AuditActs(transactions)
        self.webhooks: Webhooks = WebhookActs(transactions)
        self.queues: Queues = QueueActs(transactions, partial(count_lines, transactions))
        self.rollups: Rollups = SqliteRollups(connection, queries, days)
        self.access: Access = AccessActs(transactions)
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

    async def check_schema(self) -> None:
        await self._schema.check()

    async def migrate(self) -> list[str]:
        return await self._schema.migrate()

    async def pending(self) -> Mapping[str, str]:
        return await self._schema.pending()

    async def wake(self, hint: str) -> None:
        """Nobody else can have the file open, so there is nobody to tell."""

    async def listen(self, listener: Callable[[str], None]) -> bool:  # noqa: ARG002 — nobody speaks
        return False

    async def close(self) -> None:
        await self.connection.close()
        if self._lock is not None:
            self._lock.release()
