"""Rows of PostgreSQL that cannot be read, or that have an instant outside the known years."""

from typing import Any

import asyncpg

from mainspring.domain.cluster.invariants import EXAMPLES
from mainspring.domain.years import END, FIRST
from mainspring.store.postgres.rollups import KEY as ROLLUP_KEY
from mainspring.store.postgres.rollups import rollup_row
from mainspring.store.postgres.trigger_rows import trigger_row
from mainspring.store.review import ACTS, PLAIN, Read, faults, read_rule
from mainspring.store.sql import Queries


def read_trigger(row: asyncpg.Record) -> None:
    read_rule(trigger_row(row))


READERS: dict[str, tuple[Read, tuple[str, ...]]] = {
    **PLAIN,
    **ACTS,
    "triggers": (read_trigger, ("id",)),
    "rollups": (rollup_row, ROLLUP_KEY),
}


async def unreadable(connection: "asyncpg.Connection[Any]", sql: Queries, look: int) -> list[str]:
    found: list[str] = []
    for table, (read, key) in READERS.items():
        rows = await connection.fetch(sql[f"review_{table}"], look)
        found += faults(table, rows, read, key)
    return found[:EXAMPLES]


async def outside_years(connection: "asyncpg.Connection[Any]", sql: Queries, look: int) -> list[str]:
    """Of every table that has instants; those are found in the catalog."""
    found: list[str] = []
    for row in await connection.fetch(sql["instant_columns"]):
        table, key, columns = row["table"], row["key"], row["columns"]
        outside = " OR ".join(f"t.{name} < '{FIRST.isoformat()}' OR t.{name} > '{END.isoformat()}'" for name in columns)
        shown = " || ' ' || ".join(f"t.{name}::text" for name in key) or "t::text"
        statement = sql["outside_years"].format(table=table, key=f"'{table} ' || {shown}", outside=outside)
        found += [each["example"] for each in await connection.fetch(statement, EXAMPLES, look)]
    return found[:EXAMPLES]
