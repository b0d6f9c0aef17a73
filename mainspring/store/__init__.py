"""The only code that knows SQL: one interface, two databases."""

import importlib
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from mainspring.domain.cluster.database_facts import StoreFacts
from mainspring.errors import ConfigError
from mainspring.store.interface import Store

POSTGRES = ("postgresql", "postgres")


async def open_store(url: str, *, listen_url: str | None = None, pool_size: int = 4) -> Store:
    """Open the database that the URL names; it need not be migrated yet.

    `listen_url` leads past a pooler that cannot carry wakes; it and `pool_size` are for PostgreSQL only.
    """
    if is_sqlite(url):
        opened = await driver("sqlite", "SqliteStore").open(sqlite_path(url))
    else:
        opened = await driver("postgres", "PostgresStore").open(url, listen_url=listen_url, pool_size=pool_size)
    return cast("Store", opened)


async def look_at(url: str) -> StoreFacts:
    """Facts about the database for an operator; looking changes nothing, also while servers use it.

    Raises StoreUnavailableError if it cannot be reached.
    """
    if is_sqlite(url):
        found = part("sqlite.facts", "look")(sqlite_path(url))
    else:
        found = await part("postgres.facts", "look")(url)
    return cast("StoreFacts", found)


def is_sqlite(url: str) -> bool:
    """Whether it is that, or else PostgreSQL; raises ConfigError if it is neither."""
    scheme = urlsplit(url).scheme
    if scheme not in ("sqlite", *POSTGRES):
        raise ConfigError(f"a database URL starts with sqlite:/// or postgresql://, not with {scheme or 'nothing'}")
    return scheme == "sqlite"


def driver(dialect: str, name: str) -> Any:
    """The store's class, imported on demand."""
    # Who uses one database never loads the other's driver.
    return part(f"{dialect}.store", name)


def part(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"mainspring.store.{module}"), name)


def sqlite_path(url: str) -> Path:
    """The file of `sqlite:///relative.db` or `sqlite:////absolute.db`."""
    parts = urlsplit(url)
    path = unquote(parts.path.removeprefix("/"))
    if parts.netloc or not path or path == ":memory:":
        raise ConfigError(f"{url}: a SQLite file is named as sqlite:///relative.db or sqlite:////absolute.db")
    return Path(path)
