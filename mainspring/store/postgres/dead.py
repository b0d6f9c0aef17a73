"""Runs that failed for good, on PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import marks_of
from mainspring.domain.runs.cancel import steering_entry
from mainspring.domain.runs.dead_letter import COUNT_MAX, Cause, DeadGroup, DeadLetter, Discard, Discarded
from mainspring.store.acts.audit import write_audits
from mainspring.store.dead_letter_paging import (
    INSTANT_FIRST,
    INSTANT_LAST,
    KINDS_MAX,
    look_of,
    page_of,
    page_of_kinds,
    start_of,
)
from mainspring.store.interface import DeadFilter, DeadPage
from mainspring.store.postgres.connection import Database, storable
from mainspring.store.postgres.hot.list_runs import PINNED
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

ALL = "d.namespace || '' = $1"
GROUP = "d.namespace = $1 AND d.fingerprint = $7"


class PostgresDead:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def groups(
        self, namespace: str, *, job: str | None = None, after: tuple[datetime, bytes] | None = None, limit: int
    ) -> list[DeadGroup]:
        async def read(connection: "asyncpg.Connection[Any]") -> list[asyncpg.Record]:
            await connection.execute(PINNED)
            found = await connection.fetch(self._sql["dead_kinds"], namespace, job, KINDS_MAX)
            page = page_of_kinds(((row["last_at"], row["fingerprint"]) for row in found), after, limit)
            rows: list[asyncpg.Record] = await connection.fetch(self._sql["dead_groups"], namespace, page, COUNT_MAX)
            return rows

        groups = [DeadGroup(**dict(row)) for row in await self._database.transaction(read)]
        return sorted(groups, key=lambda group: (group.last_at, group.fingerprint), reverse=True)

    async def get(self, namespace: str, run: RunId) -> DeadLetter | None:
        rows = await self._database.fetch(self._sql["dead_letter"], namespace, run)
        return letter_row(rows[0]) if rows else None

    async def discard(self, namespace: str, runs: Sequence[RunId], said: Discarded) -> list[RunId]:
        return await self._database.transaction(
            lambda connection: discard(connection, self._sql, namespace, runs, said, before=INSTANT_LAST)
        )

    async def count(self, query: DeadFilter, *, most: int) -> int:
        bounds = (query.since or INSTANT_FIRST, query.until or INSTANT_LAST, most)
        [row] = await self._pinned("count_dead", query, *bounds, query.job, query.queue)
        found: int = row["count"]
        return found

    async def list(self, query: DeadFilter) -> DeadPage:
        marks = [*marks_of(query.labels, query.tags)]
        bounds = (*start_of(query), marks, query.until or INSTANT_LAST, look_of(query))
        rows = await self._pinned("dead_letters", query, *bounds)
        return page_of([(letter_row(row), row["marked"]) for row in rows], query)

    async def _pinned(self, name: str, query: DeadFilter, *values: object) -> Sequence[asyncpg.Record]:
        """By the one index that brings these rows in their order."""
        more = () if query.fingerprint is None else (query.fingerprint,)
        statement = self._sql[name].format(place=GROUP if more else ALL)

        async def read(connection: "asyncpg.Connection[Any]") -> Sequence[asyncpg.Record]:
            await connection.execute(PINNED)
            rows: Sequence[asyncpg.Record] = await connection.fetch(statement, query.namespace, *values, *more)
            return rows

        return await self._database.transaction(read)


async def bury(
    connection: "asyncpg.Connection[Any]", sql: Queries, causes: Mapping[RunId, Cause], now: datetime
) -> None:
    """Add runs that have just failed to the dead, in the transaction that has moved them to history."""
    if not causes:
        return
    rows = await connection.fetch(sql["died"], list(causes), now)
    found = [(row["id"], row["job"], causes[row["id"]]) for row in rows]
    await connection.execute(
        sql["add_dead"],
        [run for run, _, _ in found],
        [cause.fingerprint(job) for _, job, cause in found],
        [storable(cause.error) for _, _, cause in found],
        [storable(cause.message) for _, _, cause in found],
        now,
    )


async def discard(
    connection: "asyncpg.Connection[Any]",
    sql: Queries,
    namespace: str,
    runs: Sequence[RunId],
    said: Discarded,
    *,
    before: datetime,
) -> list[RunId]:
    found = await hold_dead(connection, sql, namespace, runs, before=before)
    if found:
        await connection.execute(sql["discard"], found, said.now, said.actor.name, storable(said.reason))
    details: dict[str, object] = {"reason": said.reason}
    entries = [
        steering_entry("run.discard", run, namespace=namespace, actor=said.actor, now=said.now, details=details)
        for run in found
    ]
    await write_audits(PostgresTx(connection, sql), entries)
    return found


async def hold_dead(
    connection: "asyncpg.Connection[Any]", sql: Queries, namespace: str, runs: Sequence[RunId], *, before: datetime
) -> list[RunId]:
    """Lock those that had died before an instant and are not discarded."""
    return [
        row["run"]
        for row in await connection.fetch(sql["hold_dead"], runs)
        if row["namespace"] == namespace and row["discarded_at"] is None and row["failed_at"] < before
    ]


def letter_row(row: asyncpg.Record) -> DeadLetter:
    gone = row["discarded_at"]
    return DeadLetter(
        run=row["run"],
        job=row["job"],
        queue=row["queue"],
        fingerprint=row["fingerprint"],
        error=row["error"],
        message=row["message"],
        failed_at=row["failed_at"],
        reason=row["reason"],
        discarded=None if gone is None else Discard(gone, row["discarded_by"], row["discard_reason"]),
    )
