"""Runs that somebody cancels or has run again, and runs whose time is up, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.access import Actor
from mainspring.domain.attempt import CANCELLING
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.retry import DEADLINE_PASSED
from mainspring.domain.run import RunState
from mainspring.domain.steering import Cancelled, Retried, Wish, may_retry, steering_entry
from mainspring.store.postgres.audit import write_audit, write_audits
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.history import PostgresHistory, search_from
from mainspring.store.queries import Queries

LOOKS = 3
"""How often a run is looked for that moves between the live ones and history meanwhile."""


class PostgresSteering:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries, history: PostgresHistory) -> None:
        self._database = database
        self._sql = queries
        self._history = history

    async def cancel(
        self, namespace: str, runs: Sequence[RunId], *, reason: str, actor: Actor, now: datetime
    ) -> dict[RunId, Cancelled]:
        async def work(connection: "asyncpg.Connection[Any]") -> dict[RunId, Cancelled]:
            rows, ended = await self._find(connection, namespace, runs)
            idle = [row["id"] for row in rows if row["state"] < RunState.RUNNING]
            running = [row["id"] for row in rows if row["state"] == RunState.RUNNING and row["reason"] != CANCELLING]
            if idle:
                await connection.execute(self._sql["finish_idle"], idle, RunState.CANCELLED, reason or None, now)
            if running:
                await connection.execute(self._sql["mark_cancelling"], running, reason)
            details: dict[str, object] = {"reason": reason}
            entries = [
                steering_entry("run.cancel", run, namespace=namespace, actor=actor, now=now, details=details)
                for run in (*idle, *running)
            ]
            await write_audits(connection, self._sql, entries)
            return ended | {row["id"]: cancelled(row) for row in rows}

        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)

    async def _find(
        self, connection: "asyncpg.Connection[Any]", namespace: str, runs: Sequence[RunId]
    ) -> tuple[list[asyncpg.Record], dict[RunId, Cancelled]]:
        """The live ones, locked, and what the others have ended as."""
        live: list[asyncpg.Record] = []
        ended: dict[RunId, Cancelled] = {}
        missing = sorted(set(runs))
        for _ in range(LOOKS):
            if not missing:
                break
            live += await connection.fetch(self._sql["hold_live"], missing, namespace)
            past = await connection.fetch(self._sql["past_of"], missing, namespace, search_from(missing[0]))
            ended |= {row["id"]: Cancelled(RunState(row["state"])) for row in past}
            found = {row["id"] for row in live} | ended.keys()
            missing = [run for run in missing if run not in found]
        held = {row["id"] for row in live}
        return live, {run: one for run, one in ended.items() if run not in held}

    async def wishes(self, sessions: Sequence[SessionId]) -> list[Wish]:
        rows = await self._database.fetch(self._sql["wishes"], sessions)
        return [Wish(row["id"], row["token"], row["session"]) for row in rows]

    async def retry(
        self, namespace: str, run: RunId, *, force: bool, reason: str, actor: Actor, now: datetime
    ) -> Retried | None:
        async def work(connection: "asyncpg.Connection[Any]") -> Retried | None:
            past = await connection.fetchrow(self._sql["hold_past"], run, namespace, search_from(run))
            if past is None:
                live = await connection.fetch(self._sql["hold_live"], [run], namespace)
                return Retried(RunState(live[0]["state"])) if live else None
            state = RunState(past["state"])
            if not may_retry(state, force=force):
                return Retried(state)
            line = await connection.fetchval(self._sql["retry"], run, past["finished_at"], now)
            details: dict[str, object] = {"reason": reason, "state": state.label, "force": force}
            entry = steering_entry("run.retry", run, namespace=namespace, actor=actor, now=now, details=details)
            await write_audit(connection, self._sql, entry)
            return Retried(state, line)

        return await self._database.transaction(work)

    async def expire(self, *, now: datetime, limit: int) -> list[RunId]:
        async def work(connection: "asyncpg.Connection[Any]") -> list[RunId]:
            late = [row["id"] for row in await connection.fetch(self._sql["late"], now, limit)]
            if late:
                await connection.execute(self._sql["finish_idle"], late, RunState.FAILED, DEADLINE_PASSED, now)
            return late

        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)

    async def next_deadline(self) -> datetime | None:
        deadline: datetime | None = await self._database.fetchval(self._sql["next_deadline"])
        return deadline


def cancelled(row: asyncpg.Record) -> Cancelled:
    if row["state"] < RunState.RUNNING:
        return Cancelled(RunState.CANCELLED)
    return Cancelled(RunState.RUNNING, Wish(row["id"], row["token"], row["session"]))
