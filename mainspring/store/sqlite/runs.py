"""Live runs: how they come to be, and who works on them."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.domain.attempt import Claim, Ended, Held, Successes, Verdict
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.run import Attempt, KeyHolder, NewRun, Run, RunState
from mainspring.errors import ConflictError, LeaseLostError
from mainspring.store.interface import Decide, RunFilter
from mainspring.store.queries import Queries
from mainspring.store.sqlite import settlements, views
from mainspring.store.sqlite.batches import ID_NONE, array, batch, cut_ids, cut_parts, starts
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.days import Days
from mainspring.store.sqlite.rows import instant_or_none, micros

INPUT_INLINE = 4096
"""Inputs up to this size come with the batch; together the larger ones might not fit into one value."""


class SqliteRuns:
    """See `store/interface/` for what each method promises."""

    def __init__(self, connection: Connection, queries: Queries, days: Days) -> None:
        self._connection = connection
        self._sql = queries
        self._days = days

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        if not runs:
            return {}
        days = await self._days.since([run.id for run in runs], until=now)
        return await self._connection.write(lambda c: create(c, self._sql, days, namespace, runs, micros(now)))

    async def claim(
        self, lines: Sequence[int], slots: Sequence[SessionId], *, token: Token, now: datetime
    ) -> list[Claim]:
        if not lines or not slots:
            return []
        return await self._connection.write(lambda c: claim(c, self._sql, lines, slots, token, micros(now)))

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

    async def list(self, query: RunFilter) -> list[Run]:
        days = await self._days.known()
        return await self._connection.read(lambda c: views.page(c, self._sql, days, query))


def create(
    c: sqlite3.Connection, sql: Queries, days: Sequence[str], namespace: str, runs: Sequence[NewRun], now: int
) -> dict[RunId, KeyHolder]:
    refuse_dead(c, sql, {run.session for run in runs if run.session is not None})
    holders = take_keys(c, sql, namespace, [run for run in runs if run.key is not None], now)
    settled = already_settled(c, sql, days, [run.id for run in runs])
    insert(c, sql, [run for run in runs if run.id not in holders and run.id not in settled], now)
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
    inputs = [run.input for run in runs]
    rows = [
        (run.line, run.job, run.priority, micros(run.due_at), int(run.token is not None), run.key, start, size)
        for run, start, size in zip(runs, starts(inputs), map(len, inputs), strict=False)
    ]
    parameters = batch(
        [run.id for run in runs],
        rows,
        tokens=b"".join(run.token or ID_NONE for run in runs),
        sessions=b"".join(run.session or ID_NONE for run in runs),
        inputs=b"".join(inputs),
        now=now,
    )
    c.execute(sql.create, parameters)


def living(c: sqlite3.Connection, sql: Queries, sessions: set[SessionId]) -> set[SessionId]:
    return set(cut_ids(c.execute(sql.living, batch(sorted(sessions))).fetchone()[0]))


def claim(
    c: sqlite3.Connection, sql: Queries, lines: Sequence[int], slots: Sequence[SessionId], token: Token, now: int
) -> list[Claim]:
    live = living(c, sql, set(slots))
    slots = [slot for slot in slots if slot in live]
    columns = due(c, sql, list(dict.fromkeys(lines)), len(slots), now)
    taken = slots[: len(columns[0])]
    c.execute(sql.claim, batch(columns[0], sessions=b"".join(taken), token=token, now=now))
    return by_session(taken, token, columns)


def due(c: sqlite3.Connection, sql: Queries, lines: Sequence[int], limit: int, now: int) -> list[list[Any]]:
    """The most urgent due runs, column by column: ids, lines, jobs, attempts, inputs."""
    parameters = {"lines": array(lines), "slots": limit, "now": now, "input_inline": INPUT_INLINE}
    ids, *numbers, inputs = c.execute(sql.due, parameters).fetchone()
    runs = cut_ids(ids)
    parts = [] if inputs is None else inputs.split(",")
    return [
        runs,
        *(msgspec.json.decode(column, type=list[int]) for column in numbers),
        [input_of(c, sql, run, part) for run, part in zip(runs, parts, strict=True)],
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
    return [Claim(slot, token, *map(list, zip(*mine, strict=True))) for slot, mine in rows.items()]


def held(row: sqlite3.Row) -> Held:
    run, token, job, attempt, failures, losses = row
    return Held(run=run, token=token, job=job, attempt=attempt, failures=failures, losses=losses)
