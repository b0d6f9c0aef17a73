"""Runs that somebody cancels or has run again, and runs whose time is up, on SQLite."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.access import Actor
from mainspring.domain.attempt import CANCELLING
from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.retry import DEADLINE_PASSED
from mainspring.domain.run import RunState
from mainspring.domain.steering import Cancelled, Retried, Wish, may_retry, steering_entry
from mainspring.store.queries import Queries
from mainspring.store.sqlite.audit import write_audit
from mainspring.store.sqlite.batches import batch
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.rows import instant, micros


class By(msgspec.Struct, frozen=True, kw_only=True):
    """Who steers, where, when, and why."""

    namespace: str
    actor: Actor
    reason: str
    now: datetime

    def record(self, c: sqlite3.Connection, sql: Queries, act: str, run: RunId, **details: object) -> None:
        told = {"reason": self.reason, **details}
        entry = steering_entry(act, run, namespace=self.namespace, actor=self.actor, now=self.now, details=told)
        write_audit(c, sql, entry)


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
        by = By(namespace=namespace, actor=actor, reason=reason, now=now)
        return await self._connection.write(lambda c: cancel(c, self._sql, day, days, sorted(set(runs)), by))

    async def wishes(self, sessions: Sequence[SessionId]) -> list[Wish]:
        return await self._connection.read(
            lambda c: [Wish(*row) for row in c.execute(self._sql.wishes, batch(sessions))]
        )

    async def retry(
        self, namespace: str, run: RunId, *, force: bool, reason: str, actor: Actor, now: datetime
    ) -> Retried | None:
        days = await self._days.since([run])
        by = By(namespace=namespace, actor=actor, reason=reason, now=now)
        return await self._connection.write(lambda c: retry(c, self._sql, days, run, by, force=force))

    async def expire(self, *, now: datetime, limit: int) -> list[RunId]:
        day = await self._days.at(now)
        return await self._connection.write(lambda c: expire(c, self._sql, day, micros(now), limit))

    async def next_deadline(self) -> datetime | None:
        rows = await self._connection.read(lambda c: c.execute(self._sql.next_deadline).fetchall())
        return instant(rows[0]["deadline_at"]) if rows else None


def cancel(
    c: sqlite3.Connection, sql: Queries, day: str, days: Sequence[str], runs: Sequence[RunId], by: By
) -> dict[RunId, Cancelled]:
    parameters = batch(runs, namespace=by.namespace)
    rows = c.execute(sql.hold_live, parameters).fetchall()
    idle = [row["id"] for row in rows if row["state"] < RunState.RUNNING]
    running = [row["id"] for row in rows if row["state"] == RunState.RUNNING and row["reason"] != CANCELLING]
    finish_idle(c, sql, day, idle, RunState.CANCELLED, by.reason or None, micros(by.now))
    c.execute(sql.mark_cancelling, batch(running, reason=by.reason))
    for run in (*idle, *running):
        by.record(c, sql, "run.cancel", run)
    found = {row["id"]: cancelled(row) for row in rows}
    for past in days:
        for run, state in c.execute(sql.past_of.format(day=past), parameters):
            found.setdefault(run, Cancelled(RunState(state)))
    return found


def cancelled(row: sqlite3.Row) -> Cancelled:
    if row["state"] < RunState.RUNNING:
        return Cancelled(RunState.CANCELLED)
    return Cancelled(RunState.RUNNING, Wish(row["id"], row["token"], row["session"]))


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
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], run: RunId, by: By, *, force: bool
) -> Retried | None:
    parameters = batch([run], namespace=by.namespace)
    for day in days:
        row = c.execute(sql.past_of.format(day=day), parameters).fetchone()
        if row is not None:
            state = RunState(row["state"])
            return (
                requeue(c, sql, day, run, by, state, force=force) if may_retry(state, force=force) else Retried(state)
            )
    row = c.execute(sql.hold_live, parameters).fetchone()
    return None if row is None else Retried(RunState(row["state"]))


def requeue(
    c: sqlite3.Connection, sql: Queries, day: str, run: RunId, by: By, state: RunState, *, force: bool
) -> Retried:
    parameters = {"id": run, "now": micros(by.now)}
    (row,) = c.execute(sql.retry.format(day=day), parameters).fetchall()
    c.execute(sql.record_success.format(day=day), parameters)
    c.execute(sql.remove_past.format(day=day), parameters)
    by.record(c, sql, "run.retry", run, state=state.label, force=force)
    return Retried(state, row["line"])


def expire(c: sqlite3.Connection, sql: Queries, day: str, now: int, limit: int) -> list[RunId]:
    late = [row["id"] for row in c.execute(sql.late, {"now": now, "limit": limit})]
    finish_idle(c, sql, day, late, RunState.FAILED, DEADLINE_PASSED, now)
    return late
