"""`python -m proof.fleet.links COUNT FILE URL …`: many executors on one loop, each with a link and a session of its own."""

import asyncio
import os
import sys
from pathlib import Path

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.executor.link.dialling import ServerConnection
from mainspring.executor.link.link import Link
from mainspring.executor.link.websocket import WebSocketDial
from mainspring.executor.process.assembly import Assembly
from mainspring.settings import ExecutorSettings
from proof.fleet.jobs import app
from tests.support.processes import EXECUTOR_TOKEN


class NotedDial:
    """Writes down the instant of each dial, by the clock that all processes of a machine share."""

    def __init__(self, path: Path) -> None:
        self._dial = WebSocketDial(EXECUTOR_TOKEN)
        self._clock = SystemClock()
        self._file = path.open("a", buffering=1)

    async def __call__(self, url: str, within: float) -> ServerConnection:
        self._file.write(f"{self._clock.monotonic()!r}\n")
        return await self._dial(url, within)


async def serve(number: int, urls: list[str], dial: NotedDial) -> None:
    loop, clock = asyncio.get_running_loop(), SystemClock()
    pools = (PoolSize(Pool.LOOP, 0, 1, 1), PoolSize(Pool.THREADS, 0, 1, 1))
    settings = ExecutorSettings(servers=tuple(urls), token=EXECUTOR_TOKEN, name=f"link-{number}", pools=pools)
    made = Assembly(app.handlers, settings, "", clock=clock, entropy=os.urandom, user_loop=loop, link_loop=loop)
    link = Link(made.session, urls, dial, clock=clock, entropy=os.urandom)
    await asyncio.gather(link.receive(), link.send(), link.watch())


async def main() -> None:
    count, path, *urls = sys.argv[1:]
    dial = NotedDial(Path(path))
    await asyncio.gather(*(serve(number, urls, dial) for number in range(int(count))))


if __name__ == "__main__":
    asyncio.run(main())
