"""Live runs: how they come to be, and who works on them."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.metadata import for_handler
from mainspring.domain.runs.attempt import Claim, Ended, Held, Successes, Verdict
from mainspring.domain.runs.run import Attempt, KeyHolder, NewRun, Run, RunState
from mainspring.store.interface import Decide, RunFilter, RunPage
from mainspring.store.paging import Effort
from mainspring.store.sql import Queries
from mainspring.store.sqlite.batches import array, batch, cut_ids
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.hot import list_runs as listing
from mainspring.store.sqlite.hot import settle as settlements
from mainspring.store.sqlite.hot import views
from mainspring.store.sqlite.hot.create import create, living
from mainspring.store.sqlite.rows import instant, instant_or_none, micros

FIRST = -(2**63)
"""Before any instant."""
INPUT_INLINE = 4096
"""Inputs up to this size come with the batch; together the larger ones might not fit into one value."""
MAKER_ONLY = b'{"by":'
"""How an extra begins that says nothing but by whom its run was asked for, which a handler need not know."""


class SqliteRuns:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days
        self.effort = Effort()
        """For one page of a list."""

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        if not runs:
            return {}
        days = await self._days.since([run.id for run in runs], until=now)
        return await self._connection.write(lambda c: create(c, self._sql, days, namespace, runs, micros(now)))

    async def claim(
        self,
        lines: Sequence[int],
        slots: Sequence[SessionId],
        *,
        token: Token,
        now: datetime,
        since: Mapping[int, datetime] | None = None,
        bundled: bool = False,  # noqa: ARG002 a claim changes rows in place here, which is cheap
    ) -> list[Claim]:
        if not lines or not slots:
            return []
        begins = {line: micros(since[line]) if since and line in since else FIRST for line in lines}
        return await self._connection.write(lambda c: claim(c, self._sql, begins, slots, token, micros(now)))

    async def unbundle(self, *, now: datetime) -> int:  # noqa: ARG002 there are none
        return 0

    async def unclaim(self, sessions: Sequence[SessionId], *, token: Token) -> int:
        return await self._connection.write(
            lambda c: c.execute(self._sql.unclaim, batch(sessions, token=token)).rowcount
        )

    async def next_due(self, lines: Sequence[int], *, after: datetime) -> datetime | None:
        parameters = {"lines": array(lines), "after": micros(after)}
        return await self._connection.read(
            lambda c: instant_or_none(c.execute(self._sql.next_due, parameters).fetchone()[0])
        )

    async def held_by(self, session: SessionId, *, claimed_before: datetime, limit: int) -> list[Held]:
        parameters = {"session": session, "before": micros(claimed_before), "limit": limit}
        return await self._connection.read(lambda c: [held(row) for row in c.execute(self._sql.held_by, parameters)])

    async def tally(self, session: SessionId) -> dict[Token, int]:
        return await self._connection.read(lambda c: dict(c.execute(self._sql.tally, {"session": session})))

    async def held_under(self, session: SessionId, tokens: Sequence[Token]) -> list[Held]:
        parameters = {"session": session, "tokens": array([token.hex().upper() for token in tokens])}
        return await self._connection.read(lambda c: [held(row) for row in c.execute(self._sql.held_under, parameters)])

    async def succeed(self, successes: Successes, *, now: datetime) -> int:
        if not successes:
            return 0
        day = await self._days.at(now)
        return await self._connection.write(lambda c: settlements.succeed(c, self._sql, day, successes, micros(now)))

    async def settle(self, ended: Sequence[Ended], decide: Decide, *, now: datetime) -> dict[RunId, RunState]:
        if not ended:
            return {}
        day = await self._days.at(now)
        return await self._connection.write(lambda c: settlements.settle(c, self._sql, day, ended, decide, micros(now)))

    async def verdicts(self, pairs: Sequence[tuple[RunId, Token]]) -> dict[RunId, Verdict]:
        if not pairs:
            return {}
        days = await self._days.since([run for run, _ in pairs])
        return await self._connection.read(lambda c: settlements.verdicts(c, self._sql, days, pairs))

    async def get(self, namespace: str, run: RunId) -> Run | None:
        days = await self._days.since([run])
        return await self._connection.read(lambda c: views.get(c, self._sql, days, namespace, run))

    async def attempts(self, run: RunId) -> list[Attempt]:
        if not await self._days.since([run]):
            return []
        return await self._connection.read(lambda c: views.attempts(c, self._sql, run))

    async def states(self, runs: Sequence[RunId]) -> dict[RunId, RunState]:
        if not runs:
            return {}
        days = await self._days.since(runs)
        return await self._connection.read(lambda c: views.states(c, self._sql, days, runs))

    async def list(self, query: RunFilter) -> RunPage:
        days = await self._days.known()
        return await self._connection.read(lambda c: listing.page(c, self._sql, days, query, self.effort))


def claim(
    c: sqlite3.Connection, sql: Queries, begins: Mapping[int, int], slots: Sequence[SessionId], token: Token, now: int
) -> list[Claim]:
    live = living(c, sql, set(slots))
    slots = [slot for slot in slots if slot in live]
    columns = due(c, sql, begins, len(slots), now)
    runs = columns[0]
    taken = slots[: len(runs)]
    c.execute(sql.claim, batch(runs, sessions=b"".join(taken), token=token, now=now))
    claims = by_session(taken, token, columns)
    return claims if not runs or len(runs) < len(slots) else reaching(c, sql, claims, runs[-1])


def reaching(c: sqlite3.Connection, sql: Queries, claims: list[Claim], last: RunId) -> list[Claim]:
    """Say where the claim ended, on the part that has its last run."""
    reached = instant(c.execute(sql.due_of, {"id": last}).fetchone()[0])
    return [msgspec.structs.replace(one, reached=reached) if one.runs[-1] == last else one for one in claims]


def due(c: sqlite3.Connection, sql: Queries, begins: Mapping[int, int], limit: int, now: int) -> list[list[Any]]:
    """The most urgent due runs, column by column: ids, lines, jobs, attempts, inputs, and extras if there are any."""
    lines = msgspec.json.encode(list(begins.items())).decode()
    parameters = {"lines": lines, "slots": limit, "now": now, "input_inline": INPUT_INLINE}
    ids, *numbers, telling, inputs = c.execute(sql.due, {**parameters, "maker_only": MAKER_ONLY}).fetchone()
    runs = cut_ids(ids)
    parts = [] if inputs is None else inputs.split(",")
    columns: list[list[Any]] = [
        runs,
        *(msgspec.json.decode(column, type=list[int]) for column in numbers),
        [input_of(c, sql, run, part) for run, part in zip(runs, parts, strict=True)],
    ]
    return [*columns, extras_of(c, sql, runs, instant(now))] if telling else columns


def extras_of(c: sqlite3.Connection, sql: Queries, runs: Sequence[RunId], now: datetime) -> list[bytes | None]:
    """What the handlers of these runs are told besides their input."""
    deadlines, digits = map(msgspec.json.decode, c.execute(sql.extras, batch(runs)).fetchone())
    extras = [bytes.fromhex(each) or None for each in digits]
    return [
        for_handler(None if extra and extra.startswith(MAKER_ONLY) else extra, instant_or_none(deadline), now)
        for extra, deadline in zip(extras, deadlines, strict=True)
    ]


def input_of(c: sqlite3.Connection, sql: Queries, run: RunId, part: str) -> bytes:
    if part != "-":
        return bytes.fromhex(part)
    large: bytes = c.execute(sql.input, {"id": run}).fetchone()[0]
    return large


def by_session(slots: Sequence[SessionId], token: Token, columns: list[list[Any]]) -> list[Claim]:
    """Hand out the rows by position; each session's keep their order."""
    rows: dict[SessionId, list[tuple[Any, ...]]] = {slot: [] for slot in slots}
    for slot, row in zip(slots, zip(*columns, strict=True), strict=True):
        rows[slot].append(row)
    parts: dict[SessionId, list[Any]] = {slot: list(map(list, zip(*mine, strict=True))) for slot, mine in rows.items()}
    return [Claim(slot, token, *part) for slot, part in parts.items()]


def held(row: sqlite3.Row) -> Held:
    run, token, job, attempt, failures, losses = row
    return Held(run=run, token=token, job=job, attempt=attempt, failures=failures, losses=losses)
