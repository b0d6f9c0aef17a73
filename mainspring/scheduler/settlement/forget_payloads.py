"""Deletes the payloads that ended runs leave and history does not keep."""

import asyncio

from mainspring.store.interface import Store


class ForgetPayloads:
    """Any server may do it, and all may at once."""

    name = "forget_payloads"
    period = 30.0

    def __init__(self, store: Store) -> None:
        self.wake = asyncio.Event()
        self._store = store

    async def tick(self) -> bool:
        return await self._store.cluster.forget_payloads()
