"""Looks at a SQLite file as an operator would, beside the server that may have it open."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import msgspec

from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.errors import SchemaError, StoreUnavailableError
from mainspring.store.facts import facts_row
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
            return look_inside(connection)
    except sqlite3.Error as error:
        raise classified(error, str(path)) from None


def look_inside(connection: sqlite3.Connection) -> StoreFacts:
    connection.row_factory = sqlite3.Row
    queries = load_queries()
    facts = facts_row(dict(connection.execute(queries.facts).fetchone()))
    if trouble := misfit(connection):
        return msgspec.structs.replace(facts, schema=trouble)
    return msgspec.structs.replace(facts, seals=tuple(row["seal"] for row in connection.execute(queries.list_seals)))


def misfit(connection: sqlite3.Connection) -> str:
    try:
        check_current(read_migrations(MIGRATIONS), applied(connection))
    except SchemaError as error:
        return str(error)
    return ""
