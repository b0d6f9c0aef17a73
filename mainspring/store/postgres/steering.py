"""Runs that somebody cancels or has run again, and runs whose time is up, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import asyncpg

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.attempt import CANCELLING
from mainspring.domain.runs.cancel import (
    Cancelled,
    CancelRequest,
    Operator,
    Retried,
    may_retry,
    may_take_up,
    retry_details,
)
from mainspring.domain.runs.checkpoints import starts_over
from mainspring.domain.runs.dead_letter import cause_of
from mainspring.domain.runs.retry import by_deadline
from mainspring.domain.runs.run import RunState
from mainspring.store.acts.audit import write_audit, write_audits
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.hot.dead_letters import record_dead_letters
from mainspring.store.postgres.hot.history import PostgresHistory, search_from
from mainspring.store.postgres.hot.locks import hold_live
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

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
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)

        async def work(connection: "asyncpg.Connection[Any]") -> dict[RunId, Cancelled]:
            found, _ = await cancel(connection, self._sql, runs, by)
            return found

        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)

    async def wishes(self, sessions: Sequence[SessionId]) -> list[CancelRequest]:
        rows = await self._database.fetch(self._sql["wishes"], sessions)
        return [CancelRequest(row["id"], row["token"], row["session"]) for row in rows]

    async def retry(
        self,
        namespace: str,
        run: RunId,
        *,
        force: bool,
        reason: str,
        actor: Actor,
        now: datetime,
        input: bytes | None = None,  # noqa: A002 the word of the API
    ) -> Retried | None:
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        return await self._database.transaction(
            lambda connection: retry(connection, self._sql, run, by, force=force, edited=input)
        )

    async def expire(self, *, now: datetime, limit: int) -> list[RunId]:
        async def work(connection: "asyncpg.Connection[Any]") -> list[RunId]:
            late = await connection.fetch(self._sql["late"], now, limit)
            for reason, runs in by_deadline((row["id"], row["deadline_at"], row["extra"]) for row in late).items():
                await connection.execute(self._sql["finish_idle"], runs, RunState.FAILED, reason, now)
                await record_dead_letters(connection, self._sql, dict.fromkeys(runs, cause_of(reason, None)), now)
            return [row["id"] for row in late]

        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)

    async def next_deadline(self) -> datetime | None:
        deadline: datetime | None = await self._database.fetchval(self._sql["next_deadline"])
        return deadline


async def cancel(
    connection: "asyncpg.Connection[Any]", sql: Queries, runs: Sequence[RunId], by: Operator
) -> tuple[dict[RunId, Cancelled], list[RunId]]:
    """What became of each that exists, and which of them were changed."""
    rows, ended = await find(connection, sql, by.namespace, runs)
    idle = [row["id"] for row in rows if row["state"] < RunState.RUNNING]
    running = [row["id"] for row in rows if row["state"] == RunState.RUNNING and row["reason"] != CANCELLING]
    if idle:
        await connection.execute(sql["finish_idle"], idle, RunState.CANCELLED, by.reason or None, by.now)
    if running:
        await connection.execute(sql["mark_cancelling"], running, by.reason)
    changed = [*idle, *running]
    await write_audits(PostgresTx(connection, sql), [by.entry("run.cancel", run) for run in changed])
    return ended | {row["id"]: cancelled(row) for row in rows}, changed


async def find(
    connection: "asyncpg.Connection[Any]", sql: Queries, namespace: str, runs: Sequence[RunId]
) -> tuple[list[asyncpg.Record], dict[RunId, Cancelled]]:
    """The live ones, locked, and what the others have ended as."""
    live: list[asyncpg.Record] = []
    ended: dict[RunId, Cancelled] = {}
    missing = sorted(set(runs))
    for _ in range(LOOKS):
        if not missing:
            break
        live += await hold_live(connection, sql, namespace, missing)
        past = await connection.fetch(sql["past_of"], missing, namespace, search_from(missing[0]))
        ended |= {row["id"]: Cancelled(RunState(row["state"])) for row in past}
        found = {row["id"] for row in live} | ended.keys()
        missing = [run for run in missing if run not in found]
    held = {row["id"] for row in live}
    return live, {run: one for run, one in ended.items() if run not in held}


async def retry(
    connection: "asyncpg.Connection[Any]",
    sql: Queries,
    run: RunId,
    by: Operator,
    *,
    force: bool,
    edited: bytes | None = None,
) -> Retried | None:
    past = await connection.fetchrow(sql["hold_past"], [run], by.namespace, search_from(run))
    if past is None:
        live = await hold_live(connection, sql, by.namespace, [run])
        return await take_up(connection, sql, run, by, live[0], edited) if live else None
    state = RunState(past["state"])
    if not may_retry(state, force=force):
        return Retried(state)
    line = await connection.fetchval(sql["retry"], run, past["finished_at"], by.now, edited)
    if state is RunState.FAILED:
        await connection.execute(sql["revive"], [run])
    if starts_over(state, edited=edited is not None):
        await connection.execute(sql["forget_work"], run)
    details = retry_details(state, force=force, edited=edited is not None)
    await write_audit(PostgresTx(connection, sql), by.entry("run.retry", run, **details))
    return Retried(state, line)


async def take_up(
    connection: "asyncpg.Connection[Any]",
    sql: Queries,
    run: RunId,
    by: Operator,
    live: asyncpg.Record,
    edited: bytes | None,
) -> Retried:
    """Go on with a live run if it waits for somebody's word."""
    state = RunState(live["state"])
    if not may_take_up(state, live["reason"]):
        return Retried(state)
    line = await connection.fetchval(sql["take_up"], run, by.now, edited)
    if starts_over(state, edited=edited is not None):
        await connection.execute(sql["forget_work"], run)
    details = retry_details(state, force=False, edited=edited is not None)
    await write_audit(PostgresTx(connection, sql), by.entry("run.retry", run, **details))
    return Retried(state, line)


def cancelled(row: asyncpg.Record) -> Cancelled:
    if row["state"] < RunState.RUNNING:
        return Cancelled(RunState.CANCELLED)
    return Cancelled(RunState.RUNNING, CancelRequest(row["id"], row["token"], row["session"]))
