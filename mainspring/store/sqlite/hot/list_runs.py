"""Pages of runs on SQLite, found as on PostgreSQL (see there): by a first look, by index, or by a longer look."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.metadata import marks_of
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import RunFilter, RunMatches
from mainspring.store.paging import (
    BODY_MAX,
    PAST,
    Day,
    Effort,
    Found,
    above,
    before_day,
    days_in_order,
    merge,
    span_of,
)
from mainspring.store.sql import Queries
from mainspring.store.sqlite.days import VIEW_MAX
from mainspring.store.sqlite.hot.views import show
from mainspring.store.sqlite.rows import array, batch, cut_ids


def page(c: sqlite3.Connection, sql: Queries, days: Sequence[str], query: RunFilter, effort: Effort) -> RunMatches:
    """Find the runs of a page and show them, in the one transaction of a read."""
    search = SqliteSearch(c, sql, days[-VIEW_MAX:], query, effort)
    found = merge(search.find(), search.span, query.limit)
    runs = show(c, sql, days, query.namespace, found.runs, size=BODY_MAX if query.bodies else -1) if found.runs else []
    return RunMatches(sorted(runs, key=lambda run: run.id, reverse=search.span.newest), found.reach)


class SqliteSearch:
    """The way to one page."""

    def __init__(
        self, c: sqlite3.Connection, sql: Queries, days: Sequence[str], query: RunFilter, effort: Effort
    ) -> None:
        self.span = span_of(query)
        self._c = c
        self._sql = sql
        self._names = days
        self._query = query
        self._effort = effort
        self._states = [int(state) for state in query.states or RunState]
        self._more = query.limit + 1
        """One more than wanted tells whether there are more."""
        named = {"namespace": query.namespace, "job": query.job, "queue": query.queue}
        jobs, lines = c.execute(sql.wanted, named).fetchone()
        self._jobs: list[int] = msgspec.json.decode(jobs)
        self._filters: dict[str, Any] = {
            "namespace": query.namespace,
            "jobs": jobs,
            "lines": lines,
            "states": array(self._states),
            "parked": array(query.parked),
        }

    def find(self) -> list[Found]:
        query, marks = self._query, list(marks_of(self._query.labels, self._query.tags, self._query.parent))
        if self.span.low >= self.span.high or not self._jobs:
            return []
        if query.key is not None:
            return [self._keyed(query.key, marks)]
        if marks:
            return [self._marked(self._rarest(marks), marks)]
        first = self._scan(self._effort.first(query.limit))
        return [first] if merge([first], self.span, query.limit).is_enough(query.limit) else self._rare()

    def _scan(self, budget: int) -> Found:
        """Which of the next candidates match."""
        digits, reach = self._row("scan", budget=budget)
        return Found(cut_ids(digits), reach)

    def _rare(self) -> list[Found]:
        if len(self._jobs) > self._effort.steps:
            return [self._scan(self._effort.look)]
        past = self._past() if self._wants(PAST) else Found([])
        if past.reach is not None and not self.span.enters(past.reach):
            return [self._scan(self._effort.look)]
        return [past, *self._live()]

    def _past(self) -> Found:
        """Look into the days, nearest first, until nothing more can change the page or enough was done for it."""
        days = days_in_order(self._days(), self.span)
        span, runs = self.span, list[RunId]()
        allowed = days[: max(1, self._effort.steps // len(self._jobs))]
        for day in allowed:
            if span.overlaps(day.low, day.high):
                (digits,) = self._row("find_on_day", day=day.name, low=span.low, high=span.high)
                runs = sorted([*runs, *cut_ids(digits)], reverse=span.newest)[: self._more]
            if len(runs) == self._more:
                span = span.up_to(runs[-1])
        return Found(runs, before_day(days[len(allowed)], span) if len(allowed) < len(days) else None)

    def _days(self) -> list[Day]:
        if not self._names:
            return []
        rows = self._c.execute(" UNION ALL ".join(self._sql.day_ends.format(day=day) for day in self._names))
        return [Day(name, low, above(high)) for name, low, high in rows if low is not None]

    def _live(self) -> list[Found]:
        parts = []
        if self._wants((RunState.WAITING, RunState.QUEUED)):
            parts.append(Found(cut_ids(*self._row("find_live"))))
        if self._wants((RunState.RUNNING,)):
            parts.append(Found(cut_ids(*self._row("find_held"))))
        return parts

    def _rarest(self, marks: list[str]) -> str:
        if len(marks) == 1:
            return marks[0]
        return str(self._row("rarest_mark", marks=array(marks), count=self._effort.count)[0])

    def _marked(self, rarest: str, marks: list[str]) -> Found:
        """Which of the runs with the rarest mark have the others too and match: a few at first, then more."""
        others, span, runs = array([mark for mark in marks if mark != rarest]), self.span, list[RunId]()
        reach = None
        for size in self._effort.sizes(self._more, past=self._wants(PAST)):
            bounds: dict[str, Any] = {"low": span.low, "high": span.high, "budget": size}
            digits, reach = self._row("marked", mark=rarest, marks=others, **bounds)
            runs += self._matching(cut_ids(digits))
            if reach is None or len(runs) >= self._more:
                break
            span = span.beyond(reach)
        return Found(runs, reach)

    def _keyed(self, key: str, marks: list[str]) -> Found:
        """The one run that has the key, if it matches."""
        rows = self._c.execute(self._sql.holder, {"namespace": self._query.namespace, "key": key}).fetchall()
        runs = [row["run"] for row in rows if self.span.low <= row["run"] < self.span.high]
        if runs and marks:
            bounds: dict[str, Any] = {"low": runs[0], "high": above(runs[0]), "budget": 1}
            digits, _ = self._row("marked", mark=marks[0], marks=array(marks[1:]), **bounds)
            runs = cut_ids(digits)
        return Found(self._matching(runs))

    def _matching(self, runs: list[RunId]) -> list[RunId]:
        """Those that match apart from their marks."""
        query = self._query
        if not runs or not (query.job or query.queue or query.states):
            return runs
        where = "all_runs" if self._wants(PAST) else "runs"
        return cut_ids(*self._row("matching", where=where, **batch(runs)))

    def _wants(self, states: Sequence[RunState]) -> bool:
        return any(state in self._states for state in states)

    def _row(self, name: str, *, day: str = "", where: str = "", **more: Any) -> Any:
        """The one row of a statement."""
        text = self._sql[name].format(order="DESC" if self.span.newest else "ASC", day=day, where=where)
        bounds = {"low": self.span.low, "high": self.span.high, "more": self._more}
        return self._c.execute(text, {**self._filters, **bounds, **more}).fetchone()
