"""Runs the acts of `store/acts/` on SQLite."""

import re
import sqlite3
from collections.abc import Coroutine, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.triggers.trigger import Trigger
from mainspring.store.sql import SHARED, Filled, Queries, Statement
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import DayTables, day_of, days_since, known_days
from mainspring.store.sqlite.rows import array, instant, is_instant, micros, printable, starts
from mainspring.store.sqlite.triggers.rows import fetch, trigger_row
from mainspring.store.tx import Act, Blob, Row, T

SQL = Path(__file__).parent / "sql"
FOREIGN = re.compile(r'\bmainspring\.|::\w+(\[\])?| COLLATE "C"|\s+FOR (UPDATE|SHARE)( OF \w+)?( SKIP LOCKED)?\b')
"""What only PostgreSQL has: a schema's name, types of parameters, collations, and locks, for which the one writer stands."""
STEP = re.compile(r"^;\n", re.MULTILINE)
ARRAYS = {"keys", "queues"}
"""Columns that hold arrays as JSON."""


def load_queries() -> Queries:
    return Queries(SHARED, SQL, dialect=in_steps)


def in_steps(text: str) -> Statement:
    """Split a statement that is one elsewhere."""
    # SQLite cannot write to two tables at once.
    first, *more = STEP.split(FOREIGN.sub("", text))
    return Statement(first, more=tuple(more))


class SqliteTransactions:
    """The contracts are in `store/tx.py`."""

    def __init__(self, connection: Connection, queries: Queries, days: DayTables) -> None:
        self._connection = connection
        self._queries = queries
        self._days = days
        self.aside = queries.aside

    async def read(self, act: Act[T]) -> T:
        return await self._connection.read(lambda c: drive(act(SqliteTx(c, self._queries))))

    async def write(self, act: Act[T]) -> T:
        return await self._connection.write(lambda c: drive(act(SqliteTx(c, self._queries))))

    async def write_history(self, act: Act[T], *, now: datetime) -> T:
        await self._days.at(now)
        return await self.write(act)

    read_together = read
    write_once = write
    write_history_once = write_history


def drive(act: Coroutine[Any, Any, T]) -> T:
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
    """The contracts are in `store/tx.py`."""

    def __init__(self, c: sqlite3.Connection, queries: Queries) -> None:
        self.connection = c
        self._cursor = c.cursor()
        self._cursor.row_factory = TypedRow
        self.queries = queries
        self.aside = queries.aside

    async def one(self, statement: str | Filled, **parameters: object) -> Row | None:
        row: Row | None = next(iter(self._execute(statement, parameters)[0]), None)
        return row

    async def all(self, statement: str | Filled, **parameters: object) -> Sequence[Row]:
        return self._execute(statement, parameters)[0]

    async def past(self, statement: str, runs: Sequence[RunId], **parameters: object) -> Sequence[Row]:
        days = days_since(known_days(self.connection, self.queries), runs)
        return [row for day in days for row in await self.all(statement, ids=runs, day=day, **parameters)]

    async def run(self, statement: str | Filled, **parameters: object) -> int:
        return self._execute(statement, parameters)[1]

    async def triggers(self, statement: str, **parameters: object) -> Sequence[Any]:
        return fetch(self.connection, self.queries, self.queries[statement], encoded(parameters))

    def read_trigger(self, row: Any, /) -> Trigger:
        return trigger_row(row)

    async def batch(self, statement: str, each: Sequence[Mapping[str, object]]) -> None:
        text = self.queries.statement(statement).text
        self._cursor.executemany(text, [encoded(parameters) for parameters in each])

    def _execute(self, wanted: str | Filled, parameters: Mapping[str, object]) -> tuple[list[Any], int]:
        """The rows of a statement, and how many it changed."""
        statement, values = self.queries.statement(wanted), encoded(parameters)
        day = values.pop("day", None)
        cursor = self._cursor.execute(on_day(statement.text, day), values)
        rows, changed = cursor.fetchall(), cursor.rowcount
        for text in statement.more:
            cursor.execute(on_day(text, day), values)
        return rows, changed


def on_day(text: str, day: object) -> str:
    return text if day is None else text.format(day=day)


def encoded(parameters: Mapping[str, object]) -> dict[str, Any]:
    """Parameters as SQLite takes them."""
    found: dict[str, Any] = {}
    for name, value in parameters.items():
        if name == "day":
            found[name] = day_of(value) if isinstance(value, datetime) else value
        elif isinstance(value, list | tuple):
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
    """Rows: each field of ids or blobs one blob, the others a JSON array of objects."""
    fields = rows[0].items() if rows else ()
    ids = [name for name, value in fields if isinstance(value, bytes)]
    blobs = [name for name, value in fields if isinstance(value, Blob)]
    others = [{name: printed(value) for name, value in row.items() if name not in ids} for row in rows]
    joined = {name: b"".join(row[name] for row in rows) for name in ids}
    for name in blobs:
        parts = [row[name].value or b"" for row in rows]
        for row, found, start in zip(rows, others, starts(parts), strict=False):
            found[name] = None if row[name].value is None else (start, len(row[name].value))
        joined[name] = b"".join(parts)
    return {"rows": array(others), **joined}


def plain(value: object) -> object:
    return micros(value) if isinstance(value, datetime) else value


def printed(value: object) -> object:
    """A value inside JSON."""
    return printable(value) if isinstance(value, str) else plain(value)
