"""Applying migrations on PostgreSQL."""

from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg

from mainspring.store.migrate import Applied, Migration, check_current, pending
from mainspring.store.postgres.connection import Database

LOCK_MIGRATIONS = 0x6D616967
LOCK_TIMEOUT = "2s"
"""A migration that cannot get its lock gives way and is tried again: everybody else queues behind a waiting one."""

# Named with its schema: the search path of a role called `mainspring` begins with the schema that the first migration makes.
CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS public.mainspring_migrations (
  version integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
"""


class PostgresSchema:
    """What is applied, and what is not yet."""

    def __init__(self, database: Database, migrations: Sequence[Migration]) -> None:
        self._database = database
        self._migrations = migrations

    async def check(self) -> None:
        check_current(self._migrations, await self._database.run(applied))

    async def pending(self) -> Mapping[str, str]:
        missing = pending(self._migrations, await self._database.run(applied))
        return {migration.name: migration.sql for migration in missing}

    async def migrate(self) -> list[str]:
        done: list[str] = []
        while missing := pending(self._migrations, await self._database.run(applied)):
            migration = missing[0]
            if await self._apply(migration):
                done.append(migration.name)
        return done

    async def _apply(self, migration: Migration) -> bool:
        """Apply one migration unless somebody else just did."""

        async def work(connection: "asyncpg.Connection[Any]") -> bool:
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_MIGRATIONS)
            await connection.execute(CREATE_TABLE)
            if any(row.version == migration.version for row in await applied(connection)):
                return False
            await connection.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
            if migration.transactional:
                await connection.execute(migration.sql)
            await connection.execute(
                "INSERT INTO public.mainspring_migrations (version, name, checksum) VALUES ($1, $2, $3)",
                migration.version,
                migration.name,
                migration.checksum,
            )
            return True

        if not migration.transactional:
            await self._database.execute(migration.sql)
        return await self._database.transaction(work)


async def applied(connection: "asyncpg.Connection[Any]") -> list[Applied]:
    if await connection.fetchval("SELECT to_regclass('public.mainspring_migrations')") is None:
        return []
    rows = await connection.fetch("SELECT version, name, checksum FROM public.mainspring_migrations ORDER BY version")
    return [Applied(row["version"], row["name"], row["checksum"]) for row in rows]
