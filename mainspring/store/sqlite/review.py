"""Rows of SQLite with an instant outside the known years, or with another thing where a number belongs."""

from collections.abc import Sequence
from itertools import groupby

from mainspring.domain.cluster.invariants import EXAMPLES
from mainspring.store.acts.review import READERS as SHARED
from mainspring.store.acts.review import Readers
from mainspring.store.sql import Filled
from mainspring.store.sqlite.hot.roll_up import note_row
from mainspring.store.sqlite.rows import KNOWN_FIRST, KNOWN_LAST, is_instant
from mainspring.store.tx import Row, Tx

WHOLE = "INTEGER"
READERS: Readers = {**SHARED, "finished": (note_row, ("position",))}


async def outside_years(tx: Tx, look: int) -> list[str]:
    """Of every table that has instants; those are found in the schema, by their names."""
    found: list[str] = []
    for table, columns in groupby(await tx.all("tables"), key=lambda row: row["table"]):
        found += await outside(tx, table, list(columns), look)
    return found[:EXAMPLES]


async def outside(tx: Tx, table: str, columns: Sequence[Row], look: int) -> list[str]:
    conditions = [condition(row["column"]) for row in columns if row["type"] == WHOLE]
    if not conditions:
        return []
    key = [row["column"] for row in columns if row["pk"]] or [columns[0]["column"]]
    shown = " || ' ' || ".join(
        f"CASE typeof(t.{name}) WHEN 'blob' THEN lower(hex(t.{name})) ELSE t.{name} END" for name in key
    )
    parts = {"table": f'"{table}"', "key": f"'{table} ' || {shown}", "outside": " OR ".join(conditions)}
    rows = await tx.all(Filled("outside_years", parts), look=look, examples=EXAMPLES)
    return [str(row["example"]) for row in rows]


def condition(column: str) -> str:
    other = f"typeof(t.{column}) NOT IN ('integer', 'null')"
    return f"{other} OR t.{column} < {KNOWN_FIRST} OR t.{column} > {KNOWN_LAST}" if is_instant(column) else other
