"""Clusters of two servers for the rows that need them, with executors of their own on each."""

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from bench.processes import stop
from bench.servers import free_port
from bench.systems.mainspring_drain import DrainError
from bench.systems.mainspring_installation import Executor, Installation

PAUSE = 0.1


@contextmanager
def servers_of(place: Installation) -> Iterator[list[str]]:
    """The addresses of two servers; a file of SQLite has one."""
    urls = [place.environment["MAINSPRING_URL"]]
    second = start_second(place) if place.store.kind == "postgres" else None
    if second is not None:
        urls.append(second[0])
    try:
        yield urls
    finally:
        if second is not None:
            stop(second[1])


def start_second(place: Installation) -> tuple[str, subprocess.Popen[bytes]]:
    port = free_port()
    process = place.start("server-2.log", "-m", "mainspring", "server", "--port", str(port))
    return f"http://127.0.0.1:{port}", process


def wait_for_all(place: Installation, executors: Sequence[Executor]) -> None:
    """Until each is known to the cluster: a run of each is not enough, so the sessions are counted."""
    question = f"SELECT count(*) FROM {place.store.schema}sessions WHERE state = 0"
    with place.store.read() as reader:
        place.wait(lambda: reader.value(question) >= len(executors), "not all executors connected")
    # The catalog of the other server hears of them within a poll.
    time.sleep(2 * PAUSE)


def wait_until(place: Installation, done: Callable[[], bool], complaint: str, patience: float) -> None:
    """Look ten times a second, and fail with the logs when patience ends."""
    deadline = time.monotonic() + patience
    while not done():
        place.check_alive()
        if time.monotonic() > deadline:
            raise DrainError(f"{complaint}\n{place.log()}")
        time.sleep(PAUSE)
