"""Bringing a PostgreSQL database to the tables and functions that this version works with."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import asyncpg

from mainspring.errors import SchemaError
from mainspring.store.migrate import Applied, Migration, check_current, pending, read_migrations
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.function_files import Function, by_file, changed, read_functions
from mainspring.version import __version__

FOLDER = Path(__file__).parent
LOCK_MIGRATIONS = 0x6D616967
# Every other statement queues after a waiting one.
LOCK_TIMEOUT = "2s"
"""A migration that cannot get its lock gives way and is tried again."""

# Named with its schema: the search path of a role called `mainspring` begins with the schema that the first migration makes.
CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS public.mainspring_migrations (
  version integer PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
"""
RECORD = "INSERT INTO public.mainspring_migrations (version, name, checksum) VALUES ($1, $2, $3)"
RECORD_FUNCTION = """
INSERT INTO mainspring.functions (name, checksum) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, retired_by = NULL
"""
# Servers of the version before may still call a function that this version no longer has: the version after drops it.
RETIRE = "UPDATE mainspring.functions SET retired_by = $2 WHERE name <> ALL ($1::text[]) AND retired_by IS NULL"
FORGET = "DELETE FROM mainspring.functions WHERE name <> ALL ($1::text[]) AND retired_by <> $2 RETURNING name"


class PostgresSchema:
    """The migrations and functions on disk against those in the database."""

    def __init__(self, database: Database, folder: Path = FOLDER, version: str = __version__) -> None:
        self._database = database
        self._folder = folder
        self._version = version

    # Read when asked for: most stores are opened without a look at their schema.
    @cached_property
    def _migrations(self) -> list[Migration]:
        return read_migrations(self._folder / "migrations")

    @cached_property
    def _functions(self) -> list[Function]:
        return read_functions(self._folder / "functions")

    async def check(self) -> None:
        check_current(self._migrations, await self._database.run(applied))
        if differing := changed(self._functions, await self._database.run(checksums)):
            names = ", ".join(function.name for function in differing)
            raise SchemaError(f"the database has other functions than this version ({names}): run `mainspring migrate`")

    async def pending(self) -> Mapping[str, str]:
        missing = pending(self._migrations, await self._database.run(applied))
        differing = changed(self._functions, await self._database.run(checksums))
        return {migration.name: migration.sql for migration in missing} | by_file(differing)

    async def migrate(self) -> list[str]:
        done: list[str] = []
        while missing := pending(self._migrations, await self._database.run(applied)):
            migration = missing[0]
            if await self._apply(migration):
                done.append(migration.name)
        return done + list(by_file(await self._database.transaction(self._replace_functions)))

    async def _apply(self, migration: Migration) -> bool:
        """Apply one migration unless another process just did."""

        async def work(connection: "asyncpg.Connection[Any]") -> bool:
            await lock(connection)
            await connection.execute(CREATE_TABLE)
            if any(row.version == migration.version for row in await applied(connection)):
                return False
            if migration.transactional:
                await connection.execute(migration.sql)
            await connection.execute(RECORD, migration.version, migration.name, migration.checksum)
            return True

        if not migration.transactional:
            await self._database.execute(migration.sql)
        return await self._database.transaction(work)

    async def _replace_functions(self, connection: "asyncpg.Connection[Any]") -> Sequence[Function]:
        """Create or replace the functions that differ, and drop those that the version before had already given up."""
        await lock(connection)
        differing = changed(self._functions, await checksums(connection))
        for function in differing:
            await connection.execute(function.sql)
            await connection.execute(RECORD_FUNCTION, function.name, function.checksum)
        names = [function.name for function in self._functions]
        for row in await connection.fetch(FORGET, names, self._version):
            await connection.execute(f'DROP FUNCTION IF EXISTS mainspring."{row["name"]}"')
        await connection.execute(RETIRE, names, self._version)
        return differing


async def lock(connection: "asyncpg.Connection[Any]") -> None:
    """Wait until no other process migrates; the statements after that wait for no table for long."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_MIGRATIONS)
    await connection.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")


async def applied(connection: "asyncpg.Connection[Any]") -> list[Applied]:
    if await connection.fetchval("SELECT to_regclass('public.mainspring_migrations')") is None:
        return []
    rows = await connection.fetch("SELECT version, name, checksum FROM public.mainspring_migrations ORDER BY version")
    return [Applied(row["version"], row["name"], row["checksum"]) for row in rows]


async def checksums(connection: "asyncpg.Connection[Any]") -> dict[str, str]:
    if await connection.fetchval("SELECT to_regclass('mainspring.functions')") is None:
        return {}
    rows = await connection.fetch("SELECT name, checksum FROM mainspring.functions WHERE retired_by IS NULL")
    return {row["name"]: row["checksum"] for row in rows}
