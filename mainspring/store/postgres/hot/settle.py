"""Writes the decisions about attempts that did not succeed."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import deadline_of, read_metadata
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.acts.runs.settled import note_waits, record_deaths
from mainspring.store.interface import Decide
from mainspring.store.postgres.connection import storable
from mainspring.store.postgres.tx import PostgresTx
from mainspring.store.sql import Queries

RECORDED = frozenset({Outcome.FAILED, Outcome.TIMED_OUT, Outcome.CANCELLED, Outcome.SUSPENDED, Outcome.LOST})


class MatchedRow(msgspec.Struct, frozen=True):
    """One matched outcome with its row and decision."""

    row: asyncpg.Record
    ended: Ended
    decision: Decision


async def write_settlements(
    connection: "asyncpg.Connection[Any]",
    sql: Queries,
    rows: Sequence[asyncpg.Record],
    ended: Sequence[Ended],
    decide: Decide,
    now: datetime,
) -> dict[RunId, RunState]:
    """Apply the decisions for those outcomes whose token is the locked row's."""
    outcomes = {(end.run, end.token): end for end in ended}
    matched = [
        MatchedRow(row, end, decide(held_row(row), end))
        for row in rows
        if (end := outcomes.get((row["id"], row["token"]))) is not None
    ]
    # First: what else the executor of a lost attempt had is read from the runs as they are.
    await record_attempts(connection, sql, [one for one in matched if one.ended.outcome in RECORDED], now)
    await finish(connection, sql, [one for one in matched if one.decision.state.final], now)
    tx = PostgresTx(connection, sql)
    decided = [(one.ended, one.decision) for one in matched]
    if dead := [one for one in decided if one[1].state is RunState.FAILED]:
        await record_deaths(tx, dead, now)
    await requeue(connection, sql, [one for one in matched if not one.decision.state.final])
    if waiting := [one for one in decided if one[1].waits_for_more]:
        await note_waits(tx, waiting, now)
    return {one.ended.run: one.decision.state for one in matched}


async def finish(
    connection: "asyncpg.Connection[Any]", sql: Queries, settled: Sequence[MatchedRow], now: datetime
) -> None:
    if not settled:
        return
    await connection.fetchval(
        sql["finish"],
        [one.ended.run for one in settled],
        [one.ended.token for one in settled],
        [int(one.decision.state) for one in settled],
        [one.decision.reason for one in settled],
        [one.ended.wait for one in settled],
        [one.ended.duration for one in settled],
        [one.decision.failures for one in settled],
        [one.decision.losses for one in settled],
        now,
    )


async def requeue(connection: "asyncpg.Connection[Any]", sql: Queries, settled: Sequence[MatchedRow]) -> None:
    if not settled:
        return
    await connection.fetchval(
        sql["requeue"],
        [one.ended.run for one in settled],
        [one.ended.token for one in settled],
        [int(one.decision.state) for one in settled],
        [one.decision.due_at for one in settled],
        [one.decision.reason for one in settled],
        [one.decision.failures for one in settled],
        [one.decision.losses for one in settled],
        [deadline_row(one.row) if one.ended.began else one.row["deadline_at"] for one in settled],
        [one.ended.wait if one.ended.began else -1 for one in settled],
    )


async def record_attempts(
    connection: "asyncpg.Connection[Any]", sql: Queries, settled: Sequence[MatchedRow], now: datetime
) -> None:
    if not settled:
        return
    failures = [one.ended.failure for one in settled]
    await connection.execute(
        sql["record_attempts"],
        [one.ended.run for one in settled],
        [one.row["attempt"] for one in settled],
        [int(one.ended.outcome) for one in settled],
        [one.ended.token for one in settled],
        [one.row["session"] for one in settled],
        [one.row["claimed_at"] + timedelta(milliseconds=one.ended.wait) for one in settled],
        [storable(failure.error) if failure else None for failure in failures],
        [storable(failure.message) if failure else None for failure in failures],
        [storable(failure.traceback) if failure else None for failure in failures],
        now,
        [storable(failure.code) if failure else None for failure in failures],
        [one.ended.duration for one in settled],
    )


def held_row(row: asyncpg.Record) -> Held:
    return Held(
        run=row["id"],
        token=row["token"],
        job=row["job"],
        attempt=row["attempt"],
        failures=row["failures"],
        losses=row["losses"],
        cancel=row.get("cancel"),
        deadline_at=deadline_row(row),
        since=row.get("first_started_at"),
        claimed_at=row.get("claimed_at"),
        suspend=row.get("suspend", False),
        line=row.get("line", 0),
        executor=row.get("executor") or "",
        traceparent=row.get("traceparent") or "",
    )


def deadline_row(row: asyncpg.Record) -> datetime | None:
    """The deadline of a run that has been started."""
    column = row.get("deadline_at")
    return None if column is None else deadline_of(read_metadata(row["extra"]), column)
