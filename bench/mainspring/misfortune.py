"""python -m bench.mainspring.misfortune JOBS RUNS SECONDS: enqueues runs that fail, at an even pace: of each job so many.

Prints when the runs of each job were asked for, in seconds of the clock of the wall.
"""

import asyncio
import json
import sys
import time

from bench.mainspring.names import failing_name
from mainspring.client import AsyncClient, Enqueue


async def one_by_one(client: AsyncClient, jobs: int, pause: float) -> dict[str, float]:
    """One run of each job, so far apart."""
    asked: dict[str, float] = {}
    for number in range(jobs):
        asked[failing_name(number)] = time.time()
        await client.send(Enqueue(job=failing_name(number), input={"payload": number}))
        await asyncio.sleep(pause)
    return asked


async def storm(client: AsyncClient, jobs: int, runs: int, seconds: float) -> dict[str, float]:
    """Runs of all jobs at once, again and again."""
    names, begin = [failing_name(number) for number in range(jobs)], time.monotonic()
    asked = dict.fromkeys(names, time.time())
    for turn in range(runs):
        await client.enqueue_many([Enqueue(job=name, input={"payload": turn}) for name in names])
        await asyncio.sleep(max(0.0, begin + (turn + 1) * seconds / runs - time.monotonic()))
    return asked


async def main(jobs: int, runs: int, seconds: float) -> dict[str, float]:
    async with AsyncClient() as client:
        if runs == 1:
            return await one_by_one(client, jobs, seconds / jobs)
        return await storm(client, jobs, runs, seconds)


if __name__ == "__main__":
    jobs, runs, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(main(int(jobs), int(runs), float(seconds)))))
