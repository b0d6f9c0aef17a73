"""Rows of PostgreSQL with an instant outside the known years."""

from mainspring.domain.cluster.invariants import EXAMPLES
from mainspring.domain.years import END, FIRST
from mainspring.store.sql import Filled
from mainspring.store.tx import Row, Tx

TOGETHER = 12
"""Tables of one statement: one for each would drive statements that are in use out of what the driver keeps prepared."""


async def outside_years(tx: Tx, look: int) -> list[str]:
    """Of every table that has instants; those are found in the catalog."""
    found, tables = list[str](), list(map(part_of, await tx.all("instant_columns")))
    for begin in range(0, len(tables), TOGETHER):
        asked = {"tables": " UNION ALL ".join(tables[begin : begin + TOGETHER])}
        rows = await tx.all(Filled("outside_years", asked), examples=EXAMPLES, look=look)
        found += [row["example"] for row in rows]
    return found[:EXAMPLES]


def part_of(row: Row) -> str:
    """What is asked of one table."""
    table, key, columns = row["table"], row["key"], row["columns"]
    outside = " OR ".join(f"t.{name} < '{FIRST.isoformat()}' OR t.{name} > '{END.isoformat()}'" for name in columns)
    shown = " || ' ' || ".join(f"t.{name}::text" for name in key) or "t::text"
    rows = f"(SELECT * FROM mainspring.{table} LIMIT :look) AS t"  # noqa: S608 of the catalog
    return f"SELECT '{table} ' || {shown} AS example FROM {rows} WHERE {outside}"  # noqa: S608 of the catalog
