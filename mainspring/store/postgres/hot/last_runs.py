"""The last runs of each of some jobs on PostgreSQL: all of them by as many trips, and as many looks into days, as for one."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import asyncpg

from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import Run
from mainspring.store.paging import ID_FIRST, ID_LAST, Effort, Found, IdSpan, days_in_order, merge
from mainspring.store.postgres.codecs import read_integers
from mainspring.store.postgres.hot.history import born
from mainspring.store.postgres.hot.list_runs import known_days, start_of
from mainspring.store.postgres.hot.rows import run_row
from mainspring.store.sql import Queries

NEWEST = IdSpan(ID_FIRST, ID_LAST, newest=True)
NO_BODIES = -1

RunsByJob = dict[int, list[RunId]]


class LastRuns:
    """One look at them, in the one snapshot of its connection."""

    def __init__(self, connection: "asyncpg.Connection[Any]", sql: Queries, effort: Effort, limit: int) -> None:
        self._connection = connection
        self._sql = sql
        self._effort = effort
        self._limit = limit

    async def of(self, namespace: str, jobs: Sequence[str]) -> list[list[Run]]:
        rows = await self._fetch("jobs_named", namespace, jobs)
        numbers: dict[str, int] = {row["name"]: row["id"] for row in rows}
        found = await self._find(namespace, list(numbers.values())) if numbers else {}
        shown = await self._show(namespace, [run for runs in found.values() for run in runs])
        each = (found.get(numbers.get(job, 0), ()) for job in jobs)
        return [[shown[run] for run in runs if run in shown] for runs in each]

    async def _find(self, namespace: str, jobs: list[int]) -> RunsByJob:
        past, waiting = await self._past(jobs), await self._waiting(jobs)
        held, reach = await self._held(namespace, jobs)
        parts = {job: [Found(past[job]), Found(waiting[job]), Found(held[job], reach)] for job in jobs}
        return {job: merge(some, NEWEST, self._limit).runs for job, some in parts.items()}

    async def _past(self, jobs: list[int]) -> RunsByJob:
        days = days_in_order(known_days(await self._fetch("history_days")), NEWEST)[: self._effort.steps]
        within = ([start_of(day) for day in days], [day.high for day in days])
        [row] = await self._fetch("last_past", jobs, *within, ID_FIRST, ID_LAST, self._limit)
        return by_job(pairs_of(row))

    async def _waiting(self, jobs: list[int]) -> RunsByJob:
        rows = await self._fetch("last_waiting", jobs, ID_FIRST, ID_LAST, self._limit)
        return by_job((row["job"], row["id"]) for row in rows)

    async def _held(self, namespace: str, jobs: list[int]) -> tuple[RunsByJob, RunId | None]:
        [(sessions,)] = await self._fetch("holders", namespace)
        each = max(self._limit, self._effort.held // max(1, sessions))
        [row] = await self._fetch("last_held", namespace, jobs, each)
        return by_job(pairs_of(row)), row["reach"]

    async def _show(self, namespace: str, runs: list[RunId]) -> dict[RunId, Run]:
        if not runs:
            return {}
        rows = await self._fetch("show", namespace, runs, list(map(born, runs)), NO_BODIES)
        return {RunId(run.id): run for run in self._sql.aside.read("runs", rows, run_row, "id")}

    async def _fetch(self, name: str, *arguments: object) -> list[asyncpg.Record]:
        rows: list[asyncpg.Record] = await self._connection.fetch(self._sql[name], *arguments)
        return rows


def pairs_of(row: asyncpg.Record) -> Iterable[tuple[int, RunId]]:
    """Numbers of jobs and their runs, from two columns of equal length."""
    return zip(read_integers(b"".join(row["jobs"])), row["runs"], strict=True)


def by_job(pairs: Iterable[tuple[int, RunId]]) -> RunsByJob:
    found: RunsByJob = defaultdict(list)
    for job, run in pairs:
        found[job].append(run)
    return found
