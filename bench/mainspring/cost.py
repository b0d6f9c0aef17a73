"""python -m bench.mainspring.cost COUNT: processor time of this process for one enqueue after the other, by each client."""

import asyncio
import json
import sys
import time

from bench.mainspring.names import NOOP
from mainspring.client import AsyncClient, Client


async def call_async(count: int) -> float:
    async with AsyncClient() as client:
        await client.enqueue(NOOP, {"payload": 0})
        used = time.process_time()
        for number in range(count):
            await client.enqueue(NOOP, {"payload": number})
        return (time.process_time() - used) / count


def call(count: int) -> float:
    with Client() as client:
        client.enqueue(NOOP, {"payload": 0})
        used = time.process_time()
        for number in range(count):
            client.enqueue(NOOP, {"payload": number})
        return (time.process_time() - used) / count


if __name__ == "__main__":
    count = int(sys.argv[1])
    print(json.dumps({"AsyncClient": asyncio.run(call_async(count)), "Client": call(count)}))
