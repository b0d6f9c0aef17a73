"""python -m bench.mainspring.fill JOB COUNT DAYS [KEYS]: fills the store through the API's bulk call.

Runs fall due now, or if DAYS is not 0 at a random instant between one day ahead and that many. With KEYS, each has
one of so many keys in its input, in turn.
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


def batches(job: str, count: int, days: float, keys: int) -> Iterator[list[Enqueue]]:
    for begin in range(0, count, CHUNK):
        numbers = range(begin, min(begin + CHUNK, count))
        yield [Enqueue(job=job, input=input_of(number, keys), due_at=due_at(days)) for number in numbers]


def input_of(number: int, keys: int) -> dict[str, int]:
    return {"payload": number, "key": number % keys} if keys else {"payload": number}


def due_at(days: float) -> dt.datetime | None:
    return dt.datetime.fromtimestamp(time.time() + random.uniform(1, days) * DAY, dt.UTC) if days else None


async def fill(job: str, count: int, days: float, keys: int) -> float:
    begin = time.monotonic()
    async with AsyncClient(patience=600) as client:
        await send_all(client, batches(job, count, days, keys))
    return time.monotonic() - begin


if __name__ == "__main__":
    job, count, days, *keys = sys.argv[1:]
    print(json.dumps({"seconds": asyncio.run(fill(job, int(count), float(days), int(keys[0]) if keys else 0))}))
