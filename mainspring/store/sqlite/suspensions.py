"""Runs that are set aside, and when they go on, on SQLite."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.cancel import CancelRequest, Operator
from mainspring.domain.runs.run import RunState, Suspension, WaitReason
from mainspring.domain.runs.suspension import SUSPENDING, Suspended, may_suspend
from mainspring.store.acts.audit import write_audit
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import batch, printable
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.rows import instant_or_none, micros
from mainspring.store.sqlite.tx import SqliteTx, finish


class SqliteSuspensions:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def suspend(
        self, namespace: str, run: RunId, suspension: Suspension, *, actor: Actor, now: datetime
    ) -> Suspended | None:
        days = await self._days.since([run])
        by = Operator(namespace=namespace, actor=actor, reason=suspension.reason, now=now)
        return await self._connection.write(lambda c: suspend(c, self._sql, days, run, suspension, by))

    async def resume(self, namespace: str, run: RunId, *, reason: str, actor: Actor, now: datetime) -> Suspended | None:
        days = await self._days.since([run])
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        return await self._connection.write(lambda c: resume(c, self._sql, days, run, by))

    async def resume_due(self, *, now: datetime, limit: int) -> dict[RunId, int]:
        return await self._connection.write(lambda c: resume_due(c, self._sql, micros(now), limit))

    async def next_resume(self) -> datetime | None:
        rows = await self._connection.read(lambda c: c.execute(self._sql.next_resume).fetchall())
        return instant_or_none(rows[0]["resume_at"]) if rows else None

    async def wishes(self, sessions: Sequence[SessionId]) -> list[CancelRequest]:
        return await self._connection.read(
            lambda c: [CancelRequest(*row) for row in c.execute(self._sql.suspend_wishes, batch(sessions))]
        )

    async def find(self, runs: Sequence[RunId]) -> dict[RunId, Suspension]:
        rows = await self._connection.read(lambda c: c.execute(self._sql.suspensions_of, batch(runs)).fetchall())
        return {row["run"]: Suspension(row["reason"], instant_or_none(row["resume_at"])) for row in rows}


def suspend(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], run: RunId, suspension: Suspension, by: Operator
) -> Suspended | None:
    row = c.execute(sql.hold_live, batch([run], namespace=by.namespace)).fetchone()
    if row is None:
        return past(c, sql, days, run, by.namespace)
    state, found = RunState(row["state"]), row["reason"]
    if not may_suspend(state, found):
        return Suspended(state, found)
    running = state is RunState.RUNNING
    c.execute(sql.mark_suspending if running else sql.suspend_idle, {"id": run})
    note_suspensions(c, sql, {run: suspension})
    finish(write_audit(SqliteTx(c, sql), by.entry("run.suspend", run, resume_at=suspension.resume_at)))
    wish = CancelRequest(run, row["token"], row["session"]) if running else None
    return Suspended(state, found, changed=True, wish=wish)


def resume(c: sqlite3.Connection, sql: Queries, days: Sequence[str], run: RunId, by: Operator) -> Suspended | None:
    row = c.execute(sql.hold_live, batch([run], namespace=by.namespace)).fetchone()
    if row is None:
        return past(c, sql, days, run, by.namespace)
    state, found = RunState(row["state"]), row["reason"]
    if found not in (WaitReason.SUSPENDED, SUSPENDING):
        return Suspended(state, found)
    line = put_back(c, sql, run)
    finish(write_audit(SqliteTx(c, sql), by.entry("run.resume", run)))
    return Suspended(state, found, changed=True, line=line)


def resume_due(c: sqlite3.Connection, sql: Queries, now: int, limit: int) -> dict[RunId, int]:
    due = [row["id"] for row in c.execute(sql.resuming, {"now": now, "limit": limit}).fetchall()]
    c.execute(sql.forget_past_suspensions, {"now": now})
    return {run: put_back(c, sql, run) for run in due}


def put_back(c: sqlite3.Connection, sql: Queries, run: RunId) -> int:
    c.execute(sql.forget_suspension, {"id": run})
    ((line,),) = c.execute(sql.resume, {"id": run}).fetchall()
    return int(line)


def past(c: sqlite3.Connection, sql: Queries, days: Sequence[str], run: RunId, namespace: str) -> Suspended | None:
    for day in days:
        row = c.execute(sql.past_of.format(day=day), batch([run], namespace=namespace)).fetchone()
        if row is not None:
            return Suspended(RunState(row["state"]))
    return None


def note_suspensions(c: sqlite3.Connection, sql: Queries, suspensions: Mapping[RunId, Suspension]) -> None:
    if not suspensions:
        return
    rows = [
        (printable(one.reason), None if one.resume_at is None else micros(one.resume_at))
        for one in suspensions.values()
    ]
    c.execute(sql.note_suspensions, batch(list(suspensions), rows))
