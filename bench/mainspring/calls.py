"""python -m bench.mainspring.calls SECONDS: calls the API 20 times a second and prints how long each call took.

In turn: one run by its id, a page of runs, a new run. Of each kind it prints pairs: when a call was to begin on the monotonic
clock, and the milliseconds until its answer was there.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable

from bench.mainspring.names import NOOP
from mainspring.client import AsyncClient

PER_SECOND = 20.0

Timed = list[tuple[float, float]]


async def call_all(seconds: float) -> dict[str, Timed]:
    async with AsyncClient() as client:
        page = await client.list(limit=1)
        known = page.runs[0].id
        kinds: dict[str, Callable[[], Awaitable[object]]] = {
            "get": lambda: client.get(known),
            "list": client.list,
            "post": lambda: client.enqueue(NOOP, {"payload": 0}),
        }
        return await paced(kinds, seconds)


async def paced(kinds: dict[str, Callable[[], Awaitable[object]]], seconds: float) -> dict[str, Timed]:
    """Milliseconds of each call, counted from the instant at which it was to begin, so that no wait is overlooked."""
    took: dict[str, Timed] = {kind: [] for kind in kinds}
    begin = time.monotonic()
    for number in range(int(seconds * PER_SECOND)):
        at = begin + number / PER_SECOND
        await asyncio.sleep(max(0.0, at - time.monotonic()))
        kind = list(kinds)[number % len(kinds)]
        await kinds[kind]()
        took[kind].append((at, (time.monotonic() - at) * 1000))
    return took


if __name__ == "__main__":
    print(json.dumps(asyncio.run(call_all(float(sys.argv[1])))))
