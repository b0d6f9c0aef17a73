"""Who changed what, on PostgreSQL."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.store.interface import AuditFilter
from mainspring.store.postgres.connection import Database
from mainspring.store.sql import Queries

EQUALS = ("namespace", "actor", "kind", "key")


class PostgresAudit:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def append(self, entry: AuditEntry) -> None:
        await self._database.run(lambda connection: write_audit(connection, self._sql, entry))

    async def list(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        statement, values = list_statement(self._sql["list_audit"], query)

        async def read(connection: "asyncpg.Connection[Any]") -> list[asyncpg.Record]:
            await connection.execute(self._sql["read_in_order"])
            rows: list[asyncpg.Record] = await connection.fetch(statement, query.limit, *values)
            return rows

        rows = await self._database.transaction(read)
        return self._sql.aside.read("audit", rows, lambda row: (row["position"], entry_row(row)), "position")


def list_statement(statement: str, query: AuditFilter) -> tuple[str, list[object]]:
    """Only what was asked for is in the statement: then the planner sees which index brings the entries in order."""
    conditions, values = ["true"], list[object]()
    for name in EQUALS:
        if (wanted := getattr(query, name)) is not None:
            values.append(wanted)
            # A key says the most: beside it, nothing else may be what the planner goes by.
            column = f"a.{name}" if name == "key" or query.key is None else f"a.{name} || ''"
            conditions.append(f"{column} = ${len(values) + 1}")
    if query.since is not None:
        values.append(query.since)
        conditions.append(f"a.at >= ${len(values) + 1}")
    if query.before is not None:
        values += query.before
        conditions.append(f"(a.at, a.position) < (${len(values)}, ${len(values) + 1})")
    return statement.format(conditions=" AND ".join(conditions)), values


async def write_audit(connection: "asyncpg.Connection[Any]", sql: Queries, entry: AuditEntry) -> None:
    """Add an entry, in the transaction of the act it records."""
    await connection.execute(sql["append_audit"], *entry_values(entry))


async def write_audits(connection: "asyncpg.Connection[Any]", sql: Queries, entries: Sequence[AuditEntry]) -> None:
    """Add the entries of one act on many things."""
    await connection.executemany(sql["append_audit"], [entry_values(entry) for entry in entries])


def entry_values(entry: AuditEntry) -> tuple[object, ...]:
    return (
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
