"""Signs of life in files, for probes of a process that does not listen."""

import os
import stat
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from mainspring.clock import Clock
from mainspring.errors import ConfigError
from mainspring.executor.link.lease import Lease

Sign = Callable[[Lease], Coroutine[Any, Any, None]]
"""Runs on the link's loop for as long as the executor does."""

ALIVE, LEASED = "alive", "leased"
EVERY = 2.0


async def show_signs(folder: str, lease: Lease, clock: Clock) -> None:
    """Touch `alive` with every turn of the link's loop, and `leased` while the lease holds, for ever."""
    place = Path(folder)
    while True:
        touch(place / ALIVE)
        if lease.held and not lease.lapsed(clock.monotonic()):
            touch(place / LEASED)
        await clock.sleep(EVERY)


def check_folder(folder: str) -> None:
    """Raises ConfigError unless the folder is there, or can be made, and takes files."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        touch(Path(folder) / ALIVE)
    except OSError as error:
        raise ConfigError(f"signs: {folder!r} cannot be written to: {error.strerror}") from None


def touch(path: Path) -> None:
    path.touch()
    os.utime(path)


def age_of(folder: str, name: str, now: float) -> float | None:
    """Seconds since the file was touched; None if it is not there."""
    try:
        found = (Path(folder) / name).stat()
    except OSError:
        return None
    return max(0.0, now - found.st_mtime) if stat.S_ISREG(found.st_mode) else None
