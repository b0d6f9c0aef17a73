"""Acts on many runs, a piece at a time, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import asyncpg

from mainspring.domain.bulk.operation import Piece, Stepped, Sweep, SweepAct
from mainspring.domain.ids import RunId
from mainspring.domain.metadata import child_mark
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.dead_letter import Discarded
from mainspring.store.acts.dead_letters import discard, lock_dead
from mainspring.store.acts.sweeps import SweepActs, advance
from mainspring.store.paging import ID_FIRST
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.hot.history import PostgresHistory, search_from
from mainspring.store.postgres.steering import cancel, retry
from mainspring.store.postgres.tx import PostgresTransactions, PostgresTx
from mainspring.store.sql import Queries


class PostgresSweeps(SweepActs):
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries, history: PostgresHistory) -> None:
        super().__init__(PostgresTransactions(database, queries))
        self._database = database
        self._sql = queries
        self._history = history

    async def step(self, sweep: Sweep, piece: Piece, *, now: datetime) -> Stepped | None:
        async def write(connection: "asyncpg.Connection[Any]") -> Stepped | None:
            applying = partial(apply, connection, self._sql, sweep, piece.runs, now)
            return await advance(PostgresTx(connection, self._sql), sweep, piece, now, applying)

        return await self._history.with_partitions(lambda: self._database.transaction(write), now=now)

    async def children(
        self, namespace: str, parents: Sequence[tuple[RunId, RunId | None]], *, limit: int
    ) -> list[list[RunId]]:
        marks, places = [child_mark(parent) for parent, _ in parents], [after or ID_FIRST for _, after in parents]
        rows = await self._database.fetch(self._sql["children"], namespace, marks, places, limit)
        found: list[list[RunId]] = [[] for _ in parents]
        for row in rows:
            found[row["turn"] - 1].append(row["run"])
        return found


async def apply(
    connection: "asyncpg.Connection[Any]", sql: Queries, sweep: Sweep, runs: Sequence[RunId], now: datetime
) -> Stepped:
    """The act itself, on those of the runs that are still what the sweep is about."""
    if not runs:
        return Stepped(sweep)
    by = Operator(namespace=sweep.namespace, actor=sweep.actor, reason=sweep.reason, now=now)
    if sweep.act is SweepAct.CANCEL:
        found, changed = await cancel(connection, sql, runs, by)
        return Stepped(sweep, changed, (), [one.wish for run in changed if (one := found[run]).wish is not None])
    if sweep.act is SweepAct.DISCARD:
        said = Discarded(sweep.reason, sweep.actor, now)
        return Stepped(
            sweep, await discard(PostgresTx(connection, sql), sweep.namespace, runs, said, before=sweep.created_at)
        )
    again: dict[RunId, int] = {}
    # A run's place in history is locked before its place among the dead, as by whoever retries it alone.
    await connection.execute(sql["hold_past"], runs, by.namespace, search_from(min(runs)))
    for run in await lock_dead(PostgresTx(connection, sql), sweep.namespace, runs, before=sweep.created_at):
        retried = await retry(connection, sql, run, by, force=False)
        if retried is not None and retried.line is not None:
            again[run] = retried.line
    return Stepped(sweep, list(again), sorted(set(again.values())))
