"""Loads named queries from `.sql` files, so that Python holds no SQL.

A query is a line `-- name`, one line saying what it does, then the statement, up to the next name. Statements that both
databases understand are in `store/sql/`, in PostgreSQL's words and with parameters by name (`:name`); each database
rewrites them for itself as they are loaded.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

from mainspring.errors import ConfigError
from mainspring.store.aside import Aside

NAME = re.compile(r"^-- ([a-z][a-z0-9_]*)$", re.MULTILINE)
SHARED = Path(__file__).parent / "sql"


class Statement(msgspec.Struct, frozen=True):
    """A statement as its database wants it, and the names of its parameters if they are passed by position."""

    text: str
    names: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    """Statements of SQLite that follow with the same parameters; rows and counts are those of the first."""


class Filled(msgspec.Struct, frozen=True):
    """A statement whose `{gaps}` are filled with parts of SQL."""

    name: str
    parts: Mapping[str, str]


Dialect = Callable[[str], Statement]


class Queries:
    """The queries of some folders, by attribute or by item."""

    def __init__(self, *folders: Path, dialect: Dialect = Statement) -> None:
        self._dialect = dialect
        self._written, self._statements = load(folders, dialect)
        self.aside = Aside()
        """Rows that these found and could not read."""
        # As real attributes: hot statements are asked for with every batch.
        taken = dir(self)
        self.__dict__.update({name: each.text for name, each in self._statements.items() if name not in taken})

    def __getattr__(self, name: str) -> str:
        raise AttributeError(name)

    def __getitem__(self, name: str) -> str:
        return self._statements[name].text

    def statement(self, wanted: str | Filled) -> Statement:
        if isinstance(wanted, Filled):
            return self._dialect(self._written[wanted.name].format(**wanted.parts))
        return self._statements[wanted]

    def names(self) -> list[str]:
        return list(self._written)


# The files do not change while a process lives, and reading them takes longer than opening a store.
@cache
def load(folders: tuple[Path, ...], dialect: Dialect) -> tuple[Mapping[str, str], Mapping[str, Statement]]:
    """The texts of all queries of the folders, and their statements."""
    written: dict[str, str] = {}
    for file in (file for folder in folders for file in sorted(folder.glob("*.sql"))):
        for name, text in read_file(file):
            if name in written:
                raise ConfigError(f"{file}: the query {name} exists twice")
            written[name] = text
    return written, {name: dialect(text) for name, text in written.items()}


def read_file(file: Path) -> Iterator[tuple[str, str]]:
    preamble, *parts = NAME.split(file.read_text())
    if preamble.strip():
        raise ConfigError(f"{file}: text before the first query's name")
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        yield name, body.strip().rstrip(";")
