"""What runs remember from attempt to attempt, on PostgreSQL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId
from mainspring.domain.runs.checkpoints import Kept, Memory, MemoryKind, Pair, Recollection, is_full, overfull
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.hot.locks import hold_attempts
from mainspring.store.sql import Queries


class PostgresMemories:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def remember(self, memories: Sequence[Memory], *, now: datetime) -> Kept:
        # A statement may not touch a row twice: only the last word on each counts.
        last = list({(one.pair, one.kind, one.name): one for one in memories}.values())

        async def work(connection: "asyncpg.Connection[Any]") -> Kept:
            rows = await hold_attempts(connection, self._sql, "hold_owned", [one.pair for one in last])
            attempts: dict[Pair, int] = {(row["id"], row["token"]): row["attempt"] for row in rows}
            owned = [one for one in last if one.pair in attempts]
            full = await self._full(connection, owned)
            kept = [one for one in owned if one.run not in full]
            if kept:
                await self._write(connection, kept, [attempts[one.pair] for one in kept], now)
            stale = {one.pair for one in last if one.pair not in attempts}
            return Kept(stale, {one.pair for one in owned if one.run in full})

        return await self._database.transaction(work) if last else Kept(set(), set())

    async def _full(self, connection: "asyncpg.Connection[Any]", memories: Sequence[Memory]) -> set[RunId]:
        """The runs, whose rows are locked, that would remember too much with these."""
        runs = list({one.run for one in memories if one.kind})
        rows = await connection.fetch(self._sql["count_memories"], runs) if runs else []
        full: set[RunId] = set()
        for run in overfull(memories, {row["run"]: row["known"] for row in rows}):
            known = await connection.fetch(self._sql["memory_names"], run)
            if is_full(run, memories, [(row["kind"], row["name"]) for row in known]):
                full.add(run)
        return full

    async def _write(
        self, connection: "asyncpg.Connection[Any]", owned: Sequence[Memory], attempts: Sequence[int], now: datetime
    ) -> None:
        await connection.execute(
            self._sql["remember"],
            [one.run for one in owned],
            [int(one.kind) for one in owned],
            [one.name for one in owned],
            attempts,
            [one.turn for one in owned],
            [one.value for one in owned],
            now,
        )

    async def recall(self, pairs: Sequence[Pair]) -> dict[Pair, list[Recollection]]:
        asked = set(pairs)
        rows = await self._recall(asked)
        if not asked <= {(row["id"], row["token"]) for row in rows}:
            # Who asks means to do something with that run by itself.
            await self._database.fetchval(self._sql["unbundle_under"], sorted({token for _, token in asked}))
            rows = await self._recall(asked)
        found: dict[Pair, list[Recollection]] = {}
        for row in rows:
            pair = (row["id"], row["token"])
            if pair in asked:
                kept = found.setdefault(pair, [])
                kept += self._sql.aside.read(
                    "memories", [row] if row["kind"] is not None else [], recollection_row, "name"
                )
        return found

    async def _recall(self, pairs: Collection[Pair]) -> list[asyncpg.Record]:
        return await self._database.fetch(self._sql["recall"], [run for run, _ in pairs])

    async def of_run(self, run: RunId) -> list[Recollection]:
        rows = await self._database.fetch(self._sql["memories_of"], run)
        return self._sql.aside.read("memories", rows, recollection_row, "name")


def recollection_row(row: asyncpg.Record) -> Recollection:
    return Recollection(MemoryKind(row["kind"]), row["name"], row["value"], row["attempt"], row["at"])
