"""python -m bench.console.viewers [--viewers 200] [--seconds 20] [--rate 50] [--drain 60000]: the cost of people who look.

Each viewer holds a stream of changes as a browser does, and reads the overview every three seconds, beginning at a moment of
its own. Rounds with and without viewers take turns within one life of the server, so that what else the machine does meets
both: first of runs that start one after the other, then of drains. Where viewers and work share a processor, a drain takes
longer for what the viewers themselves compute, so its processor time tells more than its rate.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from bench.console.place import TOKEN, Place, opened
from bench.stats import percentile

EVERY = 3.0
BATCH = 10
BULK = 1000
LOOK = 0.05
LIVE = "runs?limit=1&state=queued&state=waiting&state=running"


@dataclass(slots=True)
class Round:
    """Processor seconds of the server for each second, bytes to viewers, and seconds from accepted to started."""

    viewers: int
    share: float = 0.0
    received: int = 0
    delays: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Drain:
    """Runs a second, and processor seconds for each thousand: of all that works, viewers left out, and of the server alone."""

    viewers: int
    rate: float
    work: float
    server: float


class Viewer:
    """One browser: its stream, and its reads of the overview."""

    def __init__(self, url: str) -> None:
        where = urlsplit(url)
        self._host, self._port = where.hostname or "", where.port or 80
        self.received = 0

    async def look(self) -> None:
        await asyncio.gather(self._follow(), self._read())

    async def _open(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        self._ask(writer, path)
        return reader, writer

    def _ask(self, writer: asyncio.StreamWriter, path: str) -> None:
        lines = (f"GET /api/v1/{path} HTTP/1.1", f"host: {self._host}", f"authorization: Bearer {TOKEN}", "", "")
        writer.write("\r\n".join(lines).encode())

    async def _follow(self) -> None:
        reader, _ = await self._open("events/stream")
        while content := await reader.read(65_536):
            self.received += len(content)

    async def _read(self) -> None:
        await asyncio.sleep(random.uniform(0, EVERY))
        reader, writer = await self._open("overview")
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(
                next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")).split()[1]
            )
            self.received += len(await reader.readexactly(length))
            await asyncio.sleep(EVERY)
            self._ask(writer, "overview")


@asynccontextmanager
async def watched(place: Place, viewers: int) -> AsyncIterator[list[Viewer]]:
    """That many viewers, all of whom have begun."""
    looking = [Viewer(place.url) for _ in range(viewers)]
    tasks = [asyncio.create_task(viewer.look()) for viewer in looking]
    await asyncio.sleep(EVERY + 0.5)
    try:
        yield looking
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def one_round(place: Place, viewers: int, seconds: float, rate: float) -> Round:
    found = Round(viewers)
    made: list[str] = []
    async with watched(place, viewers) as looking:
        received, spent, begin = sum(one.received for one in looking), place.processor_seconds(), time.monotonic()
        while time.monotonic() < begin + seconds:
            made += await asyncio.to_thread(enqueue, place, BATCH)
            await asyncio.sleep(BATCH / rate)
        passed = time.monotonic() - begin
        found.share = (place.processor_seconds() - spent) / passed
        found.received = int((sum(one.received for one in looking) - received) / passed)
    runs = [(await asyncio.to_thread(place.call, "GET", f"runs/{run}?wait=30"))[1] for run in made]
    found.delays = [moment(run["started_at"]) - moment(run["created_at"]) for run in runs]
    return found


async def one_drain(place: Place, viewers: int, runs: int) -> Drain:
    """The queue is held while it is filled, so that all of them are there when it is let go."""
    await asyncio.to_thread(place.call, "POST", "queues/default/pause", {"reason": "filling"})
    for _ in range(runs // BULK):
        await asyncio.to_thread(enqueue, place, BULK)
    async with watched(place, viewers):
        work, server, begin = place.processor_of_all(), place.processor_seconds(), time.monotonic()
        await asyncio.to_thread(let_go, place)
        passed = time.monotonic() - begin
        work, server = place.processor_of_all() - work, place.processor_seconds() - server
    return Drain(viewers, runs / passed, work / runs * 1000, server / runs * 1000)


def let_go(place: Place) -> None:
    """Until no run is left."""
    place.call("POST", "queues/default/resume")
    while place.call("GET", LIVE)[1]["runs"]:
        time.sleep(LOOK)


def enqueue(place: Place, count: int) -> list[str]:
    _, made = place.call("POST", "runs", {"runs": [{"job": "greet", "input": {"name": "viewed"}}] * count})
    return [one["id"] for one in made["runs"]]


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


async def measure(place: Place, options: argparse.Namespace) -> tuple[list[Round], list[Drain]]:
    await one_round(place, 0, 2.0, options.rate)
    numbers = [number for _ in range(options.rounds) for number in (0, options.viewers)]
    rounds = [await one_round(place, number, options.seconds, options.rate) for number in numbers if options.seconds]
    return rounds, [await one_drain(place, number, options.drain) for number in numbers if options.drain]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.console.viewers", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15.0, help="of one round of starts; 0: none")
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--drain", type=int, default=60_000, help="runs of one drain; 0: none")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened(options.database, Path(folder)) as place:
        rounds, drains = asyncio.run(measure(place, options))
    if rounds:
        show_rounds(rounds, options)
    if drains:
        show_drains(drains, options.viewers)


def show_rounds(rounds: list[Round], options: argparse.Namespace) -> None:
    for one in rounds:
        delays = f"start p50 {percentile(one.delays, 0.5) * 1000:.1f} p99 {percentile(one.delays, 0.99) * 1000:.1f} ms"
        print(f"{one.viewers:4} viewers: {one.share:6.1%} of a core, {one.received / 1000:8.1f} kB/s, {delays}")
    means = {number: sum(one.share for one in rounds if one.viewers == number) for number in (0, options.viewers)}
    print(f"viewers cost {(means[options.viewers] - means[0]) / options.rounds:.1%} of a core")
    print(json.dumps([one.share for one in rounds]))


def show_drains(drains: list[Drain], viewers: int) -> None:
    for one in drains:
        print(
            f"{one.viewers:4} viewers: drained {one.rate:,.0f}/s, of processors {one.work * 1000:.0f} ms for 1,000 runs, "
            f"{one.server * 1000:.0f} ms of the server"
        )
    alone, beside = ([one for one in drains if one.viewers == number] for number in (0, viewers))
    for name in ("rate", "work"):
        ratios = [getattr(two, name) / getattr(one, name) for one, two in zip(alone, beside, strict=True)]
        print(f"{name} beside viewers over alone: {', '.join(f'{ratio:.3f}' for ratio in ratios)}")


if __name__ == "__main__":
    main()
