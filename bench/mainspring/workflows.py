"""The app of workflows whose steps do nothing, and `python -m bench.mainspring.workflows SHAPE`, which runs them."""

import asyncio
import json
import sys
import time
from contextlib import suppress

from mainspring import App, Context, RetryPolicy
from mainspring.client import AsyncClient
from mainspring.errors import RunFailedError

app = App("workflows")
CHAIN, LAYERS, WIDE, ITEMS = 1_000, 10, 100, 10_000
CHAINS, LINKS = 1_000, 10
BROKEN = 100
"""Items of a map that fail the first time."""
PATIENCE = 120.0
PAUSE = 0.05
LIVE = ("queued", "waiting", "running")


@app.job
async def step(n: int) -> int:
    return n


@app.job
async def rows(n: int) -> list[int]:
    return list(range(n))


@app.job
async def total(numbers: list[int]) -> int:
    return sum(numbers)


@app.job
async def join(n: int) -> int:
    return n


@app.job(retry=RetryPolicy(attempts=1))
async def attempt(ctx: Context, n: int) -> int:
    if n >= ITEMS - BROKEN and ctx.attempt == 1:
        raise ValueError("not yet")
    return ctx.attempt


@app.workflow
def chain(n: int) -> int:
    """A thousand steps, one after the other."""
    value = step.step(n)
    for _ in range(CHAIN - 1):
        value = step.step(value)
    return value


@app.workflow
def layers(n: int) -> int:
    """Ten layers of a hundred steps, each layer after a step that joins the one before."""
    joined = join.step(n)
    for _ in range(LAYERS):
        joined = join.as_step(after=[step.step(joined) for _ in range(WIDE)])(n)
    return joined


@app.workflow
def mapped(n: int) -> int:
    """A map over a list, and the sum of it."""
    return total.step(step.map(rows.step(n)))


@app.workflow
def broken(n: int) -> int:
    """A map whose last items fail the first time, and the number of attempts that all items took."""
    return total.step(attempt.as_step(failures_max=BROKEN - 1).map(rows.step(n)))


@app.workflow
def links(n: int) -> int:
    """Ten steps, one after the other."""
    value = step.step(n)
    for _ in range(LINKS - 1):
        value = step.step(value)
    return value


async def resume(client: AsyncClient) -> float:
    """From the request to run the failed items of a map again to the result of its workflow."""
    handle = await client.enqueue("broken", {"n": ITEMS})
    with suppress(RunFailedError):
        await handle.result(timeout=PATIENCE)
    began = time.monotonic()
    await client.workflows.resume(handle.id)
    attempts = await handle.result(timeout=PATIENCE)
    took = time.monotonic() - began
    if attempts != ITEMS + BROKEN:
        raise AssertionError(f"{attempts} attempts of {ITEMS} items, of which {BROKEN} had failed once")
    return took


async def seconds(shape: str) -> float:
    """From the first request to the last result."""
    async with AsyncClient() as client:
        await client.list(limit=1)
        began = time.monotonic()
        if shape == "broken":
            return await resume(client)
        if shape == "chains":
            calls = [links.call(n) for n in range(CHAINS)]
            await client.enqueue_many(calls)
            while (await client.list(job="links", states=LIVE, limit=1)).runs:  # noqa: ASYNC110 nobody tells
                await asyncio.sleep(PAUSE)
        else:
            count = ITEMS if shape == "mapped" else 1
            handle = await client.enqueue(shape, {"n": count})
            await handle.result(timeout=PATIENCE)
        return time.monotonic() - began


if __name__ == "__main__":
    print(json.dumps({"seconds": asyncio.run(seconds(sys.argv[1]))}))
