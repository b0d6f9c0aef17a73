"""Instants as integers, and rows as values of the domain."""

import sqlite3
from datetime import UTC, datetime, timedelta

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import deadline_of, read_metadata
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.log import Progress
from mainspring.domain.runs.run import Attempt, Failure, Run, RunState
from mainspring.domain.years import END, FIRST
from mainspring.store.sqlite.batches import cut_ids

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def micros(instant: datetime) -> int:
    return (instant - EPOCH) // MICROSECOND


KNOWN_FIRST, KNOWN_LAST = micros(FIRST), micros(END)


def instant(micros: int) -> datetime:
    """One outside the known years is read as the nearest of them: however it came there, it stops no duty and no list."""
    if not KNOWN_FIRST <= micros <= KNOWN_LAST:
        micros = min(max(micros, KNOWN_FIRST), KNOWN_LAST)
    return EPOCH + micros * MICROSECOND


def instant_or_none(micros: int | None) -> datetime | None:
    return None if micros is None else instant(micros)


def micros_or_none(instant: datetime | None) -> int | None:
    return None if instant is None else micros(instant)


def is_instant(column: str) -> bool:
    return column in ("at", "until") or column.endswith(("_at", "_until", "_due"))


def run_row(row: sqlite3.Row, failure: Failure | None) -> Run:
    extra = read_metadata(row["extra"])
    return Run(
        id=row["id"],
        namespace=row["namespace"],
        job=row["job"],
        queue=row["queue"],
        handler=row["handler"],
        priority=row["priority"],
        state=RunState(row["state"]),
        reason=row["reason"],
        attempt=row["attempt"],
        failures=row["failures"],
        losses=row["losses"],
        due_at=instant(row["due_at"]),
        created_at=instant(row["created_at"]),
        started_at=instant_or_none(row["started_at"]),
        finished_at=instant_or_none(row["finished_at"]),
        executor=row["executor"],
        input=row["input"],
        result=row["result"],
        failure=failure,
        key=row["key"],
        deadline_at=deadline_of(extra, instant_or_none(row["deadline_at"])),
        labels=extra.labels,
        tags=extra.tags,
        created_by=extra.maker or None,
        parent=extra.parent_id,
        progress=progress_of(row),
        start_by=extra.start_by,
        trigger=extra.trigger or None,
        fire_at=extra.fire_at,
        backfill=extra.backfill or None,
        trace=extra.trace,
        workflow=extra.workflow_id,
        step=extra.step or None,
        item=extra.item,
    )


def progress_of(row: sqlite3.Row) -> Progress | None:
    if row["fraction"] is None:
        return None
    return Progress(row["id"], row["progress_token"], row["fraction"], row["note"])


def attempt_row(row: sqlite3.Row) -> Attempt:
    return Attempt(
        number=row["number"],
        outcome=Outcome(row["outcome"]).label,
        executor=row["executor"] or "",
        started_at=instant_or_none(row["started_at"]),
        ended_at=instant(row["ended_at"]),
        failure=failure_row(row),
        host=row["host"] or "",
        code_version=row["code_version"] or "",
        duration=row["duration"] / 1e6 if row["duration"] else None,
        beside=tuple(map(RunId, cut_ids(row["beside"]))),
    )


def failure_row(row: sqlite3.Row | None) -> Failure | None:
    if row is None or row["error"] is None:
        return None
    return Failure(
        error=row["error"],
        message=row["message"] or "",
        traceback=row["traceback"] or "",
        code=row["code"] or "error",
    )
