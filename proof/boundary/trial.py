"""Two servers and an executor on PostgreSQL, triggers due every second, and kill -9 at the very second."""

import asyncio
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

from mainspring.clock import SystemClock
from mainspring.domain.triggers.fire_times.misfires import Misfire
from mainspring.domain.triggers.spec import Cron, Overlap, TriggerSpec
from proof.boundary.count import Count, Done, count, entered, executed
from proof.boundary.jobs import LEDGER
from tests.support.processes import Fleet, ServerProcess, eventually

AHEAD = tuple(f"ahead-{number}" for number in range(10))
"""Triggers whose runs are prepared before they are due,"""
AT_ONCE = tuple(f"at-once-{number}" for number in range(10))
"""and those that are fired at the instant itself, because their runs must not overlap."""
EVERY_SECOND = Cron(expressions=("* * * * * *",))
AROUND = (-0.03, 0.03)
"""Seconds before and behind an instant in which a server is killed."""
DOWN = 1.0
QUIET = 2.0
CODE = Path(__file__).resolve().parents[2]
clock = SystemClock()


class Outcome:
    """What a trial came to."""

    def __init__(self, kills: int, found: Count, done: list[Done]) -> None:
        self.kills = kills
        self.count = found
        self.delays = sorted(one.delay for one in done)

    def __str__(self) -> str:
        found, delays = self.count, self.delays
        return (
            f"{self.kills} servers killed at an instant, {found.due} instants due: {found.lost} lost, "
            f"{found.unexecuted} not executed, {found.twice} twice, {found.unknown} out of nowhere, "
            f"{found.skipped} skipped, {found.repeated} runs executed again\n"
            f"start behind the instant: median {share(delays, 0.5):.3f} s, p99 {share(delays, 0.99):.3f} s, "
            f"longest {delays[-1]:.3f} s"
        )


def share(delays: list[float], part: float) -> float:
    return delays[int(part * (len(delays) - 1))]


async def try_boundaries(url: str, folder: Path, *, kills: int, seed: int) -> Outcome:
    ledger = folder / "executed"
    fleet = Fleet(folder, code=CODE, env={LEDGER: str(ledger)})
    try:
        servers = [
            fleet.server(
                url,
                home=folder / name,
                scheduler_name=name,
                scheduler_lease=3,
                scheduler_beat=0.75,
                scheduler_look_ahead=2,
            )
            for name in ("one", "other")
        ]
        for server in servers:
            await server.ready()
        fleet.executor("proof.boundary.jobs:app", *servers, name="executor", pools=["loop=0:64:64"])
        await until_attached(servers)
        made = await make(servers[0])
        await kill_often(servers, random.Random(seed), kills)
        ended = await end(servers[0])
        await until_still(ledger)
        fired, skipped = await entered(url)
        done = executed(ledger)
    finally:
        fleet.close()
    return Outcome(kills, count({name: (made[name], ended[name]) for name in made}, fired, skipped, done), done)


async def until_attached(servers: list[ServerProcess]) -> None:
    async def attached() -> bool:
        found = [await server.readiness() for server in servers]
        return any(one is not None and one.executors for one in found)

    await eventually(attached, "an executor at one of the servers")


async def make(server: ServerProcess) -> dict[str, datetime]:
    """Make all triggers; since when each is due every second."""
    specs = [TriggerSpec(name=name, job="tick", when=EVERY_SECOND, misfire=Misfire.ALL) for name in AHEAD]
    specs += [
        TriggerSpec(
            name=name, job="tick", when=EVERY_SECOND, misfire=Misfire.ALL, overlap=Overlap.QUEUE_ALL, overlap_max=100
        )
        for name in AT_ONCE
    ]
    async with server.client() as client:
        await client.triggers.load(specs)
        found = [await client.triggers.get(spec.name) for spec in specs]
    return {one.name: one.created_at for one in found}


async def kill_often(servers: list[ServerProcess], lot: random.Random, kills: int) -> None:
    """One after the other, so that one is always there."""
    for number in range(kills):
        server = servers[number % len(servers)]
        await asyncio.sleep(to_next_second() + lot.uniform(*AROUND))
        await server.kill()
        await asyncio.sleep(DOWN)
        server.start()
        await server.ready()
        print(".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)


def to_next_second() -> float:
    """Seconds to the second after the next one: there is time enough to get ready for it."""
    now = clock.now()
    return (now.replace(microsecond=0) + timedelta(seconds=2) - now).total_seconds()


async def end(server: ServerProcess) -> dict[str, datetime]:
    """Pause all triggers; until when each was due."""
    ended = {}
    async with server.client() as client:
        for name in (*AHEAD, *AT_ONCE):
            paused = await client.triggers.pause(name)
            ended[name] = paused.updated_at
    return ended


async def until_still(ledger: Path) -> None:
    """Until no handler has written anything for a while."""
    said = [len(executed(ledger))]

    async def still() -> bool:
        await asyncio.sleep(QUIET)
        said.append(len(executed(ledger)))
        return said[-1] == said[-2]

    await eventually(still, "the end of all runs")
