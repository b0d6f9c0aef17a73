"""What the trials have in common: a PostgreSQL, processes, a steady load, and the books to balance at the end."""

import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from mainspring import AsyncClient
from mainspring.client.transport.requests import Enqueue
from mainspring.clock import SystemClock
from mainspring.errors import UnavailableError
from proof.fleet import jobs
from tests.acceptance.ledger import VARIABLE, Ledger
from tests.acceptance.scene import LIVE, ROOT
from tests.support.postgres import Postgres
from tests.support.processes import API_TOKEN, ExecutorProcess, Fleet, Process, ServerProcess, eventually

APP = f"{jobs.__name__}:app"
PART = 0.1
"""Seconds between two calls of the load."""
SETTLED_MAX = 300.0


class ManyExecutors(Process):
    program = ("-m", "proof.fleet.many")


class Links(Process):
    program = ("-m", "proof.fleet.links")


class Stage:
    """One trial's processes."""

    def __init__(self, folder: Path, postgres: Postgres) -> None:
        self.folder = folder
        self.clock = SystemClock()
        self.ledger = Ledger(folder / "ledger")
        self.fleet = Fleet(folder, code=ROOT, env={VARIABLE: str(self.ledger.path)})
        self._postgres = postgres
        self._url = ""

    async def open(self) -> None:
        self._url = await self._postgres.create_migrated()

    def close(self) -> None:
        self.fleet.close()

    async def server(self, number: int, **settings: object) -> ServerProcess:
        started = self.fleet.server(self._url, home=self.folder / f"home-{number}", **settings)
        return await started.ready()

    async def executor(self, name: str, *servers: ServerProcess, **settings: Any) -> ExecutorProcess:
        return await self.fleet.executor(APP, *servers, name=name, **settings).connected()

    def many(self, count: int, name: str, slots: int, *servers: ServerProcess) -> Process:
        arguments = [str(count), name, str(slots), *(one.url for one in servers)]
        return self.fleet._start(ManyExecutors, arguments, {})

    def links(self, count: int, dials: Path, *servers: ServerProcess) -> Process:
        return self.fleet._start(Links, [str(count), str(dials), *(one.url for one in servers)], {})


class Load:
    """Asks for runs at a steady rate, without keys: what fails is a refused request."""

    def __init__(self, client: AsyncClient, rate: float, seconds: float = 0.0) -> None:
        self.accepted: dict[str, float] = {}
        """By run, when it was accepted."""
        self.refused: list[str] = []
        self._client = client
        self._size = max(1, round(rate * PART))
        self._seconds = seconds
        self._clock = SystemClock()
        self._calls: set[asyncio.Task[None]] = set()
        self._asking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._asking = asyncio.create_task(self._ask())

    async def end(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking
        await asyncio.gather(*self._calls)

    async def settled(self, ledger: Ledger) -> Counter[str]:
        """How the runs ended, once none is left, by the handlers' own word: succeeded, failed or missing."""
        await eventually(self.none_left, "the end of all runs", within=SETTLED_MAX)
        ended, failed = ledger.ends().keys(), len((await self._client.list(states=["failed"], limit=100)).runs)
        missing = len(self.accepted.keys() - ended)
        return Counter(succeeded=len(self.accepted) - missing, failed=failed, missing=max(0, missing - failed))

    async def none_left(self) -> bool:
        await self._clock.sleep(0.2)
        with suppress(UnavailableError):
            return not (await self._client.list(states=LIVE, limit=1)).runs
        return False

    async def _ask(self) -> None:
        due = self._clock.monotonic()
        while True:
            call = asyncio.create_task(self._call())
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)
            due += PART
            await self._clock.sleep(due - self._clock.monotonic())

    async def _call(self) -> None:
        wanted = [Enqueue(job="work", input={"seconds": self._seconds})] * self._size
        try:
            runs = await self._client.enqueue_many(wanted)
        except UnavailableError as error:
            self.refused.append(str(error))
            return
        self.accepted |= dict.fromkeys([one.id for one in runs], self._clock.monotonic())


def client_of(*servers: ServerProcess) -> AsyncClient:
    return AsyncClient([one.url for one in servers], token=API_TOKEN)
