"""Acts on many runs, a piece at a time, on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.bulk.operation import Piece, Stepped, Sweep, SweepAct
from mainspring.domain.ids import RunId
from mainspring.domain.metadata import child_mark
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.dead_letter import Discarded
from mainspring.store.acts.dead_letters import discard, lock_dead
from mainspring.store.acts.sweeps import SweepActs, advance
from mainspring.store.paging import ID_FIRST
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.steering import cancel, retry
from mainspring.store.sqlite.tx import SqliteTransactions, SqliteTx, finish


class SqliteSweeps(SweepActs):
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        super().__init__(SqliteTransactions(connection, queries))
        self._connection = connection
        self._sql = queries
        self._days = days

    async def step(self, sweep: Sweep, piece: Piece, *, now: datetime) -> Stepped | None:
        day = await self._days.at(now)
        days = await self._days.since(piece.runs) if piece.runs else []

        def write(c: sqlite3.Connection) -> Stepped | None:
            async def applying() -> Stepped:
                return apply(c, self._sql, day, days, sweep, piece.runs, now)

            return finish(advance(SqliteTx(c, self._sql), sweep, piece, now, applying))

        return await self._connection.write(write)

    async def children(
        self, namespace: str, parents: Sequence[tuple[RunId, RunId | None]], *, limit: int
    ) -> list[list[RunId]]:
        def read(c: sqlite3.Connection) -> list[list[RunId]]:
            asked = [
                {"namespace": namespace, "mark": child_mark(parent), "after": after or ID_FIRST, "limit": limit}
                for parent, after in parents
            ]
            return [[row["run"] for row in c.execute(self._sql.children, each)] for each in asked]

        return await self._connection.read(read)


def apply(
    c: sqlite3.Connection,
    sql: Queries,
    day: str,
    days: Sequence[str],
    sweep: Sweep,
    runs: Sequence[RunId],
    now: datetime,
) -> Stepped:
    """The act itself, on those of the runs that are still what the sweep is about."""
    if not runs:
        return Stepped(sweep)
    by = Operator(namespace=sweep.namespace, actor=sweep.actor, reason=sweep.reason, now=now)
    if sweep.act is SweepAct.CANCEL:
        found, changed = cancel(c, sql, day, days, runs, by)
        return Stepped(sweep, changed, (), [one.wish for run in changed if (one := found[run]).wish is not None])
    if sweep.act is SweepAct.DISCARD:
        said = Discarded(sweep.reason, sweep.actor, now)
        return Stepped(sweep, finish(discard(SqliteTx(c, sql), sweep.namespace, runs, said, before=sweep.created_at)))
    dead = finish(lock_dead(SqliteTx(c, sql), sweep.namespace, runs, before=sweep.created_at))
    tried = {run: retry(c, sql, days, run, by, force=False) for run in dead}
    again = {run: done.line for run, done in tried.items() if done is not None and done.line is not None}
    return Stepped(sweep, list(again), sorted(set(again.values())))
