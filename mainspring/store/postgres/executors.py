"""Executors as operators see and steer them, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.cluster.session import Cordon, HeldRun, Presence, SessionLoad, cordon_entry, tightened
from mainspring.domain.ids import SessionId
from mainspring.errors import NotFoundError
from mainspring.store.acts.audit import write_audit
from mainspring.store.interface.executors import PresenceFilter
from mainspring.store.postgres.cluster import session_row
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries


class PostgresExecutors:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def held(self, sessions: Sequence[SessionId], *, limit: int) -> list[HeldRun]:
        rows = await self._database.fetch(self._sql["held_runs"], sessions, limit)
        return [HeldRun(**row) for row in rows]

    async def cordon(self, cordon: Cordon, *, actor: Actor) -> Cordon:
        place = (cordon.namespace, cordon.executor)

        async def work(connection: "asyncpg.Connection[Any]") -> Cordon:
            if not await connection.fetchval(self._sql["known_executor"], *place):
                raise NotFoundError("executor", cordon.executor)
            added = await connection.execute(self._sql["add_cordon"], *msgspec.structs.astuple(cordon))
            held = Cordon(**(await connection.fetch(self._sql["hold_cordon"], *place))[0])
            wanted = cordon if added.endswith(" 1") else tightened(held, cordon)
            # Also when nothing changes: a session may have been opened in the very moment of the first cordon.
            await connection.execute(self._sql["mark_cordoned"], *place)
            if wanted is None:
                return held
            await connection.execute(self._sql["change_cordon"], *msgspec.structs.astuple(wanted))
            await write_audit(PostgresTx(connection, self._sql), cordon_entry(wanted, actor))
            return wanted

        return await self._database.transaction(work)

    async def uncordon(self, namespace: str, executor: str, *, actor: Actor, reason: str, now: datetime) -> bool:
        async def work(connection: "asyncpg.Connection[Any]") -> bool:
            dropped = await connection.execute(self._sql["drop_cordon"], namespace, executor)
            await connection.execute(self._sql["mark_live"], namespace, executor)
            if dropped.endswith(" 0"):
                return False
            ended = Cordon(namespace=namespace, executor=executor, at=now, actor=actor.name, reason=reason)
            await write_audit(PostgresTx(connection, self._sql), cordon_entry(ended, actor, act="executor.uncordon"))
            return True

        return await self._database.transaction(work)

    async def cordons(self) -> list[Cordon]:
        return [Cordon(**row) for row in await self._database.fetch(self._sql["all_cordons"])]

    async def known(self, namespace: str, executor: str) -> bool:
        return bool(await self._database.fetchval(self._sql["known_executor"], namespace, executor))

    async def heed_cordons(self) -> None:
        await self._database.execute(self._sql["heed_cordons"])

    async def list(self, query: PresenceFilter) -> list[Presence]:
        wanted = (query.namespace, query.executor, *query.after)
        fetch = partial(self._database.fetch, self._sql["list_executors"], *wanted)
        return await self._sql.aside.first("sessions", query.limit, fetch, presence_row, "id")


def presence_row(row: asyncpg.Record) -> Presence:
    session = session_row(row)
    names = ("at", "actor", "reason", "drain_at", "grace")
    cordon = {name: row[name] for name in names} | {"namespace": session.namespace, "executor": session.executor}
    return Presence(
        session=session,
        server=row["server_name"] or "",
        since=row["opened_at"],
        load=None if row["load"] is None else msgspec.json.decode(row["load"], type=SessionLoad),
        cordon=None if row["at"] is None else Cordon(**cordon),
    )
