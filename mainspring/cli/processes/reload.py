"""Detects changes of code by the modification times of its files."""

import asyncio
import os
from pathlib import Path

from mainspring.clock import Clock

LOOK_EVERY = 0.5
SUFFIXES = (".py", ".toml")
PASSED_BY = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"})

Picture = dict[str, int]


class CodeWatch:
    """Watches every Python file below a folder, except in hidden folders and environments."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._seen = take_picture(folder)

    async def changed(self, stop: asyncio.Event) -> None:
        """Return once a file was written, added or removed, or the stop event is set."""
        while not await self._clock.wait(stop, LOOK_EVERY):
            now = take_picture(self._folder)
            if now != self._seen:
                self._seen = now
                return


def take_picture(folder: Path) -> Picture:
    """Return the modification time of each file."""
    found: Picture = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in PASSED_BY and not name.startswith(".")]
        for name in files:
            if name.endswith(SUFFIXES):
                path = Path(place, name)
                try:
                    found[str(path)] = path.stat().st_mtime_ns
                except OSError:
                    # Editors replace files: this one is gone for a moment.
                    continue
    return found
