"""Loads named queries from `.sql` files, so that Python holds no SQL.

A query is a line `-- name`, one line saying what it does, then the statement, up to the next name.
"""

import re
from pathlib import Path

from mainspring.errors import ConfigError
from mainspring.store.aside import Aside

NAME = re.compile(r"^-- ([a-z][a-z0-9_]*)$", re.MULTILINE)


class Queries:
    """The queries of one folder, by attribute or by item."""

    def __init__(self, folder: Path) -> None:
        self._texts: dict[str, str] = {}
        self.aside = Aside()
        """What these found and nobody could read."""
        for file in sorted(folder.glob("*.sql")):
            self._add(file)

    def __getattr__(self, name: str) -> str:
        try:
            return self._texts[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def names(self) -> list[str]:
        return list(self._texts)

    def _add(self, file: Path) -> None:
        preamble, *parts = NAME.split(file.read_text())
        if preamble.strip():
            raise ConfigError(f"{file}: text before the first query's name")
        for name, body in zip(parts[::2], parts[1::2], strict=True):
            if name in self._texts:
                raise ConfigError(f"{file}: the query {name} exists twice")
            self._texts[name] = body.strip().rstrip(";")
