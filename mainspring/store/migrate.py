"""Which migrations a database still needs: numbered SQL files, forward only, each with its checksum."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mainspring.errors import SchemaError

FILE = re.compile(r"^(\d{4})_([a-z0-9_]+)\.sql$")
NO_TRANSACTION = "-- no-transaction"
"""First line of a migration that must run outside a transaction, such as an index built concurrently."""


class Migration(msgspec.Struct, frozen=True):
    """One numbered file."""

    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def transactional(self) -> bool:
        return not self.sql.startswith(NO_TRANSACTION)


class Applied(msgspec.Struct, frozen=True):
    """One row of the table `mainspring_migrations`."""

    version: int
    name: str
    checksum: str


def read_migrations(folder: Path) -> list[Migration]:
    """The migrations on disk in order; the numbers count from 1 without a gap."""
    migrations = [
        Migration(int(match[1]), file.stem, file.read_text())
        for file in sorted(folder.glob("*.sql"))
        if (match := FILE.match(file.name))
    ]
    for expected, migration in enumerate(migrations, start=1):
        if migration.version != expected:
            raise SchemaError(f"{folder}: {migration.name} stands where number {expected:04d} is expected")
    return migrations


def pending(migrations: Sequence[Migration], applied: Sequence[Applied]) -> list[Migration]:
    """The migrations still to apply, in order; `SchemaError` if the database went another way than these files."""
    rows = {row.version: row for row in applied}
    refuse_newer(len(migrations), max(rows, default=0))
    for migration in migrations:
        row = rows.get(migration.version)
        if row is not None and row.checksum != migration.checksum:
            raise SchemaError(f"the database has another {migration.name} than this version: was its file edited?")
    return [migration for migration in migrations if migration.version not in rows]


def check_current(migrations: Sequence[Migration], applied: Sequence[Applied]) -> None:
    """Raise `SchemaError`, saying what to do, unless every migration is applied and no other."""
    missing = pending(migrations, applied)
    if missing:
        at, known = missing[0].version - 1, len(migrations)
        raise SchemaError(f"the database's schema is at {at}, this version needs {known}: run `mainspring migrate`")


def refuse_newer(known: int, at: int) -> None:
    if at > known:
        raise SchemaError(f"the database's schema is at {at}, this version knows {known}: upgrade mainspring")
