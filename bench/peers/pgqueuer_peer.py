"""PGQueuer on PostgreSQL: asyncpg, uvloop, batched enqueue and dequeue."""
# mypy: disable-error-code="import-not-found,import-untyped"

import asyncio
import datetime as dt
import time
from collections.abc import Sequence

import asyncpg
import uvloop
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job
from pgqueuer.queries import Queries
from probe import probe_from_environment
from script import URL, chunks, main

BATCH = 250

probe = probe_from_environment()


async def start(job: Job) -> None:
    probe.start(float(job.payload or b"0"))


async def queries() -> Queries:
    return Queries(AsyncpgDriver(await asyncpg.connect(URL)))


async def serve() -> None:
    queue = PgQueuer(AsyncpgDriver(await asyncpg.connect(URL)))
    queue.entrypoint("noop")(start)
    await queue.run(batch_size=BATCH)


class PgqueuerPeer:
    async def open(self) -> None:
        self.queries = await queries()

    async def setup(self) -> None:
        await (await queries()).install()

    async def one(self, payload: float) -> None:
        await self.queries.enqueue("noop", repr(payload).encode())

    async def many(self, payloads: Sequence[float]) -> None:
        for part in chunks(payloads, 5000):
            await self.insert(part, None)

    async def later(self, payloads: Sequence[float], when: float) -> None:
        for part in chunks(payloads, 5000):
            await self.insert(part, dt.timedelta(seconds=when - time.time()))

    async def insert(self, payloads: Sequence[float], after: dt.timedelta | None) -> None:
        count = len(payloads)
        bodies = [repr(payload).encode() for payload in payloads]
        await self.queries.enqueue(["noop"] * count, bodies, [0] * count, [after] * count)

    def work(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve())


if __name__ == "__main__":
    main(PgqueuerPeer())
