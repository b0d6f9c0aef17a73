"""Executor sessions and servers, on PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.cluster.session import Abilities, Opened, ServerInfo, Session, SessionLoad, SessionState
from mainspring.domain.ids import ServerId, SessionId
from mainspring.store.interface.cluster import NO_LOADS, NO_SPECS
from mainspring.store.loads import stuck_pools
from mainspring.store.postgres.connection import Database
from mainspring.store.sql import Queries

SERVER_MEMORY = timedelta(hours=1)


class PostgresCluster:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def open_session(
        self, session: Session, *, specs: Mapping[str, str] = NO_SPECS, now: datetime
    ) -> Opened | None:
        rows = await self._database.fetch(
            self._sql["open_session"],
            session.id,
            session.namespace,
            session.executor,
            session.server,
            int(session.state),
            session.lease_until,
            now,
            msgspec.json.encode(session.abilities),
            msgspec.json.encode(specs).decode(),
            session.seal,
        )
        return Opened(SessionState(rows[0]["state"]), rows[0]["opened_at"]) if rows else None

    async def kin(self, session: SessionId) -> list[SessionId]:
        return [row["id"] for row in await self._database.fetch(self._sql["kin"], session)]

    async def renew(
        self,
        sessions: Sequence[SessionId],
        *,
        lease_until: datetime,
        loads: Mapping[SessionId, SessionLoad] = NO_LOADS,
    ) -> list[SessionId]:
        encoded = [msgspec.json.encode(loads[one]) if one in loads else None for one in sessions]
        rows = await self._database.fetch(self._sql["renew"], sessions, encoded, lease_until)
        return [row["id"] for row in rows]

    async def drain_session(self, session: SessionId) -> None:
        await self._database.execute(self._sql["drain_session"], session)

    async def close_session(self, session: SessionId, *, now: datetime) -> None:
        await self._database.execute(self._sql["close_session"], session, now)

    async def sessions(self) -> list[Session]:
        rows = await self._database.fetch(self._sql["sessions"])
        return self._sql.aside.read("sessions", rows, session_row, "id", whole=True)

    async def expire(self, *, before: datetime, now: datetime) -> list[SessionId]:
        async def bury(connection: "asyncpg.Connection[Any]") -> None:
            lapsed = [row["id"] for row in await connection.fetch(self._sql["lapsed"], before)]
            if lapsed:
                await connection.execute(self._sql["bury"], lapsed, now)

        rows = await self._database.fetch(self._sql["dead"], before)
        # Mostly everybody lives: to learn that takes no transaction.
        if not all(row["dead"] for row in rows):
            await self._database.transaction(bury)
            rows = await self._database.fetch(self._sql["dead"], before)
        return [row["id"] for row in rows if row["dead"]]

    async def lay_to_rest(self) -> None:
        await self._database.execute(self._sql["lay_to_rest"])

    async def forget(self, *, dead_before: datetime) -> int:
        return await self._database.execute(self._sql["forget"], dead_before)

    async def join(self, server: ServerInfo, *, now: datetime) -> list[ServerInfo]:
        await self._database.execute(self._sql["join"], server.id, server.name, server.lease_until)
        await self._database.execute(self._sql["sweep_servers"], now - SERVER_MEMORY)
        rows = await self._database.fetch(self._sql["servers"], now)
        return [ServerInfo(id=row["id"], name=row["name"], lease_until=row["lease_until"]) for row in rows]

    async def leave(self, server: ServerId) -> None:
        await self._database.execute(self._sql["leave"], server)


def session_row(row: asyncpg.Record) -> Session:
    return Session(
        id=row["id"],
        namespace=row["namespace"],
        executor=row["executor"],
        server=row["server"],
        state=SessionState(row["state"]),
        lease_until=row["lease_until"],
        abilities=msgspec.json.decode(row["abilities"], type=Abilities),
        stuck=stuck_pools(row["load"]),
    )
