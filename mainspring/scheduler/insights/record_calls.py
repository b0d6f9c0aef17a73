"""Remembers the newest calls of each webhook, many at a time."""

import asyncio
from collections import deque

from mainspring.domain.webhooks.taken_call import KEPT, TakenCall
from mainspring.store.interface import Store

TRIGGERS_MAX = 1000
"""Webhooks whose calls wait to be written; those of more are forgotten, which loses only notes."""


class RecordCalls:
    """Calls wait in memory for at most a second: a flood of refused ones costs a statement a second."""

    name = "record_calls"
    period = 1.0

    def __init__(self, store: Store) -> None:
        self.wake = asyncio.Event()
        self._store = store
        self._waiting: dict[int, deque[TakenCall]] = {}

    def note(self, call: TakenCall) -> None:
        if call.trigger in self._waiting or len(self._waiting) < TRIGGERS_MAX:
            self._waiting.setdefault(call.trigger, deque(maxlen=KEPT)).append(call)

    async def tick(self) -> bool:
        """Write what came; a crash loses only notes."""
        waiting, self._waiting = self._waiting, {}
        if waiting:
            await self._store.webhooks.note_calls([call for calls in waiting.values() for call in calls])
        return False
