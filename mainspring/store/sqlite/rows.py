"""How values travel to SQLite and back: instants as integers, rows as values of the domain, batches in one statement.

For a batch, one JSON array `:rows` drives the statement, ids and other bytes are cut from blobs by position (`substr`), and
the answer is aggregated into one row. The reason is the interpreter's lock: it is given away at every step of a statement,
and beside a busy event loop getting it back takes up to 5 ms. Measured there: 650 to 5,300 microseconds per row with a
statement per row, 20 to 50 with one for all.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, chain
from typing import Any

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import deadline_of, read_metadata
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.log import Progress
from mainspring.domain.runs.run import Attempt, Failure, Run, RunState
from mainspring.domain.years import END, FIRST

ID_SIZE = 16
ID_NONE = bytes(ID_SIZE)
Parameters = dict[str, Any]
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


def batch(ids: Sequence[bytes], rows: Sequence[object] | None = None, **parameters: object) -> Parameters:
    """Parameters of a statement over these ids, with a JSON value for each."""
    return {"ids": b"".join(ids), "rows": array([0] * len(ids) if rows is None else rows), **parameters}


def array(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()


def starts(parts: Iterable[bytes]) -> list[int]:
    """Where each part begins once they are joined."""
    return list(accumulate(chain((0,), map(len, parts))))


def cut_ids(digits: str | None) -> list[Any]:
    """The ids of an aggregate of hexadecimal digits, which is NULL if there was no row."""
    blob = bytes.fromhex(digits or "")
    return [blob[at : at + ID_SIZE] for at in range(0, len(blob), ID_SIZE)]


def cut_parts(digits: str | None) -> list[bytes]:
    return [] if digits is None else [bytes.fromhex(part) for part in digits.split(",")]


def printable(text: str | None) -> str | None:
    """Text without NUL characters, at which SQLite's JSON functions would end it."""
    return None if text is None else text.replace("\x00", "\ufffd")
