"""Executors as operators see and steer them."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.session import Cordon, HeldRun, Presence, SessionLoad, cordon_entry, tightened
from mainspring.domain.ids import SessionId
from mainspring.errors import NotFoundError
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.executors import PresenceFilter
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import batch
from mainspring.store.sqlite.cluster import session_row
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, instant_or_none, micros
from mainspring.store.sqlite.tx import SqliteTx, finish


class SqliteExecutors:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def held(self, sessions: Sequence[SessionId], *, limit: int) -> list[HeldRun]:
        parameters = batch(sessions, limit=limit)
        return await self._connection.read(
            lambda c: [held_row(row) for row in c.execute(self._sql.held_runs, parameters)]
        )

    async def cordon(self, cordon: Cordon, *, actor: Actor) -> Cordon:
        return await self._connection.write(lambda c: set_cordon(c, self._sql, cordon, actor))

    async def uncordon(self, namespace: str, executor: str, *, actor: Actor, reason: str, now: datetime) -> bool:
        ended = Cordon(namespace=namespace, executor=executor, at=now, actor=actor.name, reason=reason)
        return await self._connection.write(lambda c: drop_cordon(c, self._sql, ended, actor))

    async def cordons(self) -> list[Cordon]:
        rows = await self._connection.read(lambda c: c.execute(self._sql.all_cordons).fetchall())
        return self._sql.aside.read("cordons", rows, cordon_row, "namespace", "executor", whole=True)

    async def known(self, namespace: str, executor: str) -> bool:
        parameters = {"namespace": namespace, "executor": executor}
        return await self._connection.read(lambda c: is_known(c, self._sql, parameters))

    async def heed_cordons(self) -> None:
        await self._connection.write(lambda c: c.execute(self._sql.heed_cordons))

    async def list(self, query: PresenceFilter) -> list[Presence]:
        executor, session = query.after
        parameters = {
            "namespace": query.namespace,
            "executor": query.executor,
            "after_executor": executor,
            "after_session": session,
        }

        async def fetch(limit: int) -> Sequence[sqlite3.Row]:
            wanted = parameters | {"limit": limit}
            return await self._connection.read(lambda c: c.execute(self._sql.list_executors, wanted).fetchall())

        return await self._sql.aside.first("sessions", query.limit, fetch, presence_row, "id")


def is_known(c: sqlite3.Connection, sql: Queries, place: dict[str, str]) -> bool:
    return bool(c.execute(sql.known_executor, place).fetchone()[0])


def set_cordon(c: sqlite3.Connection, sql: Queries, cordon: Cordon, actor: Actor) -> Cordon:
    place = {"namespace": cordon.namespace, "executor": cordon.executor}
    if not is_known(c, sql, place):
        raise NotFoundError("executor", cordon.executor)
    row = c.execute(sql.hold_cordon, place).fetchone()
    held = None if row is None else cordon_row(row)
    wanted = tightened(held, cordon)
    c.execute(sql.mark_cordoned, place)
    if wanted is None:
        return held or cordon
    drain_at = None if wanted.drain_at is None else micros(wanted.drain_at)
    c.execute(sql.put_cordon, msgspec.structs.asdict(wanted) | {"at": micros(wanted.at), "drain_at": drain_at})
    finish(write_audit(SqliteTx(c, sql), cordon_entry(wanted, actor)))
    return wanted


def drop_cordon(c: sqlite3.Connection, sql: Queries, ended: Cordon, actor: Actor) -> bool:
    place = {"namespace": ended.namespace, "executor": ended.executor}
    dropped = c.execute(sql.drop_cordon, place).rowcount
    c.execute(sql.mark_live, place)
    if dropped:
        finish(write_audit(SqliteTx(c, sql), cordon_entry(ended, actor, act="executor.uncordon")))
    return bool(dropped)


def cordon_row(row: sqlite3.Row) -> Cordon:
    return Cordon(
        namespace=row["namespace"],
        executor=row["executor"],
        at=instant(row["at"]),
        actor=row["actor"],
        reason=row["reason"],
        drain_at=instant_or_none(row["drain_at"]),
        grace=row["grace"],
    )


def held_row(row: sqlite3.Row) -> HeldRun:
    return HeldRun(
        id=row["id"],
        job=row["job"],
        attempt=row["attempt"],
        claimed_at=instant(row["claimed_at"]),
        session=row["session"],
    )


def presence_row(row: sqlite3.Row) -> Presence:
    return Presence(
        session=session_row(row),
        server=row["server_name"] or "",
        since=instant(row["opened_at"]),
        load=None if row["load"] is None else msgspec.json.decode(row["load"], type=SessionLoad),
        cordon=None if row["at"] is None else cordon_row(row),
    )
