"""A client that asks for runs while servers come and go, and keeps its own list of what was accepted."""

import asyncio
from collections.abc import Sequence

from mainspring.client.transport.requests import Enqueue
from mainspring.clock import SystemClock
from mainspring.errors import UnavailableError
from tests.support.processes import ServerProcess

CHUNK = 250
PAUSE = 0.05


class Customer:
    """Asks the servers in turn; what got no answer it asks again under the same key, so each is one run."""

    def __init__(self, servers: Sequence[ServerProcess], *, chunk: int = CHUNK) -> None:
        self.accepted: list[str] = []
        self.refusals = 0
        self._servers = servers
        self._chunk = chunk

    def begin(self, job: str, count: int) -> asyncio.Task[None]:
        return asyncio.create_task(self.ask(job, count))

    async def ask(self, job: str, count: int) -> None:
        for first in range(0, count, self._chunk):
            numbers = range(first, min(first + self._chunk, count))
            await self._insist([Enqueue(job=job, key=f"{job}-{number}") for number in numbers])

    async def _insist(self, wanted: Sequence[Enqueue]) -> None:
        turn = len(self.accepted) // self._chunk
        while not await self._accepted(self._servers[turn % len(self._servers)], wanted):
            self.refusals += 1
            turn += 1
            await SystemClock().sleep(PAUSE)

    async def _accepted(self, server: ServerProcess, wanted: Sequence[Enqueue]) -> bool:
        try:
            async with server.client() as client:
                self.accepted += [run.id for run in await client.enqueue_many(wanted)]
        except UnavailableError:
            return False
        return True
