"""python -m bench.console.viewers [--viewers 200] [--seconds 20] [--rate 50]: the cost of people who look, beside the work.

Each viewer holds a stream of changes as a browser does, and reads the overview every three seconds. Rounds with and without
viewers take turns within one life of the server, so that what else the machine does meets both.
"""

import argparse
import asyncio
import json
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from bench.console.place import TOKEN, Place, opened
from bench.stats import percentile

EVERY = 3.0
BATCH = 10


@dataclass(slots=True)
class Round:
    """Processor seconds of the server for each second, bytes to viewers, and seconds from accepted to started."""

    viewers: int
    share: float = 0.0
    received: int = 0
    delays: list[float] = field(default_factory=list)


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
        reader, writer = await self._open("overview")
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(
                next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")).split()[1]
            )
            self.received += len(await reader.readexactly(length))
            await asyncio.sleep(EVERY)
            self._ask(writer, "overview")


async def one_round(place: Place, viewers: int, seconds: float, rate: float) -> Round:
    found = Round(viewers)
    looking = [Viewer(place.url) for _ in range(viewers)]
    tasks = [asyncio.create_task(viewer.look()) for viewer in looking]
    # The streams are opened, and counted from then on.
    await asyncio.sleep(2.0)
    received, spent, begin = sum(one.received for one in looking), place.processor_seconds(), time.monotonic()
    made: list[str] = []
    while time.monotonic() < begin + seconds:
        bodies = {"runs": [{"job": "greet", "input": {"name": "viewed"}}] * BATCH}
        made += [one["id"] for one in (await asyncio.to_thread(place.call, "POST", "runs", bodies))[1]["runs"]]
        await asyncio.sleep(BATCH / rate)
    passed = time.monotonic() - begin
    found.share = (place.processor_seconds() - spent) / passed
    found.received = int((sum(one.received for one in looking) - received) / passed)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    runs = [(await asyncio.to_thread(place.call, "GET", f"runs/{run}?wait=30"))[1] for run in made]
    found.delays = [moment(run["started_at"]) - moment(run["created_at"]) for run in runs]
    return found


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


async def measure(place: Place, viewers: int, seconds: float, rate: float, rounds: int) -> list[Round]:
    await one_round(place, 0, 2.0, rate)
    return [await one_round(place, number, seconds, rate) for _ in range(rounds) for number in (0, viewers)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.console.viewers", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, opened(options.database, Path(folder)) as place:
        found = asyncio.run(measure(place, options.viewers, options.seconds, options.rate, options.rounds))
    for one in found:
        delays = f"start p50 {percentile(one.delays, 0.5) * 1000:.1f} p99 {percentile(one.delays, 0.99) * 1000:.1f} ms"
        print(f"{one.viewers:4} viewers: {one.share:6.1%} of a core, {one.received / 1000:8.1f} kB/s, {delays}")
    means = {number: sum(one.share for one in found if one.viewers == number) for number in (0, options.viewers)}
    print(f"viewers cost {(means[options.viewers] - means[0]) / options.rounds:.1%} of a core")
    print(json.dumps([one.share for one in found]))


if __name__ == "__main__":
    main()
