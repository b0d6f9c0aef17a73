"""python -m bench.mainspring.steady SECONDS: a steady 50 runs a second, one call each, until the time is up.

Half of them fall due a second later: they wait in the queue and are claimed, while a run that is due at once goes
straight to an executor with room.
"""

import asyncio
import sys
import time

from bench.mainspring.names import NOOP
from mainspring.client import AsyncClient, Enqueue

PER_SECOND = 50.0


async def steady(seconds: float) -> None:
    begin = time.monotonic()
    async with AsyncClient() as client:
        for number in range(int(seconds * PER_SECOND)):
            await asyncio.sleep(max(0.0, begin + number / PER_SECOND - time.monotonic()))
            await client.send(Enqueue(job=NOOP, input={"payload": number}, delay=1.0 if number % 2 else None))


if __name__ == "__main__":
    asyncio.run(steady(float(sys.argv[1])))
