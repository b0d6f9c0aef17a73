"""Backfills of triggers on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.backfill import Backfill, BackfillFire, BackfillId, Piece, Stepped, after_step
from mainspring.domain.ids import first_at
from mainspring.domain.runs.run import NewRun
from mainspring.store.acts.audit import write_audit
from mainspring.store.paging import ID_LAST
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import array, batch
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.hot.create import add_marks, insert
from mainspring.store.sqlite.rows import instant, micros
from mainspring.store.sqlite.tx import SqliteTx, finish

FIRST = -(1 << 62)

_decode = msgspec.json.Decoder(Backfill).decode
_positions = msgspec.json.Decoder(set[int]).decode


class SqliteBackfills:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def create(self, backfill: Backfill, entry: AuditEntry) -> None:
        def write(c: sqlite3.Connection) -> None:
            c.execute(self._sql.add_backfill, stored(backfill))
            finish(write_audit(SqliteTx(c, self._sql), entry))

        await self._connection.write(write)

    async def get(self, namespace: str, backfill: BackfillId) -> Backfill | None:
        named = {"id": backfill, "namespace": namespace}
        row = await self._connection.read(lambda c: c.execute(self._sql.backfill, named).fetchone())
        return None if row is None else self._sql.aside.one("backfills", row, backfill_row, "id")

    async def live(self, *, limit: int) -> list[Backfill]:
        return await self._fetch(self._sql.live_backfills, limit=limit)

    async def step(self, backfill: Backfill, piece: Piece, runs: Sequence[NewRun], *, now: datetime) -> Stepped | None:
        return await self._connection.write(lambda c: step(c, self._sql, backfill, piece, runs, now))

    async def move(self, backfill: Backfill, entry: AuditEntry | None = None) -> bool:
        def write(c: sqlite3.Connection) -> bool:
            moved = c.execute(self._sql.move_backfill, stored(backfill)).rowcount > 0
            if moved and entry is not None:
                finish(write_audit(SqliteTx(c, self._sql), entry))
            return moved

        return await self._connection.write(write)

    async def fires(self, backfill: BackfillId, *, after: datetime | None, limit: int) -> list[BackfillFire]:
        place = FIRST if after is None else micros(after)
        return await self._fires(self._sql.backfill_fires, backfill=backfill, after=place, limit=limit)

    async def made_for(self, trigger: int, *, since: datetime, until: datetime, limit: int) -> list[BackfillFire]:
        place = {"since": micros(since), "until": micros(until)}
        return await self._fires(self._sql.made_for_trigger, trigger=trigger, **place, limit=limit)

    async def prune(self, *, before: datetime) -> int:
        return await self._connection.write(
            lambda c: c.execute(self._sql.prune_backfills, {"before": first_at(before)}).rowcount
        )

    async def _fetch(self, statement: str, *, limit: int, **parameters: object) -> list[Backfill]:
        async def fetch(limit: int) -> Sequence[sqlite3.Row]:
            wanted = {**parameters, "limit": limit}
            return await self._connection.read(lambda c: c.execute(statement, wanted).fetchall())

        return await self._sql.aside.first("backfills", limit, fetch, backfill_row, "id")

    async def _fires(self, statement: str, **parameters: object) -> list[BackfillFire]:
        rows = await self._connection.read(lambda c: c.execute(statement, parameters).fetchall())
        return [BackfillFire(instant(row["fire_at"]), row["run"], row["backfill"]) for row in rows]

    # Last in the class: behind it, `list` names this method.
    async def list(
        self, namespace: str, *, trigger: str | None, before: BackfillId | None, limit: int
    ) -> list[Backfill]:
        asked = {"namespace": namespace, "trigger_name": trigger, "before": before or ID_LAST}
        return await self._fetch(self._sql.backfills, **asked, limit=limit)


def stored(backfill: Backfill) -> dict[str, object]:
    return {
        "id": backfill.id,
        "namespace": backfill.namespace,
        "trigger_name": backfill.spec.name,
        "live": not backfill.state.final,
        "version": backfill.version,
        "body": msgspec.json.encode(backfill),
    }


def step(
    c: sqlite3.Connection, sql: Queries, backfill: Backfill, piece: Piece, runs: Sequence[NewRun], now: datetime
) -> Stepped | None:
    if c.execute(sql.hold_backfill, stored(backfill)).fetchone() is None:
        return None
    made = make(c, sql, backfill, piece.instants, runs, now) if runs else []
    moved = after_step(backfill, piece, [run.id for run in made], now)
    c.execute(sql.move_backfill, stored(moved))
    return Stepped(moved, made)


def make(
    c: sqlite3.Connection,
    sql: Queries,
    backfill: Backfill,
    instants: Sequence[datetime],
    runs: Sequence[NewRun],
    now: datetime,
) -> list[NewRun]:
    """Make the runs of these instants, and enter them; return those that were made."""
    rows = [(backfill.trigger, micros(at)) for at in instants]
    known = _positions(c.execute(sql.entered, {"rows": array(rows)}).fetchone()[0])
    entries = list(zip(rows, runs, strict=True))
    new = [entry for position, entry in enumerate(entries) if position not in known]
    c.execute(sql.enter, batch([run.id for _, run in new], [row for row, _ in new]))
    made = entries if backfill.rerun else new
    wanted = [run for _, run in made]
    if wanted:
        ids = [run.id for run in wanted]
        c.execute(sql.enter_backfilled, batch(ids, [row for row, _ in made], backfill=backfill.id))
        insert(c, sql, wanted, micros(now))
        add_marks(c, sql, backfill.namespace, wanted)
    return wanted


def backfill_row(row: sqlite3.Row) -> Backfill:
    return _decode(row["body"])
