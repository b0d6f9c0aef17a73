"""Executor sessions and servers."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.cluster.session import Abilities, Opened, ServerInfo, Session, SessionLoad, SessionState
from mainspring.domain.ids import ServerId, SessionId
from mainspring.store.interface.cluster import NO_LOADS, NO_SPECS
from mainspring.store.loads import stuck_pools
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import Parameters, batch
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import instant, micros

SERVER_MEMORY = timedelta(hours=1)


class SqliteCluster:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries) -> None:
        self._connection = connection
        self._sql = queries

    async def open_session(
        self, session: Session, *, specs: Mapping[str, str] = NO_SPECS, now: datetime
    ) -> Opened | None:
        parameters = {
            "id": session.id,
            "namespace": session.namespace,
            "executor": session.executor,
            "server": session.server,
            "state": int(session.state),
            "lease_until": micros(session.lease_until),
            "abilities": msgspec.json.encode(session.abilities),
            "specs": msgspec.json.encode(specs).decode(),
            "seal": session.seal,
            "now": micros(now),
        }
        rows = await self._connection.write(lambda c: c.execute(self._sql.open_session, parameters).fetchall())
        return Opened(SessionState(rows[0]["state"]), instant(rows[0]["opened_at"])) if rows else None

    async def kin(self, session: SessionId) -> list[SessionId]:
        parameters = {"id": session}
        return await self._connection.read(lambda c: [row["id"] for row in c.execute(self._sql.kin, parameters)])

    async def renew(
        self,
        sessions: Sequence[SessionId],
        *,
        lease_until: datetime,
        loads: Mapping[SessionId, SessionLoad] = NO_LOADS,
    ) -> list[SessionId]:
        said = [msgspec.json.encode(loads[one]).decode() if one in loads else None for one in sessions]
        parameters = batch(sessions, said, lease_until=micros(lease_until))
        return await self._connection.write(lambda c: [row["id"] for row in c.execute(self._sql.renew, parameters)])

    async def drain_session(self, session: SessionId) -> None:
        await self._run(self._sql.drain_session, {"id": session})

    async def close_session(self, session: SessionId, *, now: datetime) -> None:
        await self._run(self._sql.close_session, {"id": session, "now": micros(now)})

    async def sessions(self) -> list[Session]:
        rows = await self._connection.read(lambda c: c.execute(self._sql.sessions).fetchall())
        return self._sql.aside.read("sessions", rows, session_row, "id", whole=True)

    async def expire(self, *, before: datetime, now: datetime) -> list[SessionId]:
        parameters = {"before": micros(before), "now": micros(now)}

        def bury(c: sqlite3.Connection) -> list[SessionId]:
            c.execute(self._sql.bury, parameters)
            return [row["id"] for row in c.execute(self._sql.dead)]

        return await self._connection.write(bury)

    async def lay_to_rest(self) -> None:
        await self._run(self._sql.lay_to_rest, {})

    async def forget(self, *, dead_before: datetime) -> int:
        return await self._run(self._sql.forget, {"before": micros(dead_before)})

    async def join(self, server: ServerInfo, *, now: datetime) -> list[ServerInfo]:
        parameters = {"id": server.id, "name": server.name, "lease_until": micros(server.lease_until)}

        def renew(c: sqlite3.Connection) -> list[ServerInfo]:
            c.execute(self._sql.join, parameters)
            c.execute(self._sql.sweep_servers, {"before": micros(now - SERVER_MEMORY)})
            rows = c.execute(self._sql.servers, {"now": micros(now)})
            return self._sql.aside.read("servers", rows, server_row, "id", whole=True)

        return await self._connection.write(renew)

    async def leave(self, server: ServerId) -> None:
        await self._run(self._sql.leave, {"id": server})

    async def _run(self, query: str, parameters: Parameters) -> int:
        return await self._connection.write(lambda c: c.execute(query, parameters).rowcount)


def session_row(row: sqlite3.Row) -> Session:
    return Session(
        id=row["id"],
        namespace=row["namespace"],
        executor=row["executor"],
        server=row["server"],
        state=SessionState(row["state"]),
        lease_until=instant(row["lease_until"]),
        abilities=msgspec.json.decode(row["abilities"], type=Abilities),
        stuck=stuck_pools(row["load"]),
    )


def server_row(row: sqlite3.Row) -> ServerInfo:
    return ServerInfo(id=row["id"], name=row["name"], lease_until=instant(row["lease_until"]))
