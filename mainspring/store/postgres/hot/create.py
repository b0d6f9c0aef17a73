"""How runs come to be, on PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

import asyncpg

from mainspring.domain.ids import RunId
from mainspring.domain.queues.shed import Relief, Shedding, least_urgent, reduced
from mainspring.domain.runs.run import KeyHolder, NewRun
from mainspring.errors import OverBudgetError, StoreBusyError, StoreUnavailableError
from mainspring.store.acts.runs.acts import RunActs
from mainspring.store.acts.runs.shed import shed
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.hot.history import PostgresHistory, born, search_from
from mainspring.store.postgres.pool import Connection
from mainspring.store.postgres.tx import PostgresTransactions, PostgresTx
from mainspring.store.sql import Queries

FRESH = timedelta(seconds=1)
"""Ids younger than this were made for this call; older ones may belong to a repeated call."""


class Asking(Protocol):
    """A pool of connections, or one of them inside a transaction."""

    async def fetch(self, sql: str, /, *arguments: object) -> list[asyncpg.Record]: ...

    async def fetchval(self, sql: str, /, *arguments: object) -> Any: ...


class Creation:
    """Inserts by the shortest statement that does for the runs given."""

    def __init__(self, database: Asking, queries: Queries) -> None:
        self._database = database
        self._sql = queries
        self._recent: dict[RunId, None] = {}
        """The first ids of calls, as long as they are fresh."""

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        repeated = self._is_repeated(runs[0].id, now)
        try:
            if len(runs) == 1 and not repeated and is_plainest(runs[0]):
                return await self._insert_one(runs[0], now=now)
            return await self.insert(namespace, runs, now=now, repeated=repeated)
        except StoreBusyError:
            raise
        except (StoreUnavailableError, asyncpg.UniqueViolationError) as error:
            # The commit may have happened unheard; asking again with the same ids tells, if the database is back.
            return await self._look(namespace, runs, now=now, in_doubt=getattr(error, "in_doubt", True))

    async def _look(
        self, namespace: str, runs: Sequence[NewRun], *, now: datetime, in_doubt: bool
    ) -> dict[RunId, KeyHolder]:
        """Insert what is not there yet; if that cannot be found out either, what was in doubt stays so."""
        try:
            return await self.insert(namespace, runs, now=now, repeated=True)
        except StoreUnavailableError as error:
            raise StoreUnavailableError(str(error), in_doubt=in_doubt or error.in_doubt) from error

    def _is_repeated(self, first: RunId, now: datetime) -> bool:
        """Whether the call that begins with this run may have been made before; then what it made may be anywhere by now."""
        recent = self._recent
        while recent and now - born(next(iter(recent))) > FRESH:
            del recent[next(iter(recent))]
        known = first in recent
        recent[first] = None
        return known or now - born(first) > FRESH

    async def _insert_one(self, run: NewRun, *, now: datetime) -> dict[RunId, KeyHolder]:
        place = (run.id, run.job, run.line, run.priority, run.due_at)
        await self._database.fetchval(self._sql["create_one"], *place, run.input, run.extra, now)
        return {}

    async def insert(
        self, namespace: str, runs: Sequence[NewRun], *, now: datetime, repeated: bool
    ) -> dict[RunId, KeyHolder]:
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
        if repeated or not are_plain(runs):
            seen_since = search_from(min(run.id for run in runs)) if repeated else None
            full = (*columns, *attributes(runs), *claims, seen_since)
            made = await self._database.fetchval(self._sql["create_full"], namespace, *full, now)
            holders = {} if made == len(runs) else await self._holders(namespace, runs)
            # A key that was pruned meanwhile is free: what it kept out comes in now, and nothing else twice.
            return await self.insert(namespace, runs, now=now, repeated=True) if holders is None else holders
        statement, more = ("create_claimed", claims) if owners else ("create", ())
        await self._database.fetchval(self._sql[statement], *columns, runs[0].extra, *more, now)
        return {}

    async def _holders(self, namespace: str, runs: Sequence[NewRun]) -> dict[RunId, KeyHolder] | None:
        """The holders of the keys of runs that were not inserted; None if a key is free again."""
        keys = [run.key for run in runs if run.key]
        rows = await self._database.fetch(self._sql["key_holders"], namespace, keys)
        holders = {row["key"]: KeyHolder(row["run"], row["digest"]) for row in rows}
        if any(key not in holders for key in keys):
            return None
        return {run.id: holders[run.key] for run in runs if run.key and holders[run.key].run != run.id}


class CreatesRuns(RunActs):
    """The contracts are in `store/interface/`."""

    def __init__(self, database: Database, queries: Queries, history: PostgresHistory) -> None:
        super().__init__(PostgresTransactions(database, queries))
        self._database = database
        self._sql = queries
        self._history = history
        self._creation = Creation(database, queries)

    async def create(self, namespace: str, runs: Sequence[NewRun], *, now: datetime) -> dict[RunId, KeyHolder]:
        return await self._creation.create(namespace, runs, now=now) if runs else {}

    async def create_shedding(
        self,
        namespace: str,
        runs: Sequence[NewRun],
        parts: Sequence[Shedding],
        *,
        refusal: OverBudgetError,
        now: datetime,
    ) -> Relief:
        async def work(connection: Connection) -> Relief:
            # As if repeated: the call may have been made before, and its commit not been heard of.
            inserting = Creation(connection, self._sql)
            holders = await inserting.insert(namespace, runs, now=now, repeated=True)
            tx, fewer = PostgresTx(connection, self._sql), reduced(parts, len(holders))
            return Relief(holders, await shed(tx, fewer, least_urgent(runs), refusal, now))

        return await self._history.with_partitions(lambda: self._database.transaction(work), now=now)


def is_plainest(run: NewRun) -> bool:
    """Whether nothing but its extra comes with this run, and no session is to have it yet."""
    return run.session is None and run.key is None and run.deadline_at is None and not run.marks


def are_plain(runs: Sequence[NewRun]) -> bool:
    """Whether nothing but one extra, the same for all, comes with these runs."""
    extra = runs[0].extra
    return all(run.key is None and run.deadline_at is None and not run.marks and run.extra == extra for run in runs)


def attributes(runs: Sequence[NewRun]) -> tuple[list[object], ...]:
    """Keys and all else that only some runs have, column by column; marks one by one, each with its run."""
    return (
        [run.key for run in runs],
        [run.digest for run in runs],
        [run.deadline_at for run in runs],
        [run.extra for run in runs],
        [run.id for run in runs for _ in run.marks],
        [mark for run in runs for mark in run.marks],
    )
