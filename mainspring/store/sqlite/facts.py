"""Looks at a SQLite file as an operator would, beside the server that may have it open."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from mainspring.errors import SchemaError, StoreUnavailableError
from mainspring.store.database_facts import StoreFacts
from mainspring.store.migrate import check_current, read_migrations
from mainspring.store.sqlite.schema import MIGRATIONS, applied
from mainspring.store.sqlite.transactions import classified
from mainspring.store.sqlite.tx import load_queries

TIMEOUT = 2.0


def look(path: Path) -> StoreFacts:
    """Raises StoreUnavailableError if it is not there or cannot be read."""
    if not path.exists():
        raise StoreUnavailableError(f"{path} does not exist yet: a server makes it")
    try:
        # Read-only in SQLite's own sense: a connection that could write would also clean up the WAL when it leaves.
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=TIMEOUT)) as connection:
            return look_inside(path, connection)
    except sqlite3.Error as error:
        raise classified(error, str(path)) from None


def look_inside(path: Path, connection: sqlite3.Connection) -> StoreFacts:
    trouble = misfit(connection)
    return StoreFacts(
        product="SQLite",
        version=sqlite3.sqlite_version_info,
        schema=trouble,
        seals=() if trouble else tuple(row[0] for row in connection.execute(load_queries().list_seals)),
        size=sum(each.stat().st_size for each in (path, path.with_name(path.name + "-wal")) if each.exists()),
        settings={"journal_mode": connection.execute("PRAGMA journal_mode").fetchone()[0]},
        room=shutil.disk_usage(path.parent).free,
    )


def misfit(connection: sqlite3.Connection) -> str:
    try:
        check_current(read_migrations(MIGRATIONS), applied(connection))
    except SchemaError as error:
        return str(error)
    return ""
