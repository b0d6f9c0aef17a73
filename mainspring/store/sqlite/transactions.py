"""Transactions on one SQLite connection, and the one place that reads SQLite's errors.

The writer is the only connection that writes and checkpoints. That keeps clear of SQLite's WAL-reset bug (before
3.51.3), which needs two connections doing so at once, so no version is warned about; and of SQLITE_BUSY.
"""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mainspring.errors import StoreBusyError, StoreUnavailableError

T = TypeVar("T")
Act = Callable[[sqlite3.Connection], T]
"""A function that does all its statements in one go, in one transaction."""

STATEMENTS_CACHED = 512
CHECKPOINT_PAGES = 4000
WAL_ROOM = 2 * CHECKPOINT_PAGES * 4096
"""Bytes free on a disk that was full before the WAL may grow as usual again."""
BUSY_MAX = 2000
"""Milliseconds to wait for a lock that another process holds."""
SETTINGS = (f"busy_timeout = {BUSY_MAX}", "foreign_keys = ON", "cache_size = -65536", "secure_delete = OFF")
SETTINGS_WRITER = ("journal_mode = WAL", "synchronous = FULL", f"wal_autocheckpoint = {CHECKPOINT_PAGES}")
SETTINGS_READER = ("query_only = ON", "wal_autocheckpoint = 0")

HELD = "another process is holding {path}: is a tool open on it?"
UNAVAILABLE = {
    sqlite3.SQLITE_FULL: "the disk that holds {path} is full; it goes on by itself once there is room",
    sqlite3.SQLITE_IOERR: "the disk that holds {path} does not answer as it should: {error}",
    sqlite3.SQLITE_BUSY: HELD,
    sqlite3.SQLITE_LOCKED: HELD,
    sqlite3.SQLITE_READONLY: "{path} or its folder cannot be written: check the rights",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened: check that its folder exists, and the rights",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged: stop, and restore it from a backup",
    sqlite3.SQLITE_NOTADB: "{path} is not a SQLite database",
}


class ActResult(msgspec.Struct, frozen=True):
    """The answer or the error of an act."""

    value: Any = None
    error: Exception | None = None


class Writer:
    """The connection that writes; used from one thread."""

    def __init__(self, path: str) -> None:
        self._path = path
        forget_statistics(path)
        self._connection = connect(path, *SETTINGS_WRITER)
        self._was_full = False

    def commit(self, acts: list[Act[Any]]) -> list[ActResult]:
        """Do the acts in one transaction; if one fails, undo all and do each in a transaction of its own."""
        if self._was_full:
            self._empty_wal()
        try:
            return self._together(acts)
        except Exception as error:  # noqa: BLE001 — whatever an act raises is its caller's
            self._roll_back()
            self._was_full |= getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL
            found = classified(error, self._path)
            # One wait is enough for all: the process that holds the file holds it for each of them.
            if len(acts) == 1 or isinstance(found, StoreBusyError):
                return [ActResult(error=found) for _ in acts]
        return [answer for act in acts for answer in self.commit([act])]

    def _together(self, acts: list[Act[Any]]) -> list[ActResult]:
        self._connection.execute("BEGIN IMMEDIATE")
        answers = [ActResult(act(self._connection)) for act in acts]
        self._connection.execute("COMMIT")
        return answers

    def _roll_back(self) -> None:
        # On a full disk SQLite has rolled back by itself.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _empty_wal(self) -> None:
        """Use the first room on a disk that was full to empty the WAL, again and again until there is room for a whole one."""
        with suppress(sqlite3.Error):
            blocked, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._was_full = bool(blocked) or shutil.disk_usage(Path(self._path).parent).free < WAL_ROOM

    def close(self) -> None:
        self._connection.close()


class Reader:
    """A connection that only reads, and never checkpoints."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._connection = connect(path, *SETTINGS_READER)

    def commit(self, acts: list[Act[Any]]) -> list[ActResult]:
        return [self._answer(act) for act in acts]

    def _answer(self, act: Act[Any]) -> ActResult:
        try:
            self._connection.execute("BEGIN")
            try:
                return ActResult(act(self._connection))
            finally:
                self._connection.execute("ROLLBACK")
        except Exception as error:  # noqa: BLE001 — whatever an act raises is its caller's
            return ActResult(error=classified(error, self._path))

    def close(self) -> None:
        self._connection.close()


def connect(path: str, *settings: str) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_CACHED
        )
        connection.row_factory = sqlite3.Row
        for setting in (*SETTINGS, *settings):
            connection.execute(f"PRAGMA {setting}")
    except sqlite3.Error as error:
        raise classified(error, path) from error
    return connection


def forget_statistics(path: str) -> None:
    """Drop the statistics of ANALYZE: gathered on a small table it would turn good plans into bad ones on a large one.

    On a connection of its own, because a connection keeps the statistics that it has once loaded.
    """
    with closing(connect(path)) as connection:
        try:
            connection.execute("DROP TABLE IF EXISTS sqlite_stat1")
        except sqlite3.Error as error:
            raise classified(error, path) from error


def classified(error: Exception, path: str) -> Exception:
    """The error as ours if it means that the file cannot be used for now."""
    if not isinstance(error, sqlite3.Error):
        return error
    words = UNAVAILABLE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if words is None:
        return error
    kind = StoreBusyError if words is HELD else StoreUnavailableError
    unavailable = kind(words.format(path=Path(path).name, error=error))
    unavailable.__cause__ = error
    return unavailable
