"""Runs that somebody cancels or has run again, and runs whose time is up, on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

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
from mainspring.store.acts.audit import write_audit
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import batch
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.hot.dead_letters import record_dead_letters
from mainspring.store.sqlite.rows import instant, micros
from mainspring.store.sqlite.tx import SqliteTx, finish


class SqliteSteering:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def cancel(
        self, namespace: str, runs: Sequence[RunId], *, reason: str, actor: Actor, now: datetime
    ) -> dict[RunId, Cancelled]:
        if not runs:
            return {}
        day, days = await self._days.at(now), await self._days.since(runs)
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        return await self._connection.write(lambda c: cancel(c, self._sql, day, days, sorted(set(runs)), by)[0])

    async def wishes(self, sessions: Sequence[SessionId]) -> list[CancelRequest]:
        return await self._connection.read(
            lambda c: [CancelRequest(*row) for row in c.execute(self._sql.wishes, batch(sessions))]
        )

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
        days = await self._days.since([run])
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
        return await self._connection.write(lambda c: retry(c, self._sql, days, run, by, force=force, edited=input))

    async def expire(self, *, now: datetime, limit: int) -> list[RunId]:
        day = await self._days.at(now)
        return await self._connection.write(lambda c: expire(c, self._sql, day, micros(now), limit))

    async def next_deadline(self) -> datetime | None:
        rows = await self._connection.read(lambda c: c.execute(self._sql.next_deadline).fetchall())
        return instant(rows[0]["deadline_at"]) if rows else None


def cancel(
    c: sqlite3.Connection, sql: Queries, day: str, days: Sequence[str], runs: Sequence[RunId], by: Operator
) -> tuple[dict[RunId, Cancelled], list[RunId]]:
    """What became of each that exists, and which of them were changed."""
    parameters = batch(runs, namespace=by.namespace)
    rows = c.execute(sql.hold_live, parameters).fetchall()
    idle = [row["id"] for row in rows if row["state"] < RunState.RUNNING]
    running = [row["id"] for row in rows if row["state"] == RunState.RUNNING and row["reason"] != CANCELLING]
    finish_idle(c, sql, day, idle, RunState.CANCELLED, by.reason or None, micros(by.now))
    c.execute(sql.mark_cancelling, batch(running, reason=by.reason))
    changed = [*idle, *running]
    for run in changed:
        finish(write_audit(SqliteTx(c, sql), by.entry("run.cancel", run)))
    found = {row["id"]: cancelled(row) for row in rows}
    for past in days:
        for run, state in c.execute(sql.past_of.format(day=past), parameters):
            found.setdefault(run, Cancelled(RunState(state)))
    return found, changed


def cancelled(row: sqlite3.Row) -> Cancelled:
    if row["state"] < RunState.RUNNING:
        return Cancelled(RunState.CANCELLED)
    return Cancelled(RunState.RUNNING, CancelRequest(row["id"], row["token"], row["session"]))


def finish_idle(
    c: sqlite3.Connection, sql: Queries, day: str, runs: Sequence[RunId], state: RunState, reason: str | None, now: int
) -> None:
    if not runs:
        return
    parameters = batch(runs, state=int(state), reason=reason, now=now)
    c.execute(sql.finish_idle.format(day=day), parameters)
    c.execute(sql.remove_idle, parameters)
    c.execute(sql.note_finished, parameters)


def retry(
    c: sqlite3.Connection,
    sql: Queries,
    days: Sequence[str],
    run: RunId,
    by: Operator,
    *,
    force: bool,
    edited: bytes | None = None,
) -> Retried | None:
    parameters = batch([run], namespace=by.namespace)
    for day in days:
        row = c.execute(sql.past_of.format(day=day), parameters).fetchone()
        if row is not None:
            state = RunState(row["state"])
            if not may_retry(state, force=force):
                return Retried(state)
            details = retry_details(state, force=force, edited=edited is not None)
            finish(write_audit(SqliteTx(c, sql), by.entry("run.retry", run, **details)))
            if starts_over(state, edited=edited is not None):
                c.execute(sql.forget_work, {"id": run})
            return Retried(state, requeue(c, sql, day, run, by, edited))
    row = c.execute(sql.hold_live, parameters).fetchone()
    return None if row is None else take_up(c, sql, run, by, row, edited)


def take_up(
    c: sqlite3.Connection, sql: Queries, run: RunId, by: Operator, live: sqlite3.Row, edited: bytes | None
) -> Retried:
    """Go on with a live run if it waits for somebody's word."""
    state = RunState(live["state"])
    if not may_take_up(state, live["reason"]):
        return Retried(state)
    (row,) = c.execute(sql.take_up, {"id": run, "now": micros(by.now), "input": edited}).fetchall()
    details = retry_details(state, force=False, edited=edited is not None)
    finish(write_audit(SqliteTx(c, sql), by.entry("run.retry", run, **details)))
    if starts_over(state, edited=edited is not None):
        c.execute(sql.forget_work, {"id": run})
    return Retried(state, row["line"])


def requeue(c: sqlite3.Connection, sql: Queries, day: str, run: RunId, by: Operator, edited: bytes | None) -> int:
    """Move it from one day's history back into its line, whose number is returned."""
    parameters = {"id": run, "now": micros(by.now), "input": edited}
    (row,) = c.execute(sql.retry.format(day=day), parameters).fetchall()
    c.execute(sql.record_success.format(day=day), parameters)
    c.execute(sql.remove_past.format(day=day), parameters)
    c.execute(sql.revive, batch([run]))
    line: int = row["line"]
    return line


def expire(c: sqlite3.Connection, sql: Queries, day: str, now: int, limit: int) -> list[RunId]:
    late = c.execute(sql.late, {"now": now, "limit": limit}).fetchall()
    for reason, runs in by_deadline((row["id"], instant(row["deadline_at"]), row["extra"]) for row in late).items():
        finish_idle(c, sql, day, runs, RunState.FAILED, reason, now)
        record_dead_letters(c, sql, day, dict.fromkeys(runs, cause_of(reason, None)), now)
    return [row["id"] for row in late]
