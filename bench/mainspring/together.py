"""python -m bench.mainspring.together COUNT: 1,000 coroutines, each of which awaits one enqueue after the other."""

import asyncio
import json
import sys
import time
from collections.abc import Iterator

from bench.mainspring.names import NOOP
from mainspring.client import AsyncClient

CALLERS = 1000


async def call(client: AsyncClient, turns: Iterator[int]) -> None:
    for number in turns:
        await client.enqueue(NOOP, {"payload": number})


async def main(count: int) -> dict[str, float]:
    async with AsyncClient(batching=True) as client:
        await client.enqueue(NOOP, {"payload": 0})
        turns = iter(range(count))
        begin, used = time.monotonic(), time.process_time()
        await asyncio.gather(*(call(client, turns) for _ in range(CALLERS)))
        return {"seconds": time.monotonic() - begin, "processor": time.process_time() - used}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(int(sys.argv[1])))))
