"""Runs that are set aside, and when they go on, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.cancel import CancelRequest, Operator
from mainspring.domain.runs.run import RunState, Suspension, WaitReason
from mainspring.domain.runs.suspension import SUSPENDING, Suspended, may_suspend
from mainspring.store.acts.audit import write_audit
from mainspring.store.postgres.connection import Database, storable
from mainspring.store.postgres.hot.history import search_from
from mainspring.store.postgres.hot.locks import hold_live
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

LOOKS = 2


class PostgresSuspensions:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def suspend(
        self, namespace: str, run: RunId, suspension: Suspension, *, actor: Actor, now: datetime
    ) -> Suspended | None:
        by = Operator(namespace=namespace, actor=actor, reason=suspension.reason, now=now)
        return await self._database.transaction(lambda connection: self._suspend(connection, run, suspension, by))

    async def _suspend(
        self, connection: "asyncpg.Connection[Any]", run: RunId, suspension: Suspension, by: Operator
    ) -> Suspended | None:
        row = await self._hold(connection, by.namespace, run)
        if isinstance(row, Suspended) or row is None:
            return row
        state, found = RunState(row["state"]), row["reason"]
        if not may_suspend(state, found):
            return Suspended(state, found)
        running = state is RunState.RUNNING
        await connection.execute(self._sql["mark_suspending" if running else "suspend_idle"], run)
        await note_suspensions(connection, self._sql, {run: suspension})
        await write_audit(
            PostgresTx(connection, self._sql), by.entry("run.suspend", run, resume_at=suspension.resume_at)
        )
        wish = CancelRequest(run, row["token"], row["session"]) if running else None
        return Suspended(state, found, changed=True, wish=wish)

    async def resume(self, namespace: str, run: RunId, *, reason: str, actor: Actor, now: datetime) -> Suspended | None:
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        return await self._database.transaction(lambda connection: self._resume(connection, run, by))

    async def _resume(self, connection: "asyncpg.Connection[Any]", run: RunId, by: Operator) -> Suspended | None:
        row = await self._hold(connection, by.namespace, run)
        if isinstance(row, Suspended) or row is None:
            return row
        state, found = RunState(row["state"]), row["reason"]
        if found not in (WaitReason.SUSPENDED, SUSPENDING):
            return Suspended(state, found)
        line = await connection.fetchval(self._sql["resume"], run)
        await write_audit(PostgresTx(connection, self._sql), by.entry("run.resume", run))
        return Suspended(state, found, changed=True, line=line)

    async def resume_due(self, *, now: datetime, limit: int) -> dict[RunId, int]:
        async def work(connection: "asyncpg.Connection[Any]") -> dict[RunId, int]:
            due = [row["id"] for row in await connection.fetch(self._sql["hold_resuming"], now, limit)]
            await connection.execute(self._sql["forget_past_suspensions"], now)
            rows = await connection.fetch(self._sql["resume_held"], due) if due else []
            return {row["id"]: row["line"] for row in rows}

        return await self._database.transaction(work)

    async def next_resume(self) -> datetime | None:
        instant: datetime | None = await self._database.fetchval(self._sql["next_resume"])
        return instant

    async def wishes(self, sessions: Sequence[SessionId]) -> list[CancelRequest]:
        rows = await self._database.fetch(self._sql["suspend_wishes"], sessions)
        return [CancelRequest(row["id"], row["token"], row["session"]) for row in rows]

    async def find(self, runs: Sequence[RunId]) -> dict[RunId, Suspension]:
        rows = await self._database.fetch(self._sql["suspensions_of"], runs)
        return {row["run"]: Suspension(row["reason"], row["resume_at"]) for row in rows}

    async def _hold(
        self, connection: "asyncpg.Connection[Any]", namespace: str, run: RunId
    ) -> asyncpg.Record | Suspended | None:
        """The row of a live run, locked; what it has ended as otherwise. It may move from one to the other meanwhile."""
        for _ in range(LOOKS):
            for row in await hold_live(connection, self._sql, namespace, [run]):
                return row
            for row in await connection.fetch(self._sql["past_of"], [run], namespace, search_from(run)):
                return Suspended(RunState(row["state"]))
        return None


async def note_suspensions(
    connection: "asyncpg.Connection[Any]", sql: Queries, suspensions: dict[RunId, Suspension]
) -> None:
    if not suspensions:
        return
    await connection.execute(
        sql["note_suspensions"],
        list(suspensions),
        [storable(one.reason) for one in suspensions.values()],
        [one.resume_at for one in suspensions.values()],
    )
