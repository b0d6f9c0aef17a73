"""Attempts that last are kept one by one: bundles are for attempts that end in a moment."""

import asyncio

from mainspring.clock import Clock
from mainspring.store.interface import Store


class UnbundleRuns:
    """Any server may do it, and all may at once."""

    name = "undo_bundles"
    period = 0.5

    def __init__(self, store: Store, clock: Clock) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._clock = clock

    async def tick(self) -> bool:
        return await self._store.runs.unbundle(now=self._clock.now()) > 0
