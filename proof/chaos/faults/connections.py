"""Connections that are slow, stalled or cut, through our proxy; and a pooler that dies."""

import random

from proof.chaos.figures import Figure, going, losses_since
from proof.chaos.places import PROXIED_EXECUTOR, PROXIED_SERVER
from proof.chaos.proxy import Trouble
from proof.chaos.stage import Stage

SLOW = 0.15
LONG = 6.0
CUTS = 4
GOING_MAX = 5.0
BYTES = 20_000
PROXIED = (PROXIED_SERVER, PROXIED_EXECUTOR)


async def slow_connections(stage: Stage, lot: random.Random) -> list[Figure]:
    """Every piece takes its time, well below the lease: nobody may be taken for dead."""
    async with stage.fault("slow_connections", ", ".join(PROXIED), f"{SLOW} s"):
        since = stage.now()
        for place in PROXIED:
            await stage.fleet.trouble(place, Trouble(delay=SLOW * lot.uniform(0.5, 1)))
        await stage.sleep(LONG)
        lost = await losses_since(stage, since)
        for place in PROXIED:
            await stage.fleet.trouble(place, Trouble())
    return [Figure(fault="slow_connections", what="attempts taken for lost", value=lost, unit="", target=0)]


async def cut_connections(stage: Stage, lot: random.Random) -> list[Figure]:
    """Resets, at once and in the middle of something."""
    async with stage.fault("cut_connections", ", ".join(PROXIED)):
        for _ in range(CUTS):
            for place in PROXIED:
                await stage.fleet.trouble(place, Trouble(cut=True))
                await stage.fleet.trouble(place, Trouble(cut_after=lot.randrange(1, BYTES)))
            await stage.sleep(lot.uniform(0.5, 2))
        for place in PROXIED:
            await stage.fleet.trouble(place, Trouble())
        back = await going(stage, stage.now())
    return [Figure(fault="cut_connections", what="all going after the last cut", value=back, target=GOING_MAX)]


async def stall_connections(stage: Stage, lot: random.Random) -> list[Figure]:
    """Connections that stay open and carry nothing, one way or both: no error is ever seen."""
    up, down = lot.choice([(True, True), (True, False), (False, True)])
    detail = "both ways" if up and down else "up" if up else "down"
    async with stage.fault("stall_connections", ", ".join(PROXIED), detail):
        for place in PROXIED:
            await stage.fleet.trouble(place, Trouble(stall_up=up, stall_down=down))
        await stage.sleep(LONG)
        for place in PROXIED:
            await stage.fleet.trouble(place, Trouble())
        back = await going(stage, stage.now())
    return [Figure(fault="stall_connections", what="all going afterwards", value=back, target=GOING_MAX)]


async def empty_balancer(stage: Stage, lot: random.Random) -> list[Figure]:
    """A load balancer without a backend takes connections and closes them before the first byte: an executor outlives that."""
    executor = stage.fleet.executors[PROXIED_EXECUTOR]
    async with stage.fault("empty_balancer", PROXIED_EXECUTOR):
        before = executor.pid
        await stage.fleet.trouble(PROXIED_EXECUTOR, Trouble(empty=True))
        await stage.sleep(LONG * lot.uniform(0.5, 1))
        await stage.fleet.trouble(PROXIED_EXECUTOR, Trouble())
        back = await going(stage, stage.now(), [PROXIED_EXECUTOR])
        died = not executor.alive or executor.pid != before
    return [
        Figure(fault="empty_balancer", what="executors that died of it", value=float(died), unit="", target=0),
        Figure(fault="empty_balancer", what="all going afterwards", value=back, target=GOING_MAX),
    ]


async def kill_pooler(stage: Stage, lot: random.Random) -> list[Figure]:
    async with stage.fault("kill_pooler", detail="PgBouncer killed and started again"):
        await stage.pooler.actor.kill()
        await stage.sleep(lot.uniform(0.5, 3))
        since = stage.now()
        stage.pooler.actor.start()
        back = await going(stage, since)
    return [Figure(fault="kill_pooler", what="all going after it is back", value=back, target=GOING_MAX)]
