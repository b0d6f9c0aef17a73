"""Rows that no program of ours would write: which tables there are, and how one row of each is spoilt and mended."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.ids import RunId
from mainspring.store.interface import Store
from mainspring.store.sqlite.rows import is_instant
from mainspring.store.sqlite.store import SqliteStore

PAST, FUTURE = "0044-03-15 00:00:00+00 BC", "20000-01-01 00:00:00+00"
POSTGRES: dict[str, tuple[str, ...]] = {
    "timestamp with time zone": (PAST, FUTURE),
    "bytea": (r"\x7b6e6f74",),
    "text": ("spoilt",),
    "jsonb": ("5",),
    "json": ("5",),
    "smallint": ("99",),
    "integer": ("99",),
    "bigint": ("99",),
}
SQLITE: dict[str, tuple[object, ...]] = {"TEXT": ("spoilt",), "BLOB": (b"{not",), "INTEGER": (99,)}
ORDER = {
    "alerts": "rule",
    "notices": "channel",
    "silences": "rule",
    "sessions": "executor",
    "breakers": "name",
    "breaker_calls": "epoch DESC, breaker",
}
"""Where the row to spoil is not the one with the least key."""
LONG_AGO, FAR_AHEAD = -(10**17), 10**18
"""In microseconds: before the year 1, and in the year 33658."""


class Column(msgspec.Struct, frozen=True):
    name: str
    type: str
    key: bool

    @property
    def instant(self) -> bool:
        return self.type.startswith("timestamp") or (self.type == "INTEGER" and is_instant(self.name))


class Poison:
    """Reaches around the store, as a human with a database shell would."""

    def __init__(self, store: Store) -> None:
        self._store: Any = store
        self._old: dict[str, Any] = {}
        self._where = ""
        self._table = ""

    @property
    def embedded(self) -> bool:
        return isinstance(self._store, SqliteStore)

    async def tables(self) -> list[str]:
        if self.embedded:
            found = await self._run("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        else:
            found = await self._run(
                "SELECT relname FROM pg_class WHERE relnamespace = 'mainspring'::regnamespace"
                " AND relkind IN ('r', 'p') AND NOT relispartition"
            )
        return sorted(row[0] for row in found)

    async def count(self, table: str) -> int:
        [row] = await self._run(f"SELECT count(*) FROM {self._named(table)}")
        found: int = row[0]
        return found

    async def move(self, table: str, old: str, new: str) -> None:
        """Have the rows of a namespace belong to another one."""
        await self._run(f"UPDATE {self._named(table)} SET namespace = '{new}' WHERE namespace = '{old}'")

    def _named(self, table: str) -> str:
        return table if self.embedded else f"mainspring.{table}"

    async def spoil(self, table: str, *, instants: bool, only: str = "") -> bool:
        """Spoil the oldest row of the table, column by column or in one; say whether anything could be spoilt."""
        self._table, columns = table, await self._columns(table)
        keys = [column.name for column in columns if column.key]
        name = table if self.embedded else f"mainspring.{table}"
        self._where = await self._first(name, keys)
        self._old = {}
        for number, column in enumerate(column for column in columns if not column.key):
            if column.instant == instants and only in ("", column.name):
                await self._spoil(name, column, number)
        return bool(self._old)

    async def mend(self) -> None:
        name = self._table if self.embedded else f"mainspring.{self._table}"
        for column, (kind, value) in self._old.items():
            await self._set(name, column, kind, value)

    async def never_ends(self, run: RunId) -> None:
        """Let no database move this run into history: a trigger refuses it, or it began at the end of all time."""
        if not self.embedded:
            end = "294276-12-31 23:59:59.9999+00"
            await self._run(f"UPDATE mainspring.runs SET claimed_at = '{end}' WHERE id = '{run.hex()}'::uuid")
            return
        for table in await self.tables():
            if table.startswith("history_"):
                refuse = (
                    f"BEFORE INSERT ON {table} WHEN NEW.id = x'{run.hex()}' BEGIN SELECT RAISE(ABORT, 'spoilt'); END"
                )
                await self._run(f"CREATE TRIGGER spoilt_{table} {refuse}")

    async def _spoil(self, name: str, column: Column, number: int) -> None:
        values: Sequence[object] = SQLITE.get(column.type, ()) if self.embedded else POSTGRES.get(column.type, ())
        if self.embedded and column.instant:
            values = (LONG_AGO, FAR_AHEAD)
        if not values:
            return
        shown = column.name if self.embedded else f"{column.name}::text"
        [(old,)] = [tuple(row) for row in await self._run(f"SELECT {shown} FROM {name} WHERE {self._where}")]
        if old is None:
            return
        try:
            await self._set(name, column.name, column.type, values[number % len(values)])
        except (asyncpg.PostgresError, sqlite3.IntegrityError):
            return  # the database itself does not take it
        self._old[column.name] = (column.type, old)

    async def _set(self, name: str, column: str, kind: str, value: object) -> None:
        if self.embedded:
            await self._run(f"UPDATE {name} SET {column} = ? WHERE {self._where}", value)
        else:
            change = f"UPDATE {name} SET {column} = $1::text::{kind} WHERE {self._where}"
            statement = f"{change} RETURNING ctid::text, tableoid::text"
            [row] = await self._run(statement, value)
            if "ctid" in self._where:
                self._where = self._at(["ctid", "tableoid"], row)

    async def _columns(self, table: str) -> list[Column]:
        if self.embedded:
            rows = await self._run(f"SELECT name, type, pk FROM pragma_table_info('{table}')")
            return [Column(row[0], row[1], bool(row[2])) for row in rows]
        rows = await self._run(
            "SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), EXISTS (SELECT FROM pg_index AS i"
            " WHERE i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey::smallint[]))"
            f" FROM pg_attribute AS a WHERE a.attrelid = 'mainspring.{table}'::regclass AND a.attnum > 0"
            " AND NOT a.attisdropped"
        )
        return [Column(*row) for row in rows]

    async def _first(self, name: str, keys: list[str]) -> str:
        """What finds the first row of a table."""
        names = keys or (["rowid"] if self.embedded else ["ctid", "tableoid"])
        shown = ", ".join(names if self.embedded else (f"{each}::text" for each in names))
        rows = await self._run(
            f"SELECT {shown} FROM {name} ORDER BY {ORDER.get(name.rpartition('.')[2], ', '.join(names))} LIMIT 1"
        )
        assert rows, f"nothing in {name}: let the life of the test put something there, or exempt it"
        return self._at(names, rows[0])

    def _at(self, names: list[str], row: Any) -> str:
        pairs = zip(names, tuple(row), strict=True)
        cast = "" if self.embedded else "::text"
        return " AND ".join(f"{name}{cast} = {literal(value)}" for name, value in pairs)

    async def _run(self, statement: str, *values: object) -> list[Any]:
        if self.embedded:
            rows: list[Any] = await self._store.connection.write(lambda c: c.execute(statement, values).fetchall())
            return rows
        return list(await self._store._database.fetch(statement, *values))


def literal(value: object) -> str:
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"
