"""The days of everything that is over: made ahead, pruned by dropping."""

import sqlite3
from datetime import datetime, timedelta

from mainspring.domain.ids import first_at
from mainspring.store.queries import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days, day_of
from mainspring.store.sqlite.rows import micros

MARKS_BATCH = 2000


class SqliteHistory:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def prepare(self, *, now: datetime, days: int) -> None:
        wanted = [day_of(now + timedelta(days=ahead)) for ahead in range(days + 1)]
        if not set(wanted) <= set(await self._days.known()):
            await self._days.add(wanted)

    async def prune(self, *, before: datetime) -> list[str]:
        dropped = await self._days.drop(before=before)
        parameters = {"before": micros(before)}

        def forget(c: sqlite3.Connection) -> None:
            c.execute(self._sql.prune_keys, parameters)
            c.execute(self._sql.prune_progress, parameters)

        await self._connection.write(forget)
        while await self._connection.write(lambda c: self._forget_marks(c, before)):
            pass
        return dropped

    def _forget_marks(self, c: sqlite3.Connection, before: datetime) -> bool:
        """Delete some; say whether there may be more. In batches, so that the writer is not held up."""
        parameters = {"first": first_at(before), "batch": MARKS_BATCH}
        return c.execute(self._sql.prune_marks, parameters).rowcount >= MARKS_BATCH
