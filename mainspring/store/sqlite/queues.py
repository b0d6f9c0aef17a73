"""Rules of queues, and how full lines were when they were last counted."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.queues.queue import Depth, Pause, QueueRule, Survey
from mainspring.store.acts.audit import write_audit
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import Parameters, array
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, instant_or_none, micros
from mainspring.store.sqlite.tx import SqliteTx, finish


class SqliteQueues:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def rules(self) -> list[QueueRule]:
        rows = await self._connection.read(lambda c: c.execute(self._sql.queue_rules).fetchall())
        return self._sql.aside.read("queues", rows, rule_row, "namespace", "queue", whole=True)

    async def pause(self, namespace: str, queue: str, pause: Pause, *, entry: AuditEntry) -> QueueRule:
        said = {"since": micros(pause.since), "by": pause.by, "reason": pause.reason}
        rows = await self._audited(self._sql.pause_queue, entry, {"namespace": namespace, "queue": queue, **said})
        return rule_row(rows[0])

    async def resume(self, namespace: str, queue: str, *, entry: AuditEntry) -> bool:
        return bool(await self._audited(self._sql.resume_queue, entry, {"namespace": namespace, "queue": queue}))

    async def set_budget(self, namespace: str, queue: str, max_queued: int | None, *, entry: AuditEntry) -> QueueRule:
        parameters = {"namespace": namespace, "queue": queue, "max_queued": max_queued}
        return rule_row((await self._audited(self._sql.set_budget, entry, parameters))[0])

    async def survey(self, *, now: datetime, since: datetime) -> Survey | None:
        """Counting is a reader's work: beside it the writer goes on."""
        begin = {"now": micros(now), "since": micros(since)}
        if not await self._connection.write(lambda c: c.execute(self._sql.begin_survey, begin).rowcount):
            return None
        rows = await self._connection.read(
            lambda c: [tuple(row) for row in c.execute(self._sql.count_lines, {"now": micros(now)})]
        )
        await self._connection.write(lambda c: keep(c, self._sql, rows, micros(now)))
        return await self.depths()

    async def depths(self) -> Survey:
        return await self._connection.read(lambda c: survey_of(c.execute(self._sql.depths).fetchall()))

    async def _audited(self, statement: str, entry: AuditEntry, parameters: Parameters) -> list[sqlite3.Row]:
        """Run a statement that returns what it changed, and audit it if that is anything."""

        def act(c: sqlite3.Connection) -> list[sqlite3.Row]:
            rows = c.execute(statement, parameters).fetchall()
            if rows:
                finish(write_audit(SqliteTx(c, self._sql), entry))
            return rows

        return await self._connection.write(act)


def keep(c: sqlite3.Connection, sql: Queries, rows: Sequence[tuple[Any, ...]], now: int) -> None:
    if c.execute(sql.date_survey, {"now": now}).rowcount:
        c.execute(sql.clear_depths)
        c.execute(sql.put_depths, {"rows": array(rows)})


def survey_of(rows: Sequence[sqlite3.Row]) -> Survey:
    depths = {row["line"]: depth_row(row) for row in rows if row["line"] is not None}
    return Survey(taken_at=instant_or_none(rows[0]["taken_at"]), depths=depths)


def depth_row(row: sqlite3.Row) -> Depth:
    return Depth(
        queued=row["queued"],
        later=row["later"],
        waiting=row["waiting"],
        running=row["running"],
        oldest_at=instant_or_none(row["oldest_at"]),
    )


def rule_row(row: sqlite3.Row) -> QueueRule:
    pause = None
    if row["paused_at"] is not None:
        pause = Pause(reason=row["pause_reason"], by=row["paused_by"], since=instant(row["paused_at"]))
    return QueueRule(namespace=row["namespace"], queue=row["queue"], pause=pause, max_queued=row["max_queued"])
