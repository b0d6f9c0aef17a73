"""Rows of SQLite that cannot be read, or that have an instant outside the known years."""

import sqlite3
from collections.abc import Sequence
from itertools import groupby

from mainspring.domain.cluster.invariants import EXAMPLES
from mainspring.store.review import ACTS, PLAIN, Read, faults, read_rule
from mainspring.store.sql import Queries
from mainspring.store.sqlite.rollups import KEY as ROLLUP_KEY
from mainspring.store.sqlite.rollups import note_row, rollup_row
from mainspring.store.sqlite.rows import KNOWN_FIRST, KNOWN_LAST, is_instant
from mainspring.store.sqlite.trigger_rows import Found, fetch, trigger_row
from mainspring.store.sqlite.tx import TypedRow

BY_DAY = ("history", "attempts")
WHOLE = "INTEGER"


def read_trigger(row: Found) -> None:
    read_rule(trigger_row(row))


READERS: dict[str, tuple[Read, tuple[str, ...]]] = {
    **PLAIN,
    **ACTS,
    "triggers": (read_trigger, ("id",)),
    "rollups": (rollup_row, ROLLUP_KEY),
    "finished": (note_row, ("position",)),
}


def unreadable(c: sqlite3.Connection, sql: Queries, days: Sequence[str], look: int) -> list[str]:
    found: list[str] = []
    parameters: dict[str, object] = {"look": look}
    for table, (read, key) in READERS.items():
        statement = sql[f"review_{table}"]
        if table == "triggers":
            found += faults(table, fetch(c, sql, statement, parameters), read, key)
            continue
        for day in days if table in BY_DAY else [""]:
            found += faults(table, rows_of(c, table).execute(statement.format(day=day), parameters), read, key)
    return found[:EXAMPLES]


def rows_of(c: sqlite3.Connection, table: str) -> sqlite3.Cursor:
    cursor = c.cursor()
    if table in ACTS:
        cursor.row_factory = TypedRow
    return cursor


def outside_years(c: sqlite3.Connection, sql: Queries, look: int) -> list[str]:
    """Of every table that has instants; those are found in the schema, by their names."""
    found: list[str] = []
    for table, columns in groupby(c.execute(sql.tables).fetchall(), key=lambda row: row["table"]):
        found += outside(c, sql, table, list(columns), look)
    return found[:EXAMPLES]


def outside(c: sqlite3.Connection, sql: Queries, table: str, columns: Sequence[sqlite3.Row], look: int) -> list[str]:
    conditions = [condition(row["column"]) for row in columns if row["type"] == WHOLE]
    if not conditions:
        return []
    key = [row["column"] for row in columns if row["pk"]] or [columns[0]["column"]]
    shown = " || ' ' || ".join(
        f"CASE typeof(t.{name}) WHEN 'blob' THEN lower(hex(t.{name})) ELSE t.{name} END" for name in key
    )
    statement = sql.outside_years.format(
        table=f'"{table}"', key=f"'{table} ' || {shown}", outside=" OR ".join(conditions)
    )
    return [str(row["example"]) for row in c.execute(statement, {"look": look, "examples": EXAMPLES})]


def condition(column: str) -> str:
    other = f"typeof(t.{column}) NOT IN ('integer', 'null')"
    return f"{other} OR t.{column} < {KNOWN_FIRST} OR t.{column} > {KNOWN_LAST}" if is_instant(column) else other
