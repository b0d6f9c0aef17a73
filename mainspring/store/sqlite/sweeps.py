"""Acts on many runs, a piece at a time, on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.bulk.operation import Piece, Stepped, Sweep, SweepAct, SweepId, after_step
from mainspring.domain.ids import RunId, first_at
from mainspring.domain.metadata import child_mark
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.dead_letter import Discarded
from mainspring.store.acts.audit import write_audit
from mainspring.store.acts.dead_letters import discard, lock_dead
from mainspring.store.paging import ID_FIRST, ID_LAST
from mainspring.store.sql import Queries
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.steering import cancel, retry
from mainspring.store.sqlite.tx import SqliteTx, finish

_decode = msgspec.json.Decoder(Sweep).decode


class SqliteSweeps:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def create(self, sweep: Sweep, entry: AuditEntry) -> None:
        def write(c: sqlite3.Connection) -> None:
            c.execute(self._sql.add_sweep, stored(sweep))
            finish(write_audit(SqliteTx(c, self._sql), entry))

        await self._connection.write(write)

    async def get(self, namespace: str, sweep: SweepId) -> Sweep | None:
        named = {"id": sweep, "namespace": namespace}
        row = await self._connection.read(lambda c: c.execute(self._sql.sweep, named).fetchone())
        return None if row is None else self._sql.aside.one("sweeps", row, sweep_row, "id")

    async def live(self, *, limit: int) -> list[Sweep]:
        return await self._fetch(self._sql.live_sweeps, limit=limit)

    async def step(self, sweep: Sweep, piece: Piece, *, now: datetime) -> Stepped | None:
        day = await self._days.at(now)
        days = await self._days.since(piece.runs) if piece.runs else []
        return await self._connection.write(lambda c: step(c, self._sql, day, days, sweep, piece, now))

    async def move(self, sweep: Sweep, entry: AuditEntry | None = None) -> bool:
        def write(c: sqlite3.Connection) -> bool:
            moved = c.execute(self._sql.move_sweep, stored(sweep)).rowcount > 0
            if moved and entry is not None:
                finish(write_audit(SqliteTx(c, self._sql), entry))
            return moved

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

    async def prune(self, *, before: datetime) -> int:
        return await self._connection.write(
            lambda c: c.execute(self._sql.prune_sweeps, {"before": first_at(before)}).rowcount
        )

    async def _fetch(self, statement: str, *, limit: int, **parameters: object) -> list[Sweep]:
        async def fetch(limit: int) -> Sequence[sqlite3.Row]:
            wanted = {**parameters, "limit": limit}
            return await self._connection.read(lambda c: c.execute(statement, wanted).fetchall())

        return await self._sql.aside.first("sweeps", limit, fetch, sweep_row, "id")

    async def list(self, namespace: str, *, before: SweepId | None, limit: int) -> list[Sweep]:
        return await self._fetch(self._sql.sweeps, namespace=namespace, before=before or ID_LAST, limit=limit)


def stored(sweep: Sweep) -> dict[str, object]:
    return {
        "id": sweep.id,
        "namespace": sweep.namespace,
        "live": not sweep.state.final,
        "version": sweep.version,
        "body": msgspec.json.encode(sweep),
    }


def step(
    c: sqlite3.Connection, sql: Queries, day: str, days: Sequence[str], sweep: Sweep, piece: Piece, now: datetime
) -> Stepped | None:
    if c.execute(sql.hold_sweep, stored(sweep)).fetchone() is None:
        return None
    done = apply(c, sql, day, days, sweep, piece.runs, now)
    moved = after_step(sweep, piece, done.changed, now)
    c.execute(sql.move_sweep, stored(moved))
    return msgspec.structs.replace(done, sweep=moved)


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


def sweep_row(row: sqlite3.Row) -> Sweep:
    return _decode(row["body"])
