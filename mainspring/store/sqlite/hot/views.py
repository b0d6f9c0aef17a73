"""Runs as people see them, live and from history together."""

import sqlite3
from collections.abc import Sequence

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import Attempt, Failure, Run, RunState
from mainspring.store.sql import Queries
from mainspring.store.sqlite.rows import attempt_row, batch, cut_ids, failure_row, run_row

WHOLE = 2**31 - 1
"""Bodies of any size."""


def get(c: sqlite3.Connection, sql: Queries, days: Sequence[str], namespace: str, run: RunId) -> Run | None:
    return next(iter(show(c, sql, days, namespace, [run], size=WHOLE)), None)


def show(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], namespace: str, runs: Sequence[RunId], *, size: int
) -> list[Run]:
    """Those of the runs that are there, with bodies up to that size, in any order."""
    rows = c.execute(sql.show, batch(runs, namespace=namespace, size=size)).fetchall()
    return sql.aside.read("runs", rows, lambda row: run_row(row, last_failure(c, sql, days, row, size=size)), "id")


def last_failure(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], row: sqlite3.Row, *, size: int
) -> Failure | None:
    if not days or not (row["failures"] or row["losses"]):
        return None
    return failure_row(c.execute(sql.last_failure, {"run": row["id"], "size": size}).fetchone())


def attempts(c: sqlite3.Connection, sql: Queries, run: RunId) -> list[Attempt]:
    return sql.aside.read("attempts", c.execute(sql.attempts, {"run": run}), attempt_row, "number")


def states(c: sqlite3.Connection, sql: Queries, days: Sequence[str], runs: Sequence[RunId]) -> dict[RunId, RunState]:
    parameters = batch(runs)
    found: dict[RunId, RunState] = {}
    for query in (sql.live_states, *(sql.past_states.format(day=day) for day in days)):
        ids, numbers = c.execute(query, parameters).fetchone()
        found.update(zip(cut_ids(ids), map(RunState, msgspec.json.decode(numbers)), strict=True))
    return found
