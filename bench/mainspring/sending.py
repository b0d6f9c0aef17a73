"""Bulk calls of 5,000 runs, a few under way at a time, so that the server works while the client encodes."""

import asyncio
from collections.abc import Iterator, Sequence

from mainspring.client import AsyncClient, Enqueue

CHUNK = 5000
CONNECTIONS = 2


async def send_all(client: AsyncClient, batches: Iterator[Sequence[Enqueue]], connections: int = CONNECTIONS) -> None:
    async def send() -> None:
        for batch in batches:
            await client.enqueue_many(batch)

    await asyncio.gather(*(send() for _ in range(connections)))
