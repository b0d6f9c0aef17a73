"""One scrape of 100 namespaces and 500 queues: its time, its size, and the longest that it holds the event loop."""

import asyncio
import time
from datetime import datetime
from itertools import pairwise, product

from bench.measurement import Measurement
from bench.options import Options
from bench.systems.mainspring_drain import Drainable
from mainspring.clock import SystemClock
from mainspring.domain.ids import Ids
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.metrics.exposition import write
from mainspring.domain.queues.line import ADDRESS_ANY, JOB_ANY, Line
from mainspring.domain.queues.rollup import EDGES, Rolled, Rollup, Spread
from mainspring.domain.runs.run import RunState
from mainspring.scheduler.engine import Scheduler
from mainspring.scheduler.facts import RunsRolledUp
from mainspring.settings import SchedulerSettings
from mainspring.store import open_store

NAMESPACES, QUEUES = 100, 5
ROUNDS = 5


def scrape(system: Drainable, _options: Options) -> list[Measurement]:
    url = system.here.environment["MAINSPRING_DATABASE_URL"]
    seconds, size, held = asyncio.run(measure(url))
    details = {**system.details, "namespaces": NAMESPACES, "queues": NAMESPACES * QUEUES, "rounds": ROUNDS}
    return [
        Measurement("seen", system.name, "scrape", seconds * 1000, "ms", details),
        Measurement("seen", system.name, "scrape size", size / 1024**2, "MB", details),
        Measurement("seen", system.name, "scrape holds the loop", held * 1000, "ms", details),
    ]


async def measure(url: str) -> tuple[float, int, float]:
    """Processor seconds, bytes, and the longest piece in processor seconds, each of the best of some rounds."""
    store, clock = await open_store(url), SystemClock()
    try:
        now = clock.now()
        for number in range(NAMESPACES):
            await store.jobs.register(f"space-{number}", [JobSpec(name="noop", handler="noop")], now=now)
        server = Scheduler(store, SchedulerSettings(name="bench"), clock, Ids())
        await server.catalog.tick()
        lines = [
            Line(f"space-{number}", f"queue-{queue}", "noop", ADDRESS_ANY, JOB_ANY)
            for number, queue in product(range(NAMESPACES), range(QUEUES))
        ]
        await server.catalog.make_lines(lines)
        await server.observation.surveying.tick()
        server.facts.publish(RunsRolledUp(Rolled(now, [counted(number, now) for number in server.catalog.lines])))
        rounds = [await one(server) for _ in range(ROUNDS)]
        return min(each[0] for each in rounds), rounds[0][1], min(each[2] for each in rounds)
    finally:
        await store.close()


def counted(line: int, now: datetime) -> Rollup:
    """A minute of a queue, with runs in many buckets."""
    spread = Spread(sum=1_000_000, max=500_000, counts=tuple(range(1, len(EDGES) + 2)))
    return Rollup(at=now, line=line, job=1, state=RunState.SUCCEEDED, runs=300, wait=spread, duration=spread)


async def one(server: Scheduler) -> tuple[float, int, float]:
    began = time.process_time()
    found = server.metrics.collect()
    pieces, marks = [], [began, time.process_time()]
    for series in found:
        for piece in write(series):
            pieces.append(piece)
            marks.append(time.process_time())
    held = max(after - before for before, after in pairwise(marks))
    return marks[-1] - began, len("".join(pieces).encode()), held
