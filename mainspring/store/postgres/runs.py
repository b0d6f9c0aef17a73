"""Live runs and their way into history, on PostgreSQL."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg

from mainspring.domain.attempt import Claim, Ended, Held, Outcome, Successes, Verdict
from mainspring.domain.ids import RunId, SessionId, Token, born_at_millis
from mainspring.domain.run import Attempt, Failure, KeyHolder, NewRun, Run, RunState
from mainspring.errors import StoreUnavailableError
from mainspring.store.interface import Decide, RunFilter
from mainspring.store.postgres.arrays import read_integers, read_uuids
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.history import PostgresHistory
from mainspring.store.postgres.settlements import held_row, write_settlements
from mainspring.store.queries import Queries

SKEW_MAX = timedelta(minutes=5)
FRESH = timedelta(seconds=1)
"""Ids younger than this were made for this call; older ones may belong to a repeated call."""


class PostgresRuns:
    """See `store/interface/` for what each method promises."""

    def __init__(self, database: Database, queries: Queries, history: PostgresHistory) -> None:
        self._database = database
        self._sql = queries
        self._history = history

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        if not runs:
            return {}
        repeated = now - born(runs[0].id) > FRESH
        try:
            return await self._create(namespace, runs, now=now, repeated=repeated)
        except StoreUnavailableError:
            # The commit may have happened unheard; asking again with the same ids tells, if the database is back.
            return await self._create(namespace, runs, now=now, repeated=True)

    async def _create(
        self, namespace: str, runs: Sequence[NewRun], *, now: datetime, repeated: bool
    ) -> dict[RunId, KeyHolder]:
        """Insert by the shortest statement that does for these runs."""
        columns = (
            [run.id for run in runs],
            [run.job for run in runs],
            [run.line for run in runs],
            [run.priority for run in runs],
            [run.due_at for run in runs],
            [run.input for run in runs],
        )
        owners = sorted({run.session for run in runs if run.session is not None})
        claims = ([run.token for run in runs], [run.session for run in runs], owners)
        if not repeated and not any(run.key for run in runs):
            statement, extra = ("create_claimed", claims) if owners else ("create", ())
            await self._database.fetchval(self._sql[statement], *columns, *extra, now)
            return {}
        keys = ([run.key for run in runs], [run.digest for run in runs])
        seen_since = search_from(min(run.id for run in runs)) if repeated else None
        made = await self._database.fetchval(
            self._sql["create_full"], namespace, *columns, *keys, *claims, seen_since, now
        )
        return {} if made == len(runs) else await self._holders(namespace, runs)

    async def _holders(self, namespace: str, runs: Sequence[NewRun]) -> dict[RunId, KeyHolder]:
        keys = [run.key for run in runs if run.key]
        rows = await self._database.fetch(self._sql["key_holders"], namespace, keys)
        holders = {row["key"]: KeyHolder(row["run"], row["digest"]) for row in rows}
        return {run.id: holders[run.key] for run in runs if run.key and holders[run.key].run != run.id}

    async def claim(
        self, lines: Sequence[int], slots: Sequence[SessionId], *, token: Token, now: datetime
    ) -> list[Claim]:
        rows = await self._database.fetch(self._sql["claim"], lines, slots, sorted(set(slots)), token, now)
        return [read_claim(row, token) for row in rows]

    async def unclaim(self, sessions: Sequence[SessionId], *, token: Token) -> int:
        return await self._database.execute(self._sql["unclaim"], sessions, token)

    async def next_due(self, lines: Sequence[int], *, after: datetime) -> datetime | None:
        due: datetime | None = await self._database.fetchval(self._sql["next_due"], lines, after)
        return due

    async def succeed(self, successes: Successes, *, now: datetime) -> int:
        async def move() -> int:
            return int(
                await self._database.fetchval(
                    self._sql["succeed"],
                    successes.runs,
                    successes.tokens,
                    successes.results,
                    successes.waits,
                    successes.durations,
                    now,
                )
            )

        return await self._history.with_partitions(move, now=now)

    async def settle(self, ended: Sequence[Ended], decide: Decide, *, now: datetime) -> dict[RunId, RunState]:
        async def work(connection: "asyncpg.Connection[Any]") -> dict[RunId, RunState]:
            rows = await connection.fetch(self._sql["hold"], [end.run for end in ended])
            return await write_settlements(connection, self._sql, rows, ended, decide, now)

        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)

    async def verdicts(self, pairs: Sequence[tuple[RunId, Token]]) -> dict[RunId, Verdict]:
        if not pairs:
            return {}
        runs = [run for run, _ in pairs]
        rows = await self._database.fetch(self._sql["applied"], runs, search_from(min(runs)))
        known = {(row["id"], row["token"]) for row in rows}
        return {pair[0]: Verdict.DUPLICATE if pair in known else Verdict.STALE for pair in pairs}

    async def held_by(self, session: SessionId, *, claimed_before: datetime, limit: int) -> list[Held]:
        rows = await self._database.fetch(self._sql["held_by"], session, claimed_before, limit)
        return [held_row(row) for row in rows]

    async def tally(self, session: SessionId) -> dict[Token, int]:
        rows = await self._database.fetch(self._sql["tally"], session)
        return {row["token"]: row["held"] for row in rows}

    async def held_under(self, session: SessionId, tokens: Sequence[Token]) -> list[Held]:
        rows = await self._database.fetch(self._sql["held_under"], session, tokens)
        return [held_row(row) for row in rows]

    async def get(self, namespace: str, run: RunId) -> Run | None:
        rows = await self._database.fetch(self._sql["get_live"], run, namespace)
        rows = rows or await self._database.fetch(self._sql["get_past"], run, namespace, search_from(run))
        # Between the two looks a run may have been handed back; history is final, so one more look settles it.
        rows = rows or await self._database.fetch(self._sql["get_live"], run, namespace)
        return (await self._with_failures(rows))[0] if rows else None

    async def _with_failures(self, rows: Sequence[asyncpg.Record]) -> list[Run]:
        troubled = [row["id"] for row in rows if row["failures"] or row["losses"]]
        failures: dict[bytes, Failure] = {}
        if troubled:
            found = await self._database.fetch(self._sql["last_failures"], troubled)
            failures = {row["run"]: failure(row) for row in found if row["error"]}
        return [view(row, failures.get(row["id"])) for row in rows]

    async def attempts(self, run: RunId) -> list[Attempt]:
        rows = await self._database.fetch(self._sql["attempts"], run, search_from(run))
        return [
            Attempt(
                number=row["number"],
                outcome=Outcome(row["outcome"]).label,
                executor=row["executor"] or "",
                started_at=row["started_at"],
                ended_at=row["ended_at"],
                failure=failure(row) if row["error"] else None,
            )
            for row in rows
        ]

    async def states(self, runs: Sequence[RunId]) -> dict[RunId, RunState]:
        if not runs:
            return {}
        past = await self._database.fetch(self._sql["past_states"], runs, search_from(min(runs)))
        live = await self._database.fetch(self._sql["live_states"], runs)
        return {row["id"]: RunState(row["state"]) for row in [*live, *past]}

    # Last in the class: behind it, `list` names this method.
    async def list(self, query: RunFilter) -> list[Run]:
        states = [int(state) for state in query.states]
        arguments = (query.namespace, query.job, query.queue, states, query.before, query.limit)
        live = await self._database.fetch(self._sql["list_live"], *arguments)
        past = await self._database.fetch(self._sql["list_past"], *arguments)
        newest = {row["id"]: row for row in [*live, *past]}
        page = sorted(newest.values(), key=lambda row: bytes(row["id"]), reverse=True)[: query.limit]
        return await self._with_failures(page)


def read_claim(row: asyncpg.Record, token: Token) -> Claim:
    session, runs, lines, jobs, attempts, inputs = row
    return Claim(
        session, token, read_uuids(runs), read_integers(lines), read_integers(jobs), read_integers(attempts), inputs
    )


def born(run: bytes) -> datetime:
    return datetime.fromtimestamp(born_at_millis(run) / 1000, UTC)


def search_from(run: bytes) -> datetime:
    """Nothing of a run is older than its id, give or take a clock: older partitions need no look."""
    return born(run) - SKEW_MAX


def failure(row: asyncpg.Record) -> Failure:
    return Failure(error=row["error"], message=row["message"] or "", traceback=row["traceback"] or "")


def view(row: asyncpg.Record, failure: Failure | None) -> Run:
    fields = dict(row.items())
    return Run(**{**fields, "state": RunState(row["state"])}, failure=failure)
