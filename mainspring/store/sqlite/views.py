"""Runs as people see them, live and from history together."""

import sqlite3
from collections.abc import Sequence

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.run import Attempt, Failure, Run, RunState
from mainspring.store.interface import RunFilter
from mainspring.store.queries import Queries
from mainspring.store.sqlite.batches import array, batch, cut_ids
from mainspring.store.sqlite.rows import attempt_row, failure_row, run_row

ID_LAST = b"\xff" * 16


def get(c: sqlite3.Connection, sql: Queries, days: Sequence[str], namespace: str, run: RunId) -> Run | None:
    row = c.execute(sql.get, {"namespace": namespace, "id": run}).fetchone()
    return None if row is None else run_row(row, last_failure(c, sql, days, row))


def page(c: sqlite3.Connection, sql: Queries, days: Sequence[str], query: RunFilter) -> list[Run]:
    parameters = {
        "namespace": query.namespace,
        "job": query.job,
        "queue": query.queue,
        "states": array(query.states),
        "before": query.before or ID_LAST,
        "limit": query.limit,
    }
    rows = c.execute(sql.list, parameters).fetchall()
    return [run_row(row, last_failure(c, sql, days, row)) for row in rows]


def last_failure(c: sqlite3.Connection, sql: Queries, days: Sequence[str], row: sqlite3.Row) -> Failure | None:
    if not days or not (row["failures"] or row["losses"]):
        return None
    return failure_row(c.execute(sql.last_failure, {"run": row["id"]}).fetchone())


def attempts(c: sqlite3.Connection, sql: Queries, run: RunId) -> list[Attempt]:
    return [attempt_row(row) for row in c.execute(sql.attempts, {"run": run})]


def states(c: sqlite3.Connection, sql: Queries, days: Sequence[str], runs: Sequence[RunId]) -> dict[RunId, RunState]:
    parameters = batch(runs)
    found: dict[RunId, RunState] = {}
    for query in (sql.live_states, *(sql.past_states.format(day=day) for day in days)):
        ids, numbers = c.execute(query, parameters).fetchone()
        found.update(zip(cut_ids(ids), map(RunState, msgspec.json.decode(numbers)), strict=True))
    return found
