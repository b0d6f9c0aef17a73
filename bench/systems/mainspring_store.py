"""The two databases under Mainspring: a fresh one for each measurement, and a second connection that asks it."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import asyncpg

from bench.mainspring.names import NOOP
from bench.servers import Servers

PRIORITY = 5


class Reader(Protocol):
    """A connection that stays open, so that a question costs one round trip."""

    def value(self, question: str) -> Any: ...


class Store(Protocol):
    """An empty database, made anew by `create`."""

    @property
    def kind(self) -> str: ...

    @property
    def schema(self) -> str:
        """What stands before a table's name."""

    @property
    def live(self) -> str:
        """Where every run is found that is not settled."""

    def create(self, servers: Servers, files: Path, /) -> str:
        """Make it, and return the URL that the server is given."""

    def read(self) -> AbstractContextManager[Reader]: ...

    def tidy(self) -> None:
        """Do now what would be done in the background after a large load."""

    def instant(self, seconds: float) -> str:
        """An instant of the wall clock, as this database's SQL writes it."""


@dataclass(slots=True)
class PostgresStore:
    url: str = ""
    cluster: str = "postgres"
    kind: str = field(default="postgres", init=False)
    schema: str = field(default="mainspring.", init=False)
    live: str = field(default="mainspring.live", init=False)

    def create(self, servers: Servers, files: Path, /) -> str:
        self.url = servers.cluster(self.cluster).create(files.name)
        return self.url

    @contextmanager
    def read(self) -> Iterator[Reader]:
        # Beside a million other rows, a planner without statistics would read the whole table to answer.
        settings = {"enable_seqscan": "off"}
        with asyncio.Runner() as runner:
            connection = runner.run(asyncpg.connect(self.url, server_settings=settings))
            try:
                yield PostgresReader(runner, connection)
            finally:
                runner.run(connection.close())

    def tidy(self) -> None:
        with self.read() as reader:
            reader.value("VACUUM (ANALYZE)")

    def instant(self, seconds: float) -> str:
        return f"to_timestamp({seconds!r})"


@dataclass(frozen=True, slots=True)
class PostgresReader:
    runner: asyncio.Runner
    connection: Any

    def value(self, question: str) -> Any:
        return self.runner.run(self.connection.fetchval(question))


@dataclass(slots=True)
class SqliteStore:
    file: Path = Path()
    kind: str = field(default="sqlite", init=False)
    schema: str = field(default="", init=False)
    live: str = field(default="runs", init=False)

    def create(self, _servers: Servers, files: Path, /) -> str:
        self.file = files / "mainspring.db"
        return f"sqlite:///{self.file}"

    @contextmanager
    def read(self) -> Iterator[Reader]:
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as connection:
            yield SqliteReader(connection)

    def tidy(self) -> None:
        """The server's own checkpoints have done it."""

    def instant(self, seconds: float) -> str:
        return str(int(seconds * 1_000_000))


@dataclass(frozen=True, slots=True)
class SqliteReader:
    connection: sqlite3.Connection

    def value(self, question: str) -> Any:
        row = self.connection.execute(question).fetchone()
        return row and row[0]


def any_live(store: Store) -> str:
    """Whether any run is not settled."""
    return f"SELECT EXISTS (SELECT 1 FROM {store.live})"


def any_due(store: Store, now: float) -> str:
    """Whether a no-op run is still to be claimed or under way; parked and future ones do not count."""
    line = f"(SELECT l.id FROM {store.schema}lines AS l WHERE l.handler = '{NOOP}')"
    running = f"SELECT 1 FROM {store.live} AS r WHERE r.state = 2"
    queued = f"SELECT 1 FROM {store.live} AS r WHERE r.state = 1 AND r.line = {line} AND r.priority = {PRIORITY}"
    return f"SELECT EXISTS ({running}) OR EXISTS ({queued} AND r.due_at <= {store.instant(now)})"


def count_succeeded(store: Store) -> str:
    return f"SELECT count(*) FROM {store.schema}history WHERE state = 3"


def count_live(store: Store, state: int) -> str:
    return f"SELECT count(*) FROM {store.live} WHERE state = {state}"
