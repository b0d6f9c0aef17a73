"""Rows of PostgreSQL with an instant outside the known years."""

from mainspring.domain.cluster.invariants import EXAMPLES
from mainspring.domain.years import END, FIRST
from mainspring.store.sql import Filled
from mainspring.store.tx import Tx


async def outside_years(tx: Tx, look: int) -> list[str]:
    """Of every table that has instants; those are found in the catalog."""
    found: list[str] = []
    for row in await tx.all("instant_columns"):
        table, key, columns = row["table"], row["key"], row["columns"]
        outside = " OR ".join(f"t.{name} < '{FIRST.isoformat()}' OR t.{name} > '{END.isoformat()}'" for name in columns)
        shown = " || ' ' || ".join(f"t.{name}::text" for name in key) or "t::text"
        parts = {"table": table, "key": f"'{table} ' || {shown}", "outside": outside}
        found += [
            each["example"] for each in await tx.all(Filled("outside_years", parts), examples=EXAMPLES, look=look)
        ]
    return found[:EXAMPLES]
