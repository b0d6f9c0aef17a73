"""Pages of runs on PostgreSQL, each in bounded time for every filter and every number of runs.

First the next runs by id are looked at, whatever they are: for most questions a few hundred of them fill a page. If not, what
is asked for is rare, and it is read by index: each combination of job, line and state that occurs has its runs in order. Of
history only those days are opened that can hold something for the page, the nearest first. Where there are too many jobs
and days for that, a longer look by id goes as far as it goes: then the page is short, and the next one carries on.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import asyncpg

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import marks_of
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import RunFilter, RunMatches
from mainspring.store.paging import (
    BODY_MAX,
    LIVE,
    PAST,
    Day,
    Effort,
    Found,
    IdSpan,
    above,
    before_day,
    days_in_order,
    merge,
    span_of,
)
from mainspring.store.postgres.codecs import read_integers
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.hot.history import born
from mainspring.store.postgres.hot.rows import run_row
from mainspring.store.sql import Queries

T = TypeVar("T")


class Listing:
    """Each page is found and shown in one snapshot."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def page(self, query: RunFilter, effort: Effort) -> RunMatches:
        return await self.look(lambda connection: PostgresSearch(connection, self._sql, query, effort).page())

    async def look(self, find: "Callable[[asyncpg.Connection[Any]], Awaitable[T]]") -> T:
        async def work(connection: "asyncpg.Connection[Any]") -> T:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                await connection.execute(self._sql["pin_plans"])
                return await find(connection)

        return await self._database.run(work)


