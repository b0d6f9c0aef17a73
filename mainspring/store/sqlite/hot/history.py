"""The days of everything that is over: made ahead, pruned by dropping."""

import functools
import sqlite3
from datetime import UTC, datetime, timedelta

from mainspring.domain.ids import first_at
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import DayTables, day_of
from mainspring.store.sqlite.rows import micros

BATCH = 2000


class SqliteHistory:
    """The contracts are in `store/interface/`."""

    def __init__(self, connection: Connection, queries: Queries, days: DayTables) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def prepare(self, *, now: datetime, days: int) -> None:
        wanted = [day_of(now + timedelta(days=ahead)) for ahead in range(days + 1)]
        if not set(wanted) <= set(await self._days.known()):
            await self._days.add(wanted)

    async def prune(self, *, before: datetime) -> list[str]:
        # The statements below ask views, which exist from here on.
        await self._days.known()
        dropped = await self._days.drop(before=before)
        parameters = {"before": micros(before)}

        def forget(c: sqlite3.Connection) -> None:
            c.execute(self._sql.prune_keys, parameters)
            c.execute(self._sql.prune_progress, parameters)
            c.execute(self._sql.prune_suspensions, {"first": first_at(before)})

        await self._connection.write(forget)
        for name in ("marks", "payloads", "memories", "flows", "steps", "votes", "batches"):
            query = self._sql[f"prune_{name}"]
            while await self._connection.write(functools.partial(forget_some, query=query, before=before)):
                pass
        for query in (self._sql.prune_dead, self._sql.prune_fires, self._sql.prune_skips):
            while await self._connection.write(functools.partial(forget_days, query=query, before=before)):
                pass
        return dropped


def forget_some(c: sqlite3.Connection, query: str, before: datetime) -> bool:
    """Delete some; say whether there may be more. In batches, so that the writer is not held up."""
    return c.execute(query, {"first": first_at(before), "batch": BATCH}).rowcount >= BATCH


def forget_days(c: sqlite3.Connection, query: str, before: datetime) -> bool:
    """History is dropped by whole days, with all that belongs to it."""
    day = before.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return c.execute(query, {"before": micros(day), "first": first_at(day), "batch": BATCH}).rowcount >= BATCH
