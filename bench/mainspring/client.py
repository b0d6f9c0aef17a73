"""The twin of the peers' scripts: single, bulk, paced and later, through Mainspring's own client."""

import datetime as dt
from collections.abc import Iterator, Sequence

from bench.mainspring.names import NOOP, WORK, lane_name
from bench.mainspring.sending import CHUNK, send_all
from bench.peers.script import chunks, main
from bench.peers.workload import workload_from_environment
from mainspring.client import AsyncClient, Client, Enqueue

REQUEST_BYTES = 8 * 1024 * 1024
"""Large inputs travel in smaller batches."""

workload = workload_from_environment()
JOB = NOOP if workload.is_noop else WORK


class MainspringClient:
    """Finds its server by MAINSPRING_URL and MAINSPRING_TOKEN."""

    async def open(self) -> None:
        self.client, self.async_client = Client(), AsyncClient()
        self.client.list(limit=1)
        await self.async_client.list(limit=1)

    async def setup(self) -> None:
        pass

    async def one(self, payload: float) -> None:
        self.client.enqueue(JOB, workload.input(payload))

    async def many(self, payloads: Sequence[float]) -> None:
        await send_all(self.async_client, batches(payloads, None))

    async def later(self, payloads: Sequence[float], when: float) -> None:
        await send_all(self.async_client, batches(payloads, dt.datetime.fromtimestamp(when, dt.UTC)))

    def work(self) -> None:
        raise SystemExit("an executor is started as `mainspring executor`")


def batches(payloads: Sequence[float], due_at: dt.datetime | None) -> Iterator[list[Enqueue]]:
    for part in chunks(payloads, min(CHUNK, REQUEST_BYTES // (workload.body + 1))):
        yield [as_enqueue(payload, due_at) for payload in part]


def as_enqueue(payload: float, due_at: dt.datetime | None) -> Enqueue:
    if not workload.lanes:
        return Enqueue(job=JOB, input=workload.input(payload), due_at=due_at)
    queue, priority = lane_name(workload.lane_of(payload)), workload.priority_of(payload)
    return Enqueue(job=JOB, input=workload.input(payload), due_at=due_at, queue=queue, priority=priority)


if __name__ == "__main__":
    main(MainspringClient())
