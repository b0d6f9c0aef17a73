"""Day partitions of everything that is over, on PostgreSQL: made ahead, pruned by dropping."""

import functools
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

import asyncpg

from mainspring.domain.ids import born_at_millis, first_at, id_text
from mainspring.store.postgres.connection import Database
from mainspring.store.sql import Queries

T = TypeVar("T")

TABLES = ("history", "attempts", "logs", "fires", "payloads")
WITH_DEFAULT = {"fires": "fire_at", "payloads": "run"}
"""Tables with a partition for all other days, and the column that tells the days apart."""
UNREPEATED = {"history": ("id", "job, line, state, id")}
"""Indexes of a day's table that need not look for equal entries to merge: there are none."""
DAYS_AHEAD = 7
BATCH = 10_000
PATIENCE = "500ms"
"""How long the ledger may be held up."""
LOCK_PARTITIONS = 0x6D61696E
SKEW_MAX = timedelta(minutes=5)
"""How far a run id's instant and a server's clock may disagree."""

_missing_partition = asyncpg.CheckViolationError


class PostgresHistory:
    """The contracts are in `store/interface/`."""

    def __init__(self, database: Database, queries: Queries) -> None:
        self._database = database
        self._sql = queries

    async def prepare(self, *, now: datetime, days: int) -> None:
        wanted = {
            f"{table}_{day:%Y%m%d}": (table, day)
            for table in TABLES
            for day in (now.date() + timedelta(days=ahead) for ahead in range(-1, days + 1))
        }
        present = set(await self._partitions())
        missing = {name: where for name, where in wanted.items() if name not in present}
        if missing:
            await self._database.transaction(lambda connection: add_partitions(connection, self._sql, missing))

    async def prune(self, *, before: datetime) -> list[str]:
        last_kept, day = f"{before:%Y%m%d}", start_of_day(before)
        dropped = [name for name in await self._partitions() if name.rpartition("_")[2] < last_kept]
        ledger = [name for name in dropped if name.startswith("fires_")]
        payloads = [name for name in dropped if name.startswith("payloads_")]
        for name in dropped:
            if name not in (*ledger, *payloads):
                await self._drop(name)
        await self._prune("prune_keys", before)
        for query in (
            *("prune_marks", "prune_payloads", "prune_memories"),
            *("prune_flows", "prune_steps", "prune_votes", "prune_batches"),
        ):
            await self._prune(query, first_at(before))
        await self._database.execute(self._sql["prune_suspensions"], first_at(before))
        for query in ("prune_dead", "prune_skips"):
            await self._prune(query, day)
        await self._prune("prune_fires", day, first_at(day))
        await self._database.execute(self._sql["prune_progress"], before)
        # Last, since a reader of the ledger or of payloads may be long in the way: then their days are dropped another time.
        for name in payloads:
            await self._database.transaction(functools.partial(drop_payloads, sql=self._sql, name=name))
        for name in ledger:
            await self._database.transaction(functools.partial(drop_at_once, name=name))
        return dropped

    async def _prune(self, query: str, *before: object) -> None:
        while await self._database.execute(self._sql[query], *before, BATCH) == BATCH:
            pass

    async def with_partitions(self, write: Callable[[], Awaitable[T]], *, now: datetime) -> T:
        """Write to history; if the clock has outrun the partitions, make them and write again."""
        try:
            return await write()
        except _missing_partition:
            await self.prepare(now=now, days=DAYS_AHEAD)
            return await write()

    async def _partitions(self) -> list[str]:
        rows = await self._database.fetch(self._sql["partitions"], list(TABLES))
        return [row["name"] for row in rows]

    async def _drop(self, name: str) -> None:
        """Detach without stopping writers, then drop."""
        table = name.rpartition("_")[0]
        await self._database.execute(f"ALTER TABLE mainspring.{table} DETACH PARTITION mainspring.{name} CONCURRENTLY")
        await self._database.execute(f"DROP TABLE mainspring.{name}")


async def add_partitions(
    connection: "asyncpg.Connection[Any]", sql: Queries, missing: dict[str, tuple[str, date]]
) -> None:
    """Make tables of the parent's shape and attach them: unlike PARTITION OF, that lets writers go on."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_PARTITIONS)
    for name, (table, day) in missing.items():
        if await connection.fetchval("SELECT to_regclass($1)", f"mainspring.{name}") is not None:
            continue
        await connection.execute(
            f"CREATE TABLE mainspring.{name} (LIKE mainspring.{table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS"
            f" INCLUDING COMPRESSION INCLUDING STORAGE)"
        )
        for columns in UNREPEATED.get(table, ()):
            await connection.execute(f"CREATE INDEX ON mainspring.{name} ({columns}) WITH (deduplicate_items = off)")
        if table in WITH_DEFAULT:
            await take_over(connection, sql, table, name, day)
        await connection.execute(
            f"ALTER TABLE mainspring.{table} ATTACH PARTITION mainspring.{name}"
            f" FOR VALUES FROM ('{bound(table, day)}') TO ('{bound(table, day + timedelta(days=1))}')"
        )


def bound(table: str, day: date) -> str:
    """Where a day begins: payloads are told apart by the ids of their runs, all else by an instant."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return id_text(first_at(midnight)) if table == "payloads" else midnight.isoformat()


async def drop_payloads(connection: "asyncpg.Connection[Any]", sql: Queries, name: str) -> None:
    """Drop a day's payloads but for those of runs that outlived it; beside a partition for all other days, at once."""
    day = datetime.strptime(name.rpartition("_")[2], "%Y%m%d").replace(tzinfo=UTC)
    await connection.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    await connection.execute(f"ALTER TABLE mainspring.payloads DETACH PARTITION mainspring.{name}")
    bounds = first_at(day), first_at(day + timedelta(days=1))
    await connection.execute(sql["outlive_day"].format(name=name), *bounds)
    await connection.execute(f"DROP TABLE mainspring.{name}")


async def take_over(connection: "asyncpg.Connection[Any]", sql: Queries, table: str, name: str, day: date) -> None:
    """Move the rows that were entered before a day's table existed into it."""
    bounds = {"first": bound(table, day), "following": bound(table, day + timedelta(days=1))}
    await connection.execute(sql["hold_other_days"].format(table=table))
    await connection.execute(sql["take_over"].format(table=table, name=name, key=WITH_DEFAULT[table], **bounds))


async def drop_at_once(connection: "asyncpg.Connection[Any]", name: str) -> None:
    """Beside a partition for all other days none can be detached without stopping writers, which is so for a moment."""
    await connection.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    await connection.execute(f"DROP TABLE mainspring.{name}")


def start_of_day(instant: datetime) -> datetime:
    """History is dropped by whole days, with all that belongs to it."""
    return instant.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def born(run: bytes) -> datetime:
    return datetime.fromtimestamp(born_at_millis(run) / 1000, UTC)


def search_from(run: bytes) -> datetime:
    """Nothing of a run is older than its id, give or take a clock: older partitions need no look."""
    return born(run) - SKEW_MAX
