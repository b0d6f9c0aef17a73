"""python -m bench.mainspring.trickle JOB COUNT PER_SECOND: enqueues runs of key 1, at an even pace.

The payload of each is the instant at which it was to be sent, so that no wait is overlooked.
"""

import asyncio
import json
import sys
import time

from mainspring.client import AsyncClient


async def trickle(job: str, count: int, per_second: float) -> float:
    begin = time.monotonic()
    async with AsyncClient() as client:
        for number in range(count):
            at = begin + number / per_second
            await asyncio.sleep(max(0.0, at - time.monotonic()))
            await client.enqueue(job, {"payload": at, "key": 1})
    return time.monotonic() - begin


if __name__ == "__main__":
    job, count, per_second = sys.argv[1:]
    print(json.dumps({"seconds": asyncio.run(trickle(job, int(count), float(per_second)))}))
