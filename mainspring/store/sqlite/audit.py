"""Who changed what."""

import sqlite3

from mainspring.domain.access import Actor, AuditEntry
from mainspring.store.interface import AuditFilter
from mainspring.store.queries import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, micros


class SqliteAudit:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def append(self, entry: AuditEntry) -> None:
        await self._connection.write(lambda c: write_audit(c, self._sql, entry))

    async def list(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        parameters = {
            "namespace": query.namespace,
            "actor": query.actor,
            "kind": query.kind,
            "key": query.key,
            "since": None if query.since is None else micros(query.since),
            "before": query.before,
            "limit": query.limit,
        }
        return await self._connection.read(
            lambda c: [(row["position"], entry_row(row)) for row in c.execute(self._sql.list_audit, parameters)]
        )


def write_audit(c: sqlite3.Connection, sql: Queries, entry: AuditEntry) -> None:
    """Add an entry, in the transaction of the act it records."""
    parameters = {
        "at": micros(entry.at),
        "actor": entry.actor.name,
        "token": entry.actor.token,
        "namespace": entry.namespace,
        "act": entry.act,
        "kind": entry.kind,
        "key": entry.key,
        "details": entry.details,
    }
    c.execute(sql.append_audit, parameters)


def entry_row(row: sqlite3.Row) -> AuditEntry:
    return AuditEntry(
        at=instant(row["at"]),
        actor=Actor(row["actor"], row["token"]),
        namespace=row["namespace"],
        act=row["act"],
        kind=row["kind"],
        key=row["key"],
        details=row["details"],
    )
