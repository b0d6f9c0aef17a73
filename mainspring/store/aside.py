"""Rows that cannot be read: set aside one by one, so that the others go on.

Rows are read as a batch; only if that fails are they read one by one, so that sound rows cost nothing more. What is set
aside is named in the log once, and once more when it can be read again or is gone.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec

from mainspring.domain.ids import id_text
from mainspring.errors import ConflictError

log = logging.getLogger("mainspring.store")

R = TypeVar("R")
T = TypeVar("T")
ID_SIZE = 16
REASON_MAX = 200
FORGET = timedelta(minutes=3)
ROW_UNREADABLE = "row_unreadable"
ROW_STATES = ("22", "23", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH")
"""How the databases' names of errors about data and about constraints begin."""
ROWS_MAX = 1_000
"""Rows that are remembered; what is beyond them is left out all the same."""


class AsideRow(msgspec.Struct, frozen=True):
    """A row that could not be read or worked on."""

    table: str
    key: str
    reason: str

    def __str__(self) -> str:
        return f"{self.table} {self.key}: {self.reason}"


class Aside:
    """The rows that this process has set aside, by table and key."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, AsideRow]] = {}
        self._passed: dict[tuple[str, str], tuple[AsideRow, datetime]] = {}

    def read(self, table: str, rows: Iterable[R], read: Callable[[R], T], *key: str, whole: bool = False) -> list[T]:
        """The rows that can be read, in their order. `whole`: these are all rows of the table."""
        rows = rows if isinstance(rows, Sequence) else list(rows)
        try:
            found = [read(row) for row in rows]
        except Exception:  # noqa: BLE001 whatever a row holds, it keeps no other one back
            return self._read_each(table, rows, read, key, whole=whole)
        if table in self._tables:
            self._sound(table, rows, key, set(), whole=whole)
        return found

    def one(self, table: str, row: R, read: Callable[[R], T], *key: str) -> T:
        """A row that was asked for by itself; raises ConflictError if it cannot be read."""
        for found in self.read(table, [row], read, *key):
            return found
        reason = "its row in the database cannot be read: 'mainspring doctor' says why"
        raise ConflictError(table, named(row, key), reason, code=ROW_UNREADABLE)

    async def first(
        self,
        table: str,
        limit: int,
        fetch: Callable[[int], Awaitable[Sequence[R]]],
        read: Callable[[R], T],
        *key: str,
    ) -> list[T]:
        """The first rows that can be read, as many as wanted if there are so many: a page is never short for a bad row."""
        reach = limit + self.count(table)
        while True:
            rows = await fetch(reach)
            found = self.read(table, rows, read, *key)
            if len(found) >= limit or len(rows) < reach:
                return found[:limit]
            reach += len(rows) - len(found)

    def pass_over(self, table: str, key: str, error: BaseException, now: datetime) -> None:
        """Remember a row that a duty could read and not work on; forgotten unless it is met again."""
        self._passed[table, key] = (AsideRow(table, key, reason_of(error)), now + FORGET)
        self.note(f"work on {table}", key, error)

    def passed_over(self, now: datetime) -> list[AsideRow]:
        """The rows that duties have lately passed over."""
        for (table, key), (_, until) in list(self._passed.items()):
            if until <= now:
                self.worked(table, key)
        return [row for row, _ in self._passed.values()]

    def worked(self, table: str, key: str) -> None:
        """A duty has worked on this row."""
        if self._passed.pop((table, key), None) is not None:
            self.clear(f"work on {table}", key)

    def note(self, table: str, key: str, error: BaseException) -> None:
        """Remember a row that stands in the way, and say so unless that was said before."""
        rows = self._tables.setdefault(table, {})
        reason = reason_of(error)
        if key not in rows and len(rows) < ROWS_MAX:
            log.warning("set aside: %s %s cannot be worked on, the others go on: %s", table, key, reason)
            rows[key] = AsideRow(table, key, reason)

    def clear(self, table: str, key: str) -> None:
        """Nothing stands in the way of this row any more."""
        rows = self._tables.get(table, {})
        if rows.pop(key, None) is not None:
            log.warning("no longer set aside: %s %s", table, key)
            if not rows:
                del self._tables[table]

    def count(self, table: str) -> int:
        """How many rows of the table are set aside."""
        # A read of the first few has to reach as much farther.
        return len(self._tables.get(table, ()))

    def _read_each(
        self, table: str, rows: Sequence[R], read: Callable[[R], T], key: Sequence[str], *, whole: bool
    ) -> list[T]:
        found: list[T] = []
        bad: set[str] = set()
        for row in rows:
            try:
                found.append(read(row))
            except Exception as error:  # noqa: BLE001 one row at a time is the point
                name = named(row, key)
                bad.add(name)
                self.note(table, name, error)
        self._sound(table, rows, key, bad, whole=whole)
        return found

    def _sound(self, table: str, rows: Sequence[Any], key: Sequence[str], bad: set[str], *, whole: bool) -> None:
        """Forget those of the table that could be read this time."""
        known = set(self._tables.get(table, ()))
        seen = known if whole else known & {named(row, key) for row in rows}
        for name in seen - bad:
            self.clear(table, name)


def blames_a_row(error: BaseException) -> bool:
    """Whether a database refused a statement, or a reader gave up, because of what some row holds."""
    names = (getattr(error, "sqlstate", None), getattr(error, "sqlite_errorname", None))
    return any(str(name).startswith(ROW_STATES) for name in names) or isinstance(error, ValueError)


def reason_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:REASON_MAX]


def named(row: Any, key: Sequence[str]) -> str:
    """The key of a row as people read it."""
    return " ".join(shown(part(row, name)) for name in key)


def part(row: Any, name: str) -> object:
    try:
        return getattr(row, name) if isinstance(row, msgspec.Struct) else row[name]
    except (TypeError, ValueError):
        # A part of a damaged row's key can be damaged too; the other parts still name it.
        return "?"


def shown(value: object) -> str:
    return id_text(value) if isinstance(value, bytes) and len(value) == ID_SIZE else str(value)
