"""Runs the acts of `store/acts/` on PostgreSQL."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from mainspring.domain.ids import RunId
from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.postgres.connection import Database, storable
from mainspring.store.postgres.hot.history import PostgresHistory, search_from
from mainspring.store.postgres.pool import Connection
from mainspring.store.postgres.triggers.rows import trigger_row
from mainspring.store.sql import SHARED, Filled, Queries, Statement
from mainspring.store.tx import Act, Blob, Row, T

SQL = Path(__file__).parent / "sql"
PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")


def load_queries() -> Queries:
    return Queries(SHARED, SQL, dialect=numbered)


def numbered(text: str) -> Statement:
    """Give parameters numbers, in the order in which their names first appear."""
    names = tuple(dict.fromkeys(PARAMETER.findall(text)))
    return Statement(PARAMETER.sub(lambda found: f"${names.index(found[1]) + 1}", text), names)


class PostgresTransactions:
    """The contracts are in `store/tx.py`."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self.queries = queries
        self._history = PostgresHistory(database, queries)
        self.aside = queries.aside

    async def read(self, act: Act[T]) -> T:
        return await self._database.run(lambda connection: act(PostgresTx(connection, self.queries)))

    async def write(self, act: Act[T]) -> T:
        return await self._database.transaction(lambda connection: act(PostgresTx(connection, self.queries)))

    async def write_history(self, act: Act[T], *, now: datetime) -> T:
        return await self._history.with_partitions(lambda: self.write(act), now=now)

    async def write_history_once(self, act: Act[T], *, now: datetime) -> T:
        return await self._history.with_partitions(lambda: self.read(act), now=now)

    read_together = write
    write_once = read


class PostgresTx:
    """The contracts are in `store/tx.py`."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self.connection = connection
        self.queries = queries
        self.aside = queries.aside

    async def one(self, statement: str | Filled, **parameters: object) -> Row | None:
        text, values = self._bind(statement, parameters)
        row: Row | None = await self.connection.fetchrow(text, *values)
        return row

    async def all(self, statement: str | Filled, **parameters: object) -> Sequence[Row]:
        text, values = self._bind(statement, parameters)
        rows: list[Row] = await self.connection.fetch(text, *values)
        return rows

    async def past(self, statement: str, runs: Sequence[RunId], **parameters: object) -> Sequence[Row]:
        return await self.all(statement, ids=runs, since=search_from(min(runs)), **parameters)

    async def run(self, statement: str | Filled, **parameters: object) -> int:
        text, values = self._bind(statement, parameters)
        return changed(await self.connection.execute(text, *values))

    async def triggers(self, statement: str, **parameters: object) -> Sequence[Any]:
        return await self.all(statement, **parameters)

    def read_trigger(self, row: Any, /) -> Trigger:
        return trigger_row(row)

    async def batch(self, statement: str, each: Sequence[Mapping[str, object]]) -> None:
        found = self.queries.statement(statement)
        await self.connection.executemany(found.text, [values(found, parameters) for parameters in each])

    def _bind(self, wanted: str | Filled, parameters: Mapping[str, object]) -> tuple[str, list[object]]:
        found = self.queries.statement(wanted)
        return found.text, values(found, parameters)


def values(statement: Statement, parameters: Mapping[str, object]) -> list[object]:
    given = dict(parameters)
    rows: Any = given.pop("rows", None)
    if rows is not None:
        given |= {name: [row[name] for row in rows] for name in statement.names if name not in given}
    return [encoded(given[name]) for name in statement.names]


def encoded(value: object) -> object:
    """A parameter as the driver takes it; instants, ids and arrays are left to its codecs."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Blob):
        return value.value
    return list(map(encoded, value)) if isinstance(value, list | tuple) else value


def changed(tag: str) -> int:
    """How many rows a command changed, by its tag."""
    count = tag.rpartition(" ")[2]
    return int(count) if count.isdigit() else 0
