"""Who changed what, on PostgreSQL."""

from typing import Any

import asyncpg

from mainspring.domain.access import Actor, AuditEntry
from mainspring.store.interface import AuditFilter
from mainspring.store.postgres.connection import Database
from mainspring.store.queries import Queries


class PostgresAudit:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def append(self, entry: AuditEntry) -> None:
        await self._database.run(lambda connection: write_audit(connection, self._sql, entry))

    async def list(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        rows = await self._database.fetch(
            self._sql["list_audit"],
            query.namespace,
            query.actor,
            query.kind,
            query.key,
            query.since,
            query.before,
            query.limit,
        )
        return [(row["position"], entry_row(row)) for row in rows]


async def write_audit(connection: "asyncpg.Connection[Any]", sql: Queries, entry: AuditEntry) -> None:
    """Add an entry, in the transaction of the act it records."""
    await connection.execute(
        sql["append_audit"],
        entry.at,
        entry.actor.name,
        entry.actor.token,
        entry.namespace,
        entry.act,
        entry.kind,
        entry.key,
        entry.details,
    )


def entry_row(row: asyncpg.Record) -> AuditEntry:
    return AuditEntry(
        at=row["at"],
        actor=Actor(row["actor"], row["token"]),
        namespace=row["namespace"],
        act=row["act"],
        kind=row["kind"],
        key=row["key"],
        details=row["details"],
    )