class PostgresSearch:
    """The way to one page."""

    def __init__(self, connection: "asyncpg.Connection[Any]", sql: Queries, query: RunFilter, effort: Effort) -> None:
        self._connection = connection
        self._sql = sql
        self._query = query
        self._effort = effort
        self._span = span_of(query)
        self._states = [int(state) for state in query.states or RunState]
        self._more = query.limit + 1
        """One more than wanted tells whether there are more."""

    async def page(self) -> RunMatches:
        query = self._query
        found = merge(await self._find(), self._span, query.limit)
        if not found.runs:
            return RunMatches([], found.reach)
        births = [born(run) for run in found.runs]
        rows = await self._fetch("show", query.namespace, found.runs, births, BODY_MAX if query.bodies else -1)
        runs = self._sql.aside.read("runs", rows, run_row, "id")
        return RunMatches(sorted(runs, key=lambda run: run.id, reverse=self._span.newest), found.reach)

    async def _find(self) -> list[Found]:
        query, marks = self._query, list(marks_of(self._query.labels, self._query.tags, self._query.parent))
        if self._span.low >= self._span.high:
            return []
        if query.key is not None:
            return [await self._keyed(query.key, marks)]
        if marks:
            return [await self._marked(await self._rarest(marks), marks)]
        first = await self._scan(self._effort.first(query.limit))
        return first if merge(first, self._span, query.limit).is_enough(query.limit) else await self._rare()

    async def _scan(self, budget: int) -> list[Found]:
        """Which of the next candidates match, live ones and settled ones."""
        query, live, past = self._query, self._wants(LIVE), self._wants(PAST)
        only = "AND h.state > 3" if past and RunState.SUCCEEDED not in self._states else ""
        filters = (query.namespace, query.job, query.queue, self._states, query.parked)
        bounds = (self._span.low, self._span.high, budget, self._more)
        [row] = await self._fetch("scan", *filters, live, past, *bounds, only=only)
        return [Found(row["live"], row["live_reach"]), Found(row["past"], row["past_reach"])]

    async def _rare(self) -> list[Found]:
        query = self._query
        [row] = await self._fetch("wanted", query.namespace, query.job, query.queue)
        jobs, lines = read_integers(row["jobs"] or b""), read_integers(row["lines"] or b"")
        if not jobs or not lines:
            return []
        if len(jobs) > self._effort.steps:
            return await self._scan(self._effort.look)
        past = await self._past(jobs, lines) if self._wants(PAST) else Found([])
        if past.reach is not None and not self._span.enters(past.reach):
            return await self._scan(self._effort.look)
        return [past, *await self._live(jobs, lines)]

    async def _past(self, jobs: list[int], lines: list[int]) -> Found:
        """Look into the days, nearest first, until nothing more can change the page or enough was done for it."""
        days = days_in_order(known_days(await self._fetch("history_days")), self._span)
        near = days[: max(1, self._effort.steps // len(jobs))]
        places = [line * 8 + state for line in sorted(lines) for state in PAST if state in self._states]
        within = ([start_of(day) for day in near], [day.low for day in near], [day.high for day in near])
        bounds = (self._span.low, self._span.high, self._span.newest, self._more)
        [(runs,)] = await self._fetch("find_on_days", jobs, places, *within, *bounds)
        return Found(runs, before_day(days[len(near)], self._span) if len(near) < len(days) else None)

    async def _live(self, jobs: list[int], lines: list[int]) -> list[Found]:
        query, bounds, parts = self._query, (self._span.low, self._span.high, self._more), list[Found]()
        if self._wants((RunState.WAITING, RunState.QUEUED)):
            rows = await self._fetch("find_live", jobs, lines, self._states, *bounds, query.parked)
            parts.append(Found([row["id"] for row in rows]))
        if self._wants((RunState.RUNNING,)):
            [(sessions,)] = await self._fetch("holders", query.namespace)
            each = max(self._more, self._effort.held // max(1, sessions))
            [row] = await self._fetch("find_held", query.namespace, jobs, lines, *bounds, each)
            parts.append(Found(row["runs"], row["reach"]))
        return parts

    async def _rarest(self, marks: list[str]) -> str:
        if len(marks) == 1:
            return marks[0]
        bounds = (self._span.low, self._span.high, self._effort.count)
        [(mark,)] = await self._fetch("rarest_mark", self._query.namespace, marks, *bounds)
        return str(mark)

    async def _marked(self, rarest: str, marks: list[str]) -> Found:
        """Which of the runs with the rarest mark have the others too and match: a few at first, then more."""
        span, runs, reach = self._span, list[RunId](), None
        for size in self._effort.sizes(self._more, past=self._wants(PAST)):
            some, reach = await self._have(rarest, marks, span, size)
            runs += some
            if reach is None or len(runs) >= self._more:
                break
            span = span.beyond(reach)
        return Found(runs, reach)

    async def _have(self, mark: str, marks: list[str], span: IdSpan, size: int) -> tuple[list[RunId], RunId | None]:
        """Which of the next candidates with that mark have all of the marks and match, and how far the candidates reach."""
        others = [other for other in marks if other != mark]
        bounds = (span.low, span.high, span.newest, size)
        [row] = await self._fetch("find_marked", self._query.namespace, mark, others, *self._filters(), *bounds)
        return row["runs"], row["reach"]

    async def _keyed(self, key: str, marks: list[str]) -> Found:
        """The one run that has the key, if it matches."""
        rows = await self._fetch("holder", self._query.namespace, key)
        runs = [row["run"] for row in rows if self._span.low <= row["run"] < self._span.high]
        if runs and marks:
            runs, _ = await self._have(marks[0], marks, IdSpan(runs[0], above(runs[0]), self._span.newest), 1)
        elif runs and self._narrows:
            [(runs,)] = await self._fetch("matching", runs, self._query.namespace, *self._filters())
        return Found(runs)

    @property
    def _narrows(self) -> bool:
        """Whether more is asked than marks and a key."""
        return bool(self._query.job or self._query.queue or self._query.states)

    def _filters(self) -> tuple[object, ...]:
        query = self._query
        return query.job, query.queue, self._states if self._narrows else None, query.parked

    def _wants(self, states: Sequence[RunState]) -> bool:
        return any(state in self._states for state in states)

    async def _fetch(self, name: str, *arguments: object, **parts: str) -> list[asyncpg.Record]:
        rows: list[asyncpg.Record] = await self._connection.fetch(self._text(name, **parts), *arguments)
        return rows

    def _text(self, name: str, **parts: str) -> str:
        return self._sql[name].format(order="DESC" if self._span.newest else "ASC", **parts)


def known_days(rows: Sequence[asyncpg.Record]) -> list[Day]:
    return [Day(row["name"], row["low"], above(row["high"])) for row in rows if row["low"] is not None]


def start_of(day: Day) -> datetime:
    return datetime.strptime(day.name, "%Y%m%d").replace(tzinfo=UTC)
