"""Backfills of triggers on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId, Piece, Stepped, after_step
from mainspring.domain.ids import RunId, first_at
from mainspring.domain.runs.run import NewRun
from mainspring.store.acts.audit import write_audit
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.pool import Connection
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

_decode = msgspec.json.Decoder(Backfill).decode


class PostgresBackfills:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def create(self, backfill: Backfill, entry: AuditEntry) -> None:
        async def write(connection: "asyncpg.Connection[Any]") -> None:
            values = (backfill.id, backfill.namespace, backfill.spec.name, backfill.version)
            await connection.execute(self._sql["add_backfill"], *values, msgspec.json.encode(backfill))
            await write_audit(PostgresTx(connection, self._sql), entry)

        await self._database.transaction(write)

    async def get(self, namespace: str, backfill: BackfillId) -> Backfill | None:
        rows = await self._database.fetch(self._sql["backfill"], namespace, backfill)
        return self._sql.aside.one("backfills", rows[0], backfill_row, "id") if rows else None

    async def live(self, *, limit: int) -> list[Backfill]:
        fetch = partial(self._database.fetch, self._sql["live_backfills"])
        return await self._sql.aside.first("backfills", limit, fetch, backfill_row, "id")

    async def step(self, backfill: Backfill, piece: Piece, runs: Sequence[NewRun], *, now: datetime) -> Stepped | None:
        async def write(connection: "asyncpg.Connection[Any]") -> Stepped | None:
            if not await connection.fetchval(self._sql["hold_backfill"], backfill.id, backfill.version):
                return None
            made = await make(connection, self._sql, backfill, piece.instants, runs, now) if runs else set()
            new = [run for run in runs if run.id in made]
            moved = after_step(backfill, piece, [run.id for run in new], now)
            await self._write(connection, moved)
            return Stepped(moved, new)

        return await self._database.transaction(write)

    async def move(self, backfill: Backfill, entry: AuditEntry | None = None) -> bool:
        async def write(connection: "asyncpg.Connection[Any]") -> bool:
            moved = await self._write(connection, backfill)
            if moved and entry is not None:
                await write_audit(PostgresTx(connection, self._sql), entry)
            return moved

        return await self._database.transaction(write)

    async def _write(self, connection: Connection, backfill: Backfill) -> bool:
        values = (backfill.id, not backfill.state.final, backfill.version, msgspec.json.encode(backfill))
        return str(await connection.execute(self._sql["move_backfill"], *values)) == "UPDATE 1"

    async def fires(self, backfill: BackfillId, *, after: datetime | None, limit: int) -> list[BackfillFire]:
        rows = await self._database.fetch(self._sql["backfill_fires"], backfill, after, limit)
        return list(map(fire_row, rows))

    async def made_for(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[BackfillFire]:
        rows = await self._database.fetch(self._sql["made_for_trigger"], trigger, since, until, limit)
        return list(map(fire_row, rows))

    async def prune(self, *, before: datetime) -> int:
        return await self._database.execute(self._sql["prune_backfills"], first_at(before))

    # Last in the class: behind it, `list` names this method.
    async def list(
        self, namespace: str, *, trigger: str | None, before: BackfillId | None, limit: int
    ) -> list[Backfill]:
        fetch = partial(self._database.fetch, self._sql["backfills"], namespace, trigger, before)
        return await self._sql.aside.first("backfills", limit, fetch, backfill_row, "id")


async def make(
    connection: Connection,
    sql: Queries,
    backfill: Backfill,
    instants: Sequence[datetime],
    runs: Sequence[NewRun],
    now: datetime,
) -> set[RunId]:
    """Make the runs of these instants, and enter them; return those that were made."""
    rows = await connection.fetch(
        sql["make_backfilled"],
        backfill.id,
        backfill.trigger,
        backfill.rerun,
        instants,
        [run.id for run in runs],
        [run.job for run in runs],
        [run.line for run in runs],
        [run.priority for run in runs],
        [run.due_at for run in runs],
        [run.deadline_at for run in runs],
        [run.extra for run in runs],
        [run.input for run in runs],
        now,
    )
    made = {row["run"] for row in rows}
    marked = [(backfill.namespace, mark, run.id) for run in runs if run.id in made for mark in run.marks]
    if marked:
        await connection.execute(sql["mark_fires"], *map(list, zip(*marked, strict=True)))
    return made


def fire_row(row: asyncpg.Record) -> BackfillFire:
    return BackfillFire(row["fire_at"], row["run"], row["backfill"])


def backfill_row(row: asyncpg.Record) -> Backfill:
    return _decode(row["body"])
