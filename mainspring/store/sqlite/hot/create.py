"""How runs come to be, on SQLite."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from mainspring.domain.ids import RunId, SessionId
from mainspring.domain.runs.run import KeyHolder, NewRun
from mainspring.errors import ConflictError, LeaseLostError
from mainspring.store.sql import Queries
from mainspring.store.sqlite.rows import ID_NONE, array, batch, cut_ids, cut_parts, micros, starts


def create(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], namespace: str, runs: Sequence[NewRun], now: int
) -> dict[RunId, KeyHolder]:
    refuse_dead(c, sql, {run.session for run in runs if run.session is not None})
    holders = take_keys(c, sql, namespace, [run for run in runs if run.key is not None], now)
    settled = already_settled(c, sql, days, [run.id for run in runs])
    wanted = [run for run in runs if run.id not in holders and run.id not in settled]
    if wanted:
        insert(c, sql, wanted, now)
        add_marks(c, sql, namespace, wanted)
    return holders


def refuse_dead(c: sqlite3.Connection, sql: Queries, sessions: set[SessionId]) -> None:
    if sessions and len(living(c, sql, sessions)) < len(sessions):
        raise LeaseLostError("the session that was to run these is gone")


def take_keys(
    c: sqlite3.Connection, sql: Queries, namespace: str, runs: Sequence[NewRun], now: int
) -> dict[RunId, KeyHolder]:
    """Give each run its key; return the holders of those that others have."""
    if not runs:
        return {}
    digests = [run.digest or b"" for run in runs]
    rows = [(run.key, start, len(digest)) for run, start, digest in zip(runs, starts(digests), digests, strict=False)]
    parameters = batch([run.id for run in runs], rows, namespace=namespace, digests=b"".join(digests), now=now)
    c.execute(sql.take_keys, parameters)
    found, marks = c.execute(sql.key_holders, parameters).fetchone()
    holders = list(map(KeyHolder, cut_ids(found), cut_parts(marks)))
    for run, digest, holder in zip(runs, digests, holders, strict=True):
        if holder.digest != digest:
            raise ConflictError("key", str(run.key), "was used before with another job or input")
    return {run.id: holder for run, holder in zip(runs, holders, strict=True) if holder.run != run.id}


def already_settled(c: sqlite3.Connection, sql: Queries, days: Sequence[str], ids: Sequence[RunId]) -> set[RunId]:
    """Which of these a repeated call must not bring back to life."""
    parameters = batch(ids)
    found = (c.execute(sql.seen.format(day=day), parameters).fetchone()[0] for day in days)
    return {run for digits in found for run in cut_ids(digits)}


def insert(c: sqlite3.Connection, sql: Queries, runs: Sequence[NewRun], now: int) -> None:
    """By the shorter statement, if nothing but one extra, the same for all, comes with these runs."""
    rows, inputs = plain_rows(runs)
    parameters = batch(
        [run.id for run in runs],
        rows,
        tokens=b"".join(run.token or ID_NONE for run in runs),
        sessions=b"".join(run.session or ID_NONE for run in runs),
        inputs=inputs,
        now=now,
    )
    extra = runs[0].extra
    if all(run.deadline_at is None and run.extra == extra for run in runs):
        c.execute(sql.create, {**parameters, "extra": extra})
        return
    extras = [run.extra or b"" for run in runs]
    more = [
        (*row, start, len(each), run.deadline_at and micros(run.deadline_at))
        for run, row, start, each in zip(runs, rows, starts(extras), extras, strict=False)
    ]
    c.execute(sql.create_full, {**parameters, "rows": array(more), "extras": b"".join(extras)})


def plain_rows(runs: Sequence[NewRun]) -> tuple[list[tuple[Any, ...]], bytes]:
    inputs = [run.input for run in runs]
    rows = [
        (run.line, run.job, run.priority, micros(run.due_at), int(run.token is not None), run.key, start, size)
        for run, start, size in zip(runs, starts(inputs), map(len, inputs), strict=False)
    ]
    return rows, b"".join(inputs)


def add_marks(c: sqlite3.Connection, sql: Queries, namespace: str, runs: Sequence[NewRun]) -> None:
    pairs = [(run.id, mark) for run in runs for mark in run.marks]
    if pairs:
        c.execute(sql.add_marks, batch([run for run, _ in pairs], [mark for _, mark in pairs], namespace=namespace))


def living(c: sqlite3.Connection, sql: Queries, sessions: set[SessionId]) -> set[SessionId]:
    return set(cut_ids(c.execute(sql.living, batch(sorted(sessions))).fetchone()[0]))
