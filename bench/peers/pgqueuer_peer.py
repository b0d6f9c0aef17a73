"""PGQueuer on PostgreSQL: asyncpg, uvloop, batched enqueue and dequeue."""
# mypy: disable-error-code="import-not-found,import-untyped"

import asyncio
import datetime as dt
import json
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
from workload import workload_from_environment

BATCH = 250

probe = probe_from_environment()
workload = workload_from_environment()


async def start(job: Job) -> None:
    probe.start(float(job.payload or b"0"))


async def work(job: Job) -> None:
    payload = float(json.loads(job.payload or b"{}")["payload"])
    probe.start(payload)
    if workload.wait:
        await asyncio.sleep(workload.wait)
    workload.finish(payload)


def kind_of(payload: float) -> str:
    return f"noop{workload.lane_of(payload)}" if workload.lanes else "noop"


def body_of(payload: float) -> bytes:
    return repr(payload).encode() if workload.is_noop else json.dumps(workload.input(payload)).encode()


async def queries() -> Queries:
    return Queries(AsyncpgDriver(await asyncpg.connect(URL)))


async def serve() -> None:
    queue = PgQueuer(AsyncpgDriver(await asyncpg.connect(URL)))
    for kind in {"noop", *map(kind_of, range(workload.lanes))}:
        queue.entrypoint(kind)(start if workload.is_noop else work)
    await queue.run(batch_size=BATCH)


class PgqueuerPeer:
    async def open(self) -> None:
        self.queries = await queries()

    async def setup(self) -> None:
        await (await queries()).install()

    async def one(self, payload: float) -> None:
        await self.queries.enqueue("noop", body_of(payload))

    async def many(self, payloads: Sequence[float]) -> None:
        for part in chunks(payloads, 5000):
            await self.insert(part, None)

    async def later(self, payloads: Sequence[float], when: float) -> None:
        for part in chunks(payloads, 5000):
            await self.insert(part, dt.timedelta(seconds=when - time.time()))

    async def insert(self, payloads: Sequence[float], after: dt.timedelta | None) -> None:
        count = len(payloads)
        kinds, bodies = [kind_of(payload) for payload in payloads], [body_of(payload) for payload in payloads]
        priorities = [workload.priority_of(payload) for payload in payloads]
        await self.queries.enqueue(kinds, bodies, priorities, [after] * count)

    def work(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve())


if __name__ == "__main__":
    main(PgqueuerPeer())
