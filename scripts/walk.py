"""Trace a run, a cron fire and a cancel through the package, and print the files that each passes.

The real server and executor run in this process over SQLite, on a clock that stands still, so that only the traced act moves.
"""

import argparse
import asyncio
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Self

import mainspring
from mainspring import App
from mainspring.testing.clock import START, FakeClock
from mainspring.testing.cluster import InProcessCluster
from mainspring.testing.inside import InsideAsyncClient
from mainspring.testing.portal import Portal

PACKAGE = Path(mainspring.__file__).parent
TARGETS = {"run": 55, "fire": 25, "cancel": 60}
NOT_ON_THE_WAY = ("testing/",)
REST = 0.3
"""Real seconds after which everything that an act sets in motion has come to rest; the clock itself stands still."""

app = App("walk")


@app.job(cron="*/5 * * * *")
async def greet() -> str:
    return "hello"


@app.job
async def linger() -> None:
    await asyncio.Event().wait()


@dataclass
class Walk:
    """The functions of the package that were entered, in order, and how often the path changed between files."""

    beside: tuple[str, ...] = ()
    """Folders that are not counted."""
    begin: str = ""
    """The file with which the walk begins; empty: with the first one."""
    files: dict[str, list[str]] = field(default_factory=dict)
    hops: int = 0
    _last: str = ""
    _seen: dict[CodeType, str | None] = field(default_factory=dict)

    def __enter__(self) -> Self:
        sys.setprofile(self._enter)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    @property
    def functions(self) -> int:
        return sum(len(names) for names in self.files.values())

    def _enter(self, frame: FrameType, event: str, _arg: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        if self.begin and self._place(code) != self.begin:
            return
        self.begin = ""
        if code not in self._seen:
            self._seen[code] = place = self._place(code)
            if place is not None:
                self.files.setdefault(place, []).append(code.co_qualname)
        place = self._seen[code]
        if place is not None and place != self._last:
            self.hops += 1
            self._last = place

    def _place(self, code: CodeType) -> str | None:
        """The file of a function of the package; None for comprehensions and for foreign code."""
        path = Path(code.co_filename)
        if code.co_name.startswith("<") or not path.is_relative_to(PACKAGE):
            return None
        place = str(path.relative_to(PACKAGE))
        return None if place.startswith((*NOT_ON_THE_WAY, *self.beside)) else place


@dataclass
class Tracer:
    """The three walks on one cluster."""

    cluster: InProcessCluster
    client: InsideAsyncClient

    async def run(self) -> Walk:
        """From the request at the API's door to the acknowledgement on the executor."""
        with Walk(beside=("client/",), begin="api/app.py") as walk:
            await self.client.enqueue("greet")
            await asyncio.sleep(REST)
        return walk

    async def fire(self) -> Walk:
        """From the duty's tick until the run exists and dispatch knows of it."""
        firing, clock = self.cluster.scheduler.timing.firing, self.cluster.clock
        due = await firing.next_act()
        assert due is not None, "the cron trigger of this script is not applied"
        clock.advance((due - clock.now()).total_seconds())
        # The clock jumped over the ticks of this duty; without one, the walk would be that of a server that had slept.
        await self.cluster.scheduler.attending.tick()
        with Walk() as walk:
            await firing.tick()
        await asyncio.sleep(REST)
        return walk

    async def cancel(self) -> Walk:
        """From the client's call to the acknowledgement that the attempt has ended."""
        run = await self.client.enqueue("linger")
        await asyncio.sleep(REST)
        with Walk() as walk:
            await self.client.cancel(run.id)
            await asyncio.sleep(REST)
        return walk

    async def all(self) -> dict[str, Walk]:
        """Every walk twice: the first one loads modules and fills caches."""
        await self.client.plans.apply(app.name, app.handlers.triggers.values())
        async with self.cluster.executing():
            for _ in range(2):
                found = {"run": await self.run(), "fire": await self.fire(), "cancel": await self.cancel()}
        return found


def walks() -> dict[str, Walk]:
    """Open a cluster in this process and trace it; the loop is a thread's own, as in the test kit."""
    portal = Portal()
    portal.open()
    cluster = InProcessCluster(app, FakeClock(START), portal)
    try:
        inside = portal.call(cluster.open())
        return portal.call(Tracer(cluster, InsideAsyncClient(inside)).all())
    finally:
        portal.call(cluster.close())
        portal.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="make walk", description=__doc__)
    parser.add_argument("--files", action="store_true", help="list every file with the functions entered in it")
    wanted = parser.parse_args()
    for name, walk in walks().items():
        print(
            f"{name}: {len(walk.files)} files (target {TARGETS[name]}), {walk.functions} functions, {walk.hops} changes of file"
        )
        if wanted.files:
            for place, functions in walk.files.items():
                print(f"  {place}: {', '.join(functions)}")


if __name__ == "__main__":
    main()
