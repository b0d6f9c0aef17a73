"""python -m bench.mainspring.triggers COUNT EXPRESSION...: loads triggers of the no-op job through the API's bulk call.

They are numbered from 1, which is the payload of their runs, and take the expressions in turn; `{minute}` in one stands for
the trigger's own minute of the hour.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from bench.mainspring.names import NOOP
from mainspring.client import AsyncClient

CHUNK = 5000
CONNECTIONS = 2
MINUTES = 60


def triggers(count: int, expressions: Sequence[str]) -> Iterator[dict[str, Any]]:
    for number in range(1, count + 1):
        expression = expressions[number % len(expressions)].format(minute=number % MINUTES)
        when = {"kind": "cron", "expressions": [expression]}
        yield {"name": f"bench-{number}", "job": NOOP, "when": when, "input": {"payload": number}}


async def load(count: int, expressions: Sequence[str]) -> float:
    """Requests of 5,000, two under way at a time, so that the server works while the client encodes."""
    rest = triggers(count, expressions)
    begin = time.monotonic()
    async with AsyncClient() as client:

        async def send() -> None:
            while batch := list(islice(rest, CHUNK)):
                await client.triggers.load(batch)

        await asyncio.gather(*(send() for _ in range(CONNECTIONS)))
    return time.monotonic() - begin


if __name__ == "__main__":
    number, *texts = sys.argv[1:]
    print(json.dumps({"seconds": asyncio.run(load(int(number), texts))}))
