"""One process per database file."""

import fcntl
import os
from pathlib import Path
from typing import IO

from mainspring.errors import ConfigError, StoreUnavailableError


class FileLock:
    """Holds `<database>.lock` until released; the operating system releases it when the process dies."""

    def __init__(self, database: Path) -> None:
        self._file = open_lock(database.with_name(database.name + ".lock"))
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise ConfigError(
                f"{database} is in use by another process: a SQLite file serves one server; for several, use PostgreSQL"
            ) from None

    def release(self) -> None:
        self._file.close()


def open_lock(path: Path) -> IO[str]:
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a")
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be opened: {error.strerror}") from error
