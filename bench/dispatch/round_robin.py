"""Round-robin over eight executors, which two servers share: how far from even their counts are."""

import subprocess
import time

from bench.mainspring.names import IN_TURN
from bench.measurement import Measurement
from bench.options import Options
from bench.processes import stop
from bench.servers import free_port
from bench.starts import count_starts
from bench.systems.mainspring_drain import Drainable, DrainError
from bench.systems.mainspring_installation import Executor, Installation

EXECUTORS = 8
COUNT = 80_000
APP = "bench.mainspring.routed:app"
PATIENCE = 240.0
PAUSE = 0.1


def round_robin(system: Drainable, options: Options) -> list[Measurement]:
    count, place = options.scaled(COUNT), system.here
    urls = [place.environment["MAINSPRING_URL"]]
    # A file of SQLite has one server.
    second = start_second(place) if place.store.kind == "postgres" else None
    if second is not None:
        urls.append(second[0])
    try:
        executors = [start_executor(place, urls[n % len(urls)]) for n in range(EXECUTORS)]
        wait_for_all(place, executors)
        began = time.monotonic()
        place.ask("fill", IN_TURN, str(count), "0")
        counts = wait_until_started(place, executors, count)
        seconds = time.monotonic() - began
    finally:
        if second is not None:
            stop(second[1])
    even = count / EXECUTORS
    worst = max(abs(one - even) for one in counts) / even * 100
    details = {**system.details, "count": count, "servers": len(urls), "counts": counts, "seconds": seconds}
    return [Measurement("dispatch", system.name, "round-robin off even", worst, "%", details)]


def start_second(place: Installation) -> tuple[str, subprocess.Popen[bytes]]:
    port = free_port()
    process = place.start("server-2.log", "-m", "mainspring", "server", "--port", str(port))
    return f"http://127.0.0.1:{port}", process


def start_executor(place: Installation, url: str) -> Executor:
    return place.start_executor(APP, "--server", url, "--pool", "loop=0:500:1000")


def wait_for_all(place: Installation, executors: list[Executor]) -> None:
    """Until each is known to the cluster: a run of each is not enough, so the sessions are counted."""
    question = f"SELECT count(*) FROM {place.store.schema}sessions WHERE state = 0"
    with place.store.read() as reader:
        place.wait(lambda: reader.value(question) >= len(executors), "not all executors connected")
    # The catalog of the other server hears of them within a poll.
    time.sleep(2 * PAUSE)


def wait_until_started(place: Installation, executors: list[Executor], count: int) -> list[int]:
    deadline = time.monotonic() + PATIENCE
    while sum(counts := [count_starts(one.probe) for one in executors]) < count:
        place.check_alive()
        if time.monotonic() > deadline:
            raise DrainError(f"only {sum(counts)} of {count} runs were started\n{place.log()}")
        time.sleep(PAUSE)
    return counts
