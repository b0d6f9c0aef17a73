"""Who may read the file of a database: inputs of runs and secrets of webhooks are in it."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from mainspring.errors import StoreUnavailableError

log = logging.getLogger("mainspring.store")

OTHERS = stat.S_IRWXG | stat.S_IRWXO
OWNER = 0o600
BESIDE = ("", "-wal", "-shm", "-journal", ".lock")
"""What SQLite and we keep beside the file; SQLite makes its own with the rights that the file has."""


def keep_private(database: Path) -> None:
    """Make the file, if it is not there, for its owner alone; take the rights of others to an older one."""
    try:
        os.close(os.open(database, os.O_RDWR | os.O_CREAT, OWNER))
    except OSError as error:
        raise StoreUnavailableError(f"{database} cannot be opened: {error.strerror}") from error
    for path in open_to_others(database):
        tighten(path)


def open_to_others(database: Path) -> Iterator[Path]:
    """Those files of the database that others than their owner may read or write."""
    for suffix in BESIDE:
        path = database.with_name(database.name + suffix)
        if path.exists() and path.stat().st_mode & OTHERS:
            yield path


def tighten(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    try:
        path.chmod(mode & ~OTHERS)
    except OSError as error:
        log.warning("%s can be read by others (%o), and that cannot be changed: %s", path, mode, error.strerror)
    else:
        log.warning("%s could be read by others (%o): now only by its owner", path, mode)
