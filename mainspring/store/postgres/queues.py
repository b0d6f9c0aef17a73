"""Rules of queues, and how full lines were when they were last counted, on PostgreSQL."""

from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.queues.queue import Depth, Pause, QueueRule, Survey
from mainspring.store.acts.audit import write_audit
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries


class PostgresQueues:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def rules(self) -> list[QueueRule]:
        rows = await self._database.fetch(self._sql["queue_rules"])
        return self._sql.aside.read("queues", rows, rule_row, "namespace", "queue", whole=True)

    async def pause(self, namespace: str, queue: str, pause: Pause, *, entry: AuditEntry) -> QueueRule:
        rows = await self._audited("pause_queue", entry, namespace, queue, pause.since, pause.by, pause.reason)
        return rule_row(rows[0])

    async def resume(self, namespace: str, queue: str, *, entry: AuditEntry) -> bool:
        return bool(await self._audited("resume_queue", entry, namespace, queue))

    async def set_budget(self, namespace: str, queue: str, max_queued: int | None, *, entry: AuditEntry) -> QueueRule:
        rows = await self._audited("set_budget", entry, namespace, queue, max_queued)
        return rule_row(rows[0])

    async def survey(self, *, now: datetime, since: datetime) -> Survey | None:
        if not await self._database.execute(self._sql["begin_survey"], now, since):
            return None
        await self._database.fetchval(self._sql["take_survey"], now)
        return await self.depths()

    async def depths(self) -> Survey:
        rows = await self._database.fetch(self._sql["depths"])
        depths = {row["line"]: depth_row(row) for row in rows if row["line"] is not None}
        return Survey(taken_at=rows[0]["taken_at"], depths=depths)

    async def _audited(self, statement: str, entry: AuditEntry, *arguments: object) -> list[asyncpg.Record]:
        """Run a statement that returns what it changed, and audit it if that is anything."""

        async def work(connection: "asyncpg.Connection[Any]") -> list[asyncpg.Record]:
            rows: list[asyncpg.Record] = await connection.fetch(self._sql[statement], *arguments)
            if rows:
                await write_audit(PostgresTx(connection, self._sql), entry)
            return rows

        return await self._database.transaction(work)


def rule_row(row: asyncpg.Record) -> QueueRule:
    pause = None
    if row["paused_at"] is not None:
        pause = Pause(reason=row["pause_reason"], by=row["paused_by"], since=row["paused_at"])
    return QueueRule(namespace=row["namespace"], queue=row["queue"], pause=pause, max_queued=row["max_queued"])


def depth_row(row: asyncpg.Record) -> Depth:
    return Depth(
        queued=row["queued"],
        later=row["later"],
        waiting=row["waiting"],
        running=row["running"],
        oldest_at=row["oldest_at"],
    )
