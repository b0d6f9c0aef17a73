"""What runs remember from attempt to attempt, on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import RunId
from mainspring.domain.runs.checkpoints import Kept, Memory, MemoryKind, Pair, Recollection, is_full, overfull
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import batch, starts
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, micros


class SqliteMemories:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def remember(self, memories: Sequence[Memory], *, now: datetime) -> Kept:
        if not memories:
            return Kept(set(), set())
        return await self._connection.write(lambda c: remember(c, self._sql, memories, micros(now)))

    async def recall(self, pairs: Sequence[Pair]) -> dict[Pair, list[Recollection]]:
        return await self._connection.read(lambda c: recall(c, self._sql, pairs))

    async def of_run(self, run: RunId) -> list[Recollection]:
        return await self._connection.read(lambda c: recollections(c, self._sql, run))


def remember(c: sqlite3.Connection, sql: Queries, memories: Sequence[Memory], now: int) -> Kept:
    attempts = owned(c, sql, list({one.pair for one in memories}))
    owning = [one for one in memories if one.pair in attempts]
    full = full_runs(c, sql, owning)
    kept = [one for one in owning if one.run not in full]
    values = [one.value or b"" for one in kept]
    rows = [
        (one.kind, one.name, attempts[one.pair], one.turn, start, None if one.value is None else len(one.value))
        for one, start in zip(kept, starts(values), strict=False)
    ]
    c.execute(sql.remember, batch([one.run for one in kept], rows, values=b"".join(values), now=now))
    stale = {one.pair for one in memories if one.pair not in attempts}
    return Kept(stale, {one.pair for one in owning if one.run in full})


def full_runs(c: sqlite3.Connection, sql: Queries, memories: Sequence[Memory]) -> set[RunId]:
    """The runs that would remember too much with these."""
    runs = list({one.run for one in memories if one.kind})
    counted = {runs[row["at"]]: row["known"] for row in c.execute(sql.count_memories, batch(runs))} if runs else {}
    return {
        run
        for run in overfull(memories, counted)
        if is_full(run, memories, [tuple(row) for row in c.execute(sql.memory_names, {"run": run})])
    }


def owned(c: sqlite3.Connection, sql: Queries, pairs: Sequence[Pair]) -> dict[Pair, int]:
    """Those of the attempts that own their run, with their numbers."""
    parameters = batch([run for run, _ in pairs], tokens=b"".join(token for _, token in pairs))
    return {pairs[row["at"]]: row["attempt"] for row in c.execute(sql.hold_owned, parameters)}


def recall(c: sqlite3.Connection, sql: Queries, pairs: Sequence[Pair]) -> dict[Pair, list[Recollection]]:
    return {pair: recollections(c, sql, pair[0]) for pair in owned(c, sql, pairs)}


def recollections(c: sqlite3.Connection, sql: Queries, run: RunId) -> list[Recollection]:
    return sql.aside.read("memories", c.execute(sql.memories_of, {"run": run}), recollection_row, "name")


def recollection_row(row: sqlite3.Row) -> Recollection:
    kind, name, value, attempt, at = row
    return Recollection(MemoryKind(kind), name, value, attempt, instant(at))
