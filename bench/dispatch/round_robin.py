"""Round-robin over eight executors, which two servers share: how far from even their counts are."""

import time

from bench.dispatch.clusters import servers_of, wait_for_all, wait_until
from bench.mainspring.names import IN_TURN
from bench.measurement import Measurement
from bench.options import Options
from bench.starts import count_starts
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_installation import Executor, Installation

EXECUTORS = 8
COUNT = 80_000
APP = "bench.mainspring.routed:app"
PATIENCE = 240.0


def round_robin(system: Drainable, options: Options) -> list[Measurement]:
    count, place = options.scaled(COUNT), system.here
    with servers_of(place) as urls:
        executors = [start_executor(place, urls[n % len(urls)]) for n in range(EXECUTORS)]
        wait_for_all(place, executors)
        began = time.monotonic()
        place.ask("fill", IN_TURN, str(count), "0")
        wait_until(place, lambda: sum(counts_of(executors)) >= count, f"not all of {count} runs started", PATIENCE)
        seconds = time.monotonic() - began
    counts = counts_of(executors)
    even = count / EXECUTORS
    worst = max(abs(one - even) for one in counts) / even * 100
    details = {**system.details, "count": count, "servers": len(urls), "counts": counts, "seconds": seconds}
    return [Measurement("dispatch", system.name, "round-robin off even", worst, "%", details)]


def start_executor(place: Installation, url: str) -> Executor:
    return place.start_executor(APP, "--server", url, "--pool", "loop=0:500:1000")


def counts_of(executors: list[Executor]) -> list[int]:
    return [count_starts(one.probe) for one in executors]
