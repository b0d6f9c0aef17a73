"""Those who wait for something to happen to a run."""

import asyncio
from collections.abc import Sequence

from mainspring.domain.ids import RunId


class Watch:
    """Wakes waiters when it happens on this server; what happens on others is found by polling."""

    def __init__(self) -> None:
        self._waiting: dict[RunId, set[asyncio.Event]] = {}

    def settled(self, runs: Sequence[RunId]) -> None:
        if not self._waiting:
            return
        for run in runs:
            for event in self._waiting.get(run, ()):
                event.set()

    def enter(self, run: RunId, event: asyncio.Event | None = None) -> asyncio.Event:
        event = event or asyncio.Event()
        self._waiting.setdefault(run, set()).add(event)
        return event

    def leave(self, run: RunId, event: asyncio.Event) -> None:
        waiting = self._waiting.get(run, set())
        waiting.discard(event)
        if not waiting:
            self._waiting.pop(run, None)
