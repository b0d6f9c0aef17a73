"""Runs the acts of `store/acts/` on SQLite."""

import re
import sqlite3
from collections.abc import Coroutine, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.sql import SHARED, Filled, Queries, Statement
from mainspring.store.sqlite.batches import array, printable
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, is_instant, micros
from mainspring.store.sqlite.trigger_rows import fetch, trigger_row
from mainspring.store.tx import Act, Row, T

SQL = Path(__file__).parent / "sql"
FOREIGN = re.compile(r'\bmainspring\.|::\w+(\[\])?| COLLATE "C"|\s+FOR (UPDATE|SHARE)( OF \w+)?( SKIP LOCKED)?\b')
"""What only PostgreSQL has: a schema's name, types of parameters, collations, and locks, for which the one writer stands."""
ARRAYS = {"queues"}
"""Columns that hold arrays as JSON."""


def load_queries() -> Queries:
    return Queries(SHARED, SQL, dialect=lambda text: Statement(FOREIGN.sub("", text)))


class SqliteTransactions:
    """See `store/tx.py` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._queries = queries
        self.aside = queries.aside

    async def read(self, act: Act[T]) -> T:
        return await self._connection.read(lambda c: finish(act(SqliteTx(c, self._queries))))

    async def write(self, act: Act[T]) -> T:
        return await self._connection.write(lambda c: finish(act(SqliteTx(c, self._queries))))

    read_together = read
    write_once = write


def finish(act: Coroutine[Any, Any, T]) -> T:
    """Drive an act to its end."""
    try:
        act.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    act.close()
    raise AssertionError("an act awaits nothing but its transaction")


class TypedRow(sqlite3.Row):
    """A row in which instants and arrays are read as such, by the names of their columns."""

    def __getitem__(self, column: Any) -> Any:
        value = super().__getitem__(column)
        if value is not None and is_instant(column):
            return instant(value)
        return msgspec.json.decode(value) if column in ARRAYS else value


class SqliteTx:
    """See `store/tx.py` for what each method promises."""

    def __init__(self, c: sqlite3.Connection, queries: Queries) -> None:
        self.connection = c
        self._cursor = c.cursor()
        self._cursor.row_factory = TypedRow
        self.queries = queries
        self.aside = queries.aside

    async def one(self, statement: str | Filled, **parameters: object) -> Row | None:
        row: Row | None = self._execute(statement, parameters).fetchone()
        return row

    async def all(self, statement: str | Filled, **parameters: object) -> Sequence[Row]:
        return self._execute(statement, parameters).fetchall()

    async def run(self, statement: str | Filled, **parameters: object) -> int:
        return self._execute(statement, parameters).rowcount

    async def triggers(self, statement: str, **parameters: object) -> Sequence[Any]:
        return fetch(self.connection, self.queries, self.queries[statement], encoded(parameters))

    def read_trigger(self, row: Any, /) -> Trigger:
        return trigger_row(row)

    async def batch(self, statement: str, each: Sequence[Mapping[str, object]]) -> None:
        text = self.queries.statement(statement).text
        self._cursor.executemany(text, [encoded(parameters) for parameters in each])

    def _execute(self, wanted: str | Filled, parameters: Mapping[str, object]) -> sqlite3.Cursor:
        return self._cursor.execute(self.queries.statement(wanted).text, encoded(parameters))


def encoded(parameters: Mapping[str, object]) -> dict[str, Any]:
    """Parameters as SQLite takes them."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, list | tuple):
            found |= objects(value) if name == "rows" else elements(name, value)
        else:
            found[name] = plain(value)
    return found


def elements(name: str, values: Sequence[Any]) -> dict[str, object]:
    """An array: of ids one blob beside as many elements of `:rows`, of others JSON."""
    if values and isinstance(values[0], bytes):
        return {name: b"".join(values), "rows": array([0] * len(values))}
    return {name: array(list(map(printed, values))), **({} if values else {"rows": "[]"})}


def objects(rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Rows: each field of ids one blob, the others a JSON array of objects."""
    ids = [name for name, value in rows[0].items() if isinstance(value, bytes)] if rows else []
    others = [{name: printed(value) for name, value in row.items() if name not in ids} for row in rows]
    return {"rows": array(others), **{name: b"".join(row[name] for row in rows) for name in ids}}


def plain(value: object) -> object:
    return micros(value) if isinstance(value, datetime) else value


def printed(value: object) -> object:
    """A value inside JSON."""
    return printable(value) if isinstance(value, str) else plain(value)
