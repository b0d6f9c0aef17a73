"""Channels A and D: read from the database when all is over, in the words and on the scale of the records."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.cluster.session import SessionState
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from proof.chaos.flows import flow_lines
from proof.chaos.places import DATABASE, OWNER
from proof.chaos.postgres import Postgres
from proof.records import AttemptRow, KeyRow, Line, RuleChange, RunRow, SessionChange, SessionRow, Transition

TRIGGERS = (Path(__file__).parent / "audit.sql").read_text()

EVENTS = """
SELECT e.*, j.name AS job_name, l.queue
FROM chaos.events AS e
LEFT JOIN mainspring.jobs AS j ON j.id = e.job
LEFT JOIN mainspring.lines AS l ON l.id = e.line
ORDER BY e.seq
"""
RUNS = """
SELECT r.id, r.state, r.attempt, r.failures, r.losses, r.due_at, r.token, r.session, r.reason, r.key, r.input, j.name
FROM (
  SELECT id, state, attempt, failures, losses, due_at, token, session, reason, key, input, job FROM mainspring.live
  UNION ALL
  SELECT id, state, attempt, failures, losses, due_at, token, session, reason, key, input, job FROM mainspring.history
) AS r
JOIN mainspring.jobs AS j ON j.id = r.job
"""
ATTEMPTS = "SELECT run, number, token, outcome, ended_at FROM mainspring.attempts"
SESSIONS = """
SELECT s.id, s.executor, s.state, (SELECT count(*) FROM mainspring.live AS r WHERE r.session = s.id AND r.state = 2) AS holds
FROM mainspring.sessions AS s
"""
KEYS = "SELECT key, run, digest FROM mainspring.keys"

BREAKER = "breaker"
OPEN, PROBING = 1, 2
"""States of a breaker's gate, as `audit.sql` has them."""
Row = Any
Audited = Transition | SessionChange | RuleChange


class Payload(msgspec.Struct):
    payload: str = ""
    group: str = ""


class Scale:
    """From the database's instants to seconds since the trial began; both are clocks of the same machine."""

    def __init__(self, began_at: datetime) -> None:
        self._began_at = began_at

    def __call__(self, instant: datetime) -> float:
        return (instant - self._began_at).total_seconds()

    def instant(self, at: float) -> datetime:
        return self._began_at + timedelta(seconds=at)


async def install_audit(primary: Postgres) -> None:
    connection = await primary.connect(database=DATABASE, user=OWNER)
    try:
        await connection.execute(TRIGGERS)
    finally:
        await connection.close()


async def read_audit(source: Postgres, scale: Scale) -> list[Audited]:
    """Channel A as that database has it."""
    connection = await source.connect(database=DATABASE)
    try:
        return [line for row in await connection.fetch(EVENTS) for line in changes(row, scale)]
    finally:
        connection.terminate()


async def read_tables(source: Postgres, scale: Scale, at: float) -> list[Line]:
    """Channel D."""
    connection = await source.connect(database=DATABASE)
    try:
        return [
            *[run_row(row, scale, at) for row in await connection.fetch(RUNS)],
            *[attempt_row(row, scale, at) for row in await connection.fetch(ATTEMPTS)],
            *[session_row(row, at) for row in await connection.fetch(SESSIONS)],
            *[key_row(row, at) for row in await connection.fetch(KEYS)],
            *await flow_lines(connection, at),
        ]
    finally:
        connection.terminate()


def forgotten(old: Iterable[Audited], new: Iterable[Audited]) -> list[Line]:
    """What the old primary had committed and the new one has never heard of."""
    kept = {(line.seq, line.at) for line in new}
    return [msgspec.structs.replace(line, lost=True) for line in old if (line.seq, line.at) not in kept]


def sessions_left(ends: Iterable[tuple[str, float]], changes: Iterable[Audited]) -> list[str]:
    """The sessions that executors had when they came to their orderly ends: each its newest by then."""
    opened: dict[str, SessionChange] = {}
    for line in changes:
        if isinstance(line, SessionChange):
            opened.setdefault(line.session, line)
    found: list[str] = []
    for executor, at in ends:
        found += [one.session for one in opened.values() if one.executor == executor and one.at <= at][-1:]
    return found


def changes(row: Row, scale: Scale) -> list[Audited]:
    """What one event of the audit says; a breaker has two rules."""
    if row["kind"] == BREAKER:
        told = {"at": scale(row["at"]), "seq": row["seq"], "name": row["executor"]}
        return [
            RuleChange(kind="open", on=row["state"] == OPEN, **told),
            RuleChange(kind="probing", on=row["state"] == PROBING, **told),
        ]
    return [change(row, scale)]


def change(row: Row, scale: Scale) -> Transition | SessionChange:
    if row["kind"] == "session":
        return SessionChange(
            at=scale(row["at"]),
            seq=row["seq"],
            session=hexed(row["id"]),
            executor=row["executor"],
            state=SessionState(row["state"]).name.lower(),
            lease_until=scale(row["lease_until"]),
        )
    return Transition(
        at=scale(row["at"]),
        seq=row["seq"],
        run=named(row["id"]),
        state=RunState(row["state"]).label,
        before=state_before(row["before"]),
        attempt=row["attempt"],
        failures=row["failures"],
        losses=row["losses"],
        token=hexed(row["token"]),
        session=hexed(row["session"]),
        reason=row["reason"] or "",
        due_at=scale(row["due_at"]),
        wish=row["wish"],
        instant=None if row["instant"] is None else scale(row["instant"]),
        queue=row["queue"] or "",
        job=row["job_name"] or "",
    )


def state_before(number: int | None) -> str:
    """A row of history does not say what it was."""
    return RunState(number).label if number is not None and number in set(RunState) else ""


def run_row(row: Row, scale: Scale, at: float) -> RunRow:
    told = msgspec.json.decode(row["input"], type=Payload)
    return RunRow(
        at=at,
        run=named(row["id"]),
        state=RunState(row["state"]).label,
        attempt=row["attempt"],
        failures=row["failures"],
        losses=row["losses"],
        due_at=scale(row["due_at"]),
        token=hexed(row["token"]),
        session=hexed(row["session"]),
        reason=row["reason"] or "",
        key=row["key"] or "",
        job=row["name"],
        mark=told.payload,
        group=told.group,
    )


def attempt_row(row: Row, scale: Scale, at: float) -> AttemptRow:
    return AttemptRow(
        at=at,
        run=named(row["run"]),
        attempt=row["number"],
        token=hexed(row["token"]),
        outcome=Outcome(row["outcome"]).label,
        ended_at=scale(row["ended_at"]),
    )


def session_row(row: Row, at: float) -> SessionRow:
    return SessionRow(
        at=at,
        session=hexed(row["id"]),
        executor=row["executor"],
        state=SessionState(row["state"]).name.lower(),
        holds=row["holds"],
    )


def key_row(row: Row, at: float) -> KeyRow:
    return KeyRow(at=at, key=row["key"], run=named(row["run"]), digest=row["digest"].hex())


def named(value: "asyncpg.pgproto.types.UUID") -> str:
    return id_text(RunId(value.bytes))


def hexed(value: "asyncpg.pgproto.types.UUID | None") -> str:
    return "" if value is None else value.bytes.hex()
