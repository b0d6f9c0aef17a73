"""A third server joins two that have all executors and runs."""

from mainspring.client.transport.requests import Enqueue
from proof.fleet.stage import Stage, client_of
from tests.support.processes import eventually

EXECUTORS, PROCESSES, RUNS = 60, 3, 6_000
SECONDS = 45.0
"""Of each run: all are under way while the third server takes its share."""
WITHIN, NEAR = 30.0, 0.2


async def join(stage: Stage, _rate: float) -> bool:
    servers = [await stage.server(number) for number in range(2)]
    each = EXECUTORS // PROCESSES
    for number in range(PROCESSES):
        stage.many(each, f"p{number}", RUNS // EXECUTORS, *servers)
    async with client_of(*servers) as client:

        async def attached() -> list[int]:
            return [one.executors for one in (await client.servers.list()).servers]

        async def all_attached() -> bool:
            return sum(await attached()) == EXECUTORS

        await eventually(all_attached, "sixty executors", within=120.0)
        runs = await client.enqueue_many([Enqueue(job="work", input={"seconds": SECONDS})] * RUNS)
        await eventually(lambda: len(stage.ledger.starts()) == RUNS, "all runs under way", within=120.0)
        third = await stage.server(2)
        began, took = stage.clock.monotonic(), 0.0
        while not took and stage.clock.monotonic() - began < 2 * WITHIN:
            counts = await attached()
            print(f"  {stage.clock.monotonic() - began:5.1f} s: {counts}", flush=True)
            if is_shared(counts):
                took = stage.clock.monotonic() - began
            await stage.clock.sleep(2.0)
        await eventually(lambda: len(stage.ledger.ends()) == RUNS, "the end of all runs", within=240.0)
    starts = stage.ledger.starts()
    doubled = sum(len(entries) > 1 for entries in starts.values())
    lost = sum(max(entry.attempt for entry in entries) > 1 for entries in starts.values())
    print(f"{third.url} had its share after {took:.0f} s; {len(runs)} runs: {lost} lost, {doubled} begun twice")
    return 0 < took <= WITHIN and not lost and not doubled


def is_shared(counts: list[int]) -> bool:
    """Whether each of three has its share, within a fifth."""
    share = EXECUTORS / 3
    return len(counts) == 3 and all(abs(count - share) <= NEAR * share for count in counts)
