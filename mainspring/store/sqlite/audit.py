"""Who changed what."""

import sqlite3

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.store.interface import AuditFilter
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, micros

EQUALS = ("namespace", "actor", "kind", "key")


class SqliteAudit:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def append(self, entry: AuditEntry) -> None:
        await self._connection.write(lambda c: write_audit(c, self._sql, entry))

    async def list(self, query: AuditFilter) -> list[tuple[int, AuditEntry]]:
        statement, values = list_statement(self._sql.list_audit, query)
        rows = await self._connection.read(lambda c: c.execute(statement, values).fetchall())
        return self._sql.aside.read("audit", rows, lambda row: (row["position"], entry_row(row)), "position")


def list_statement(statement: str, query: AuditFilter) -> tuple[str, dict[str, object]]:
    """Only what was asked for is in the statement: then the planner sees which index brings the entries in order."""
    values: dict[str, object] = {name: wanted for name in EQUALS if (wanted := getattr(query, name)) is not None}
    # A key says the most: beside it, nothing else may be what the planner goes by.
    sign = {name: "" if name == "key" or query.key is None else "+" for name in values}
    conditions = ["true", *(f"{sign[name]}{name} = :{name}" for name in values)]
    if query.since is not None:
        values["since"] = micros(query.since)
        conditions.append("at >= :since")
    if query.before is not None:
        at, position = query.before
        values |= {"at": micros(at), "position": position}
        conditions.append("(at, position) < (:at, :position)")
    return statement.format(conditions=" AND ".join(conditions)), values | {"limit": query.limit}


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
