"""An etcd that goes away under load: starts are not delayed, little is logged, and it is soon back."""

import math
import statistics

from mainspring import AsyncClient
from mainspring.clock import SystemClock
from mainspring.discovery.address import open_registry, parse_address
from mainspring.discovery.interface import Registry, RegistryAwayError
from proof.fleet.stage import Load, Stage, client_of
from tests.support.processes import Process, eventually
from tests.support.registries import EtcdBook

BEFORE = 20.0
BACK_WITHIN, LATER = 5.0, 1.2
RATE = 100.0


async def registry_away(stage: Stage, seconds: float) -> bool:
    """`rate` is for how many seconds it is away."""
    (stage.folder / "etcd").mkdir()
    book = EtcdBook(stage.folder / "etcd")
    book.start()
    asking = open_registry(parse_address(book.address), SystemClock())
    try:
        return await play(stage, book, asking, seconds)
    finally:
        book.kill()


async def play(stage: Stage, book: EtcdBook, asking: Registry, seconds: float) -> bool:
    await eventually(lambda: named(asking), "etcd")
    server = await stage.server(0, discovery=book.address)
    # Both by the setting: addresses on the command line would stand instead of it.
    executors = [await stage.executor(name, servers=f"{server.url},{book.address}") for name in "ab"]
    async with client_of(server) as client:
        load = Load(client, RATE)
        load.begin()
        await stage.clock.sleep(BEFORE)
        usual = await delays(client)
        book.kill()
        await stage.clock.sleep(seconds)
        during = await delays(client)
        lines = [lines_of(one) for one in (server, *executors)]
        book.start()
        back = stage.clock.monotonic()
        await eventually(lambda: named(asking, 1), "the server in etcd again")
        back = stage.clock.monotonic() - back
        await load.end()
        ends = await load.settled(stage.ledger)
    starts = f"p50 {usual[0]:.1f} -> {during[0]:.1f} ms, p99 {usual[1]:.1f} -> {during[1]:.1f} ms"
    print(f"etcd away for {seconds:.0f} s: enqueue to start {starts}")
    print(
        f"log lines of it in server and executors: {lines}; the server was in it again after {back:.1f} s; {dict(ends)}"
    )
    most = math.ceil(seconds / 60)
    return back <= BACK_WITHIN and max(lines) <= most and not load.refused and ends["succeeded"] == len(load.accepted)


async def delays(client: AsyncClient) -> tuple[float, float]:
    """Median and 99th percentile, in milliseconds, from acceptance to start of the last 500 finished runs."""
    page = await client.list(states=["succeeded"], limit=500)
    found = sorted((run.started_at - run.created_at).total_seconds() * 1000 for run in page.runs if run.started_at)
    return statistics.median(found), found[int(len(found) * 0.99)]


def lines_of(process: Process) -> int:
    return process.log.count("is away: ")


async def named(registry: Registry, least: int = 0) -> bool:
    try:
        return len(await registry.entries()) >= least
    except RegistryAwayError:
        return False
