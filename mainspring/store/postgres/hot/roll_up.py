"""Counts finished runs on PostgreSQL: reads history by time, from the instant up to which it is counted."""

from datetime import datetime, timedelta
from functools import partial

from mainspring.domain.queues.rollup import EDGES, Resolution, Rolled, floor, merge
from mainspring.domain.years import FIRST
from mainspring.store.acts.rollups import add_rollups, finished_row
from mainspring.store.tx import Transactions, Tx

BACKWARDS = timedelta(days=7)
"""How much history the very first roll-up goes back to."""
AHEAD_MAX = timedelta(days=366)


async def roll_up(transactions: Transactions, until: datetime, span: timedelta) -> Rolled | None:
    return await transactions.write(partial(count, until=until, span=span))


async def count(tx: Tx, *, until: datetime, span: timedelta) -> Rolled | None:
    row = await tx.one("lock_rolled")
    if row is None:
        return None
    since: datetime = row["until"] or floor(until - BACKWARDS, Resolution.HOUR)
    if since > until + AHEAD_MAX or since < FIRST + AHEAD_MAX:
        # No clock was ever so wrong: the row is damaged, and would stop the counting for good.
        tx.aside.pass_over("rolled", "1", ValueError(f"until is {since}"), until)
        since = floor(until, Resolution.HOUR)
    end = min(until, since + span)
    if end <= since:
        return Rolled(since)
    await tx.run("summarize", of_day=f"{end:%Y%m%d}")
    rows = await tx.all("finished_runs", since=since, until=end, edges=EDGES)
    minutes = merge(map(finished_row, rows))
    await add_rollups(tx, minutes, until=end)
    return Rolled(end, minutes)
