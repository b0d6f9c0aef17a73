"""python -m bench.mainspring.appoint KIND COUNT PER_SECOND CROWD: enqueues runs of the app `timely` at an even pace.

CROWD runs a second of higher priority are enqueued beside them, in requests of a tenth of a second each.
"""

import asyncio
import datetime as dt
import json
import sys
import time

from bench.mainspring.names import AFTER
from mainspring.client import AsyncClient, Enqueue

PARTS = 10


async def appoint(client: AsyncClient, kind: str, count: int, per_second: float) -> None:
    begin = time.monotonic()
    for number in range(count):
        await asyncio.sleep(max(0.0, begin + number / per_second - time.monotonic()))
        await client.send(as_enqueue(kind, number))


def as_enqueue(kind: str, number: int) -> Enqueue:
    if kind != "delay":
        return Enqueue(job=kind, input={"payload": number})
    due = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=AFTER)
    due -= dt.timedelta(microseconds=due.microsecond % 1000)
    return Enqueue(job=kind, input={"payload": time.monotonic() + due.timestamp() - time.time()}, due_at=due)


async def crowd(client: AsyncClient, per_second: int) -> None:
    begin, part = time.monotonic(), 0
    while per_second:
        await client.enqueue_many([Enqueue(job="crowd", input={"payload": part})] * (per_second // PARTS))
        part += 1
        await asyncio.sleep(max(0.0, begin + part / PARTS - time.monotonic()))


async def main(kind: str, count: int, per_second: float, others: int) -> float:
    begin = time.monotonic()
    async with AsyncClient() as client, AsyncClient() as busy:
        crowding = asyncio.create_task(crowd(busy, others))
        await appoint(client, kind, count, per_second)
        await asyncio.sleep(2 * AFTER)
        crowding.cancel()
        await asyncio.gather(crowding, return_exceptions=True)
    return time.monotonic() - begin


if __name__ == "__main__":
    kind, count, per_second, others = sys.argv[1:]
    print(json.dumps({"seconds": asyncio.run(main(kind, int(count), float(per_second), int(others)))}))
