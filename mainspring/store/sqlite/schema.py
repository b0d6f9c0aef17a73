"""Bringing a SQLite file to the schema that this version works with."""

import sqlite3
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from mainspring.clock import Clock
from mainspring.store.migrate import Applied, Migration, check_current, pending, read_migrations
from mainspring.store.sqlite.connection import Connection
from mainspring.store.sqlite.rows import micros

MIGRATIONS = Path(__file__).parent / "migrations"

CREATE_TABLE = """
CREATE TABLE IF NOT EXISTS mainspring_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
)
"""
HAS_TABLE = "SELECT count(*) FROM sqlite_master WHERE name = 'mainspring_migrations'"
READ = "SELECT version, name, checksum FROM mainspring_migrations ORDER BY version"
RECORD = "INSERT INTO mainspring_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)"


class Schema:
    """The migrations on disk against those in the file."""

    def __init__(self, connection: Connection, clock: Clock, folder: Path = MIGRATIONS) -> None:
        self._connection = connection
        self._clock = clock
        self._folder = folder

    # Read when asked for: most stores are opened without a look at their schema.
    @cached_property
    def _migrations(self) -> list[Migration]:
        return read_migrations(self._folder)

    async def check(self) -> None:
        check_current(self._migrations, await self._connection.read(applied))

    async def pending(self) -> dict[str, str]:
        rows = await self._connection.read(applied)
        return {migration.name: migration.sql for migration in pending(self._migrations, rows)}

    async def migrate(self) -> list[str]:
        """Plan and apply in one transaction: a second caller finds nothing left to do."""
        return await self._connection.write(self._apply)

    def _apply(self, connection: sqlite3.Connection) -> list[str]:
        connection.execute(CREATE_TABLE)
        missing = pending(self._migrations, applied(connection))
        for migration in missing:
            for statement in statements(migration.sql):
                connection.execute(statement)
            row = (migration.version, migration.name, migration.checksum, micros(self._clock.now()))
            connection.execute(RECORD, row)
        return [migration.name for migration in missing]


def applied(connection: sqlite3.Connection) -> list[Applied]:
    if not connection.execute(HAS_TABLE).fetchone()[0]:
        return []
    return [Applied(*row) for row in connection.execute(READ)]


def statements(script: str) -> Iterator[str]:
    """The script's statements one by one."""
    # `executescript` would commit first, and migrations are all or nothing.
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
