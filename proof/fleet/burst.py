"""A burst of runs on `mainspring executor --processes 1:8`, and the calm after it."""

from itertools import pairwise

import psutil

from mainspring.client.transport.requests import Enqueue
from proof.fleet.stage import Stage, client_of
from tests.support.processes import eventually

SECONDS, MOST = 0.5, 8
UP_WITHIN, DOWN_WITHIN, TURNS = 10.0, 120.0, 2
LOOK = 0.5


async def burst(stage: Stage, rate: float) -> bool:
    """`rate` is how many runs come at once."""
    server = await stage.server(0)
    executor = stage.fleet.executor(
        "proof.fleet.jobs:app", server, name="burst", pools=("threads=4:4:8",), processes=f"1:{MOST}"
    )
    parent = psutil.Process(executor.pid)
    async with client_of(server) as client:
        await server.ready(executors=1)
        count = round(rate)
        await client.enqueue_many([Enqueue(job="block", input={"seconds": SECONDS})] * count)
        began = stage.clock.monotonic()
        seen: list[tuple[float, int]] = []

        async def over() -> bool:
            await stage.clock.sleep(LOOK)
            seen.append((stage.clock.monotonic() - began, len(parent.children())))
            return len(stage.ledger.ends()) >= count

        await eventually(over, "the end of the burst", within=600.0)
        ended = stage.clock.monotonic() - began

        async def small() -> bool:
            await over()
            return seen[-1][1] <= 1

        await eventually(small, "one process", within=2 * DOWN_WITHIN)
    up = next((at for at, processes in seen if processes >= MOST), float("inf"))
    down = seen[-1][0] - ended
    turns = turns_of([processes for _, processes in seen])
    twice = sum(len(entries) > 1 for entries in stage.ledger.starts().values())
    print(f"{count} runs of {SECONDS} s: {MOST} processes after {up:.1f} s; over after {ended:.0f} s")
    print(f"one process {down:.0f} s later; turns {turns}, begun twice {twice}")
    return up <= UP_WITHIN and down <= DOWN_WITHIN and turns <= TURNS and not twice


def turns_of(counts: list[int]) -> int:
    """How often growing turned into shrinking or back, and the first growth."""
    ways = [after > before for before, after in pairwise(counts) if after != before]
    return sum(one != other for one, other in pairwise(ways)) + bool(ways)
