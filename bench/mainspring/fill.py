"""python -m bench.mainspring.fill JOB COUNT DAYS: fills the store through the API's bulk call.

Runs fall due now, or if DAYS is not 0 at a random instant between one day ahead and that many.
"""

import asyncio
import datetime as dt
import json
import random
import sys
import time
from collections.abc import Iterator

from bench.mainspring.sending import CHUNK, send_all
from mainspring.client import AsyncClient, Enqueue

DAY = 86_400.0


def batches(job: str, count: int, days: float) -> Iterator[list[Enqueue]]:
    for begin in range(0, count, CHUNK):
        numbers = range(begin, min(begin + CHUNK, count))
        yield [Enqueue(job=job, input={"payload": number}, due_at=due_at(days)) for number in numbers]


def due_at(days: float) -> dt.datetime | None:
    return dt.datetime.fromtimestamp(time.time() + random.uniform(1, days) * DAY, dt.UTC) if days else None


async def fill(job: str, count: int, days: float) -> float:
    begin = time.monotonic()
    async with AsyncClient() as client:
        await send_all(client, batches(job, count, days))
    return time.monotonic() - begin


if __name__ == "__main__":
    job, count, days = sys.argv[1:]
    print(json.dumps({"seconds": asyncio.run(fill(job, int(count), float(days)))}))
