"""Packets that are lost between two places, in both directions or in one."""

import asyncio
import random

from proof.chaos.faults.deaths import RESTARTED_MAX, STILL, ours
from proof.chaos.figures import Figure, attached_elsewhere, going, restarted
from proof.chaos.places import CLIENT, DATABASES, EXECUTORS, POOLER, SERVERS
from proof.chaos.stage import Stage

PAIRS = (
    *((executor, server) for executor in EXECUTORS for server in SERVERS),
    *((server, database) for server in ("s1", "s3") for database in DATABASES),
    ("s2", POOLER),
    ("s2", "pg1"),
    *((POOLER, database) for database in DATABASES),
    *((CLIENT, server) for server in SERVERS),
    ("s1", "s2"),
    ("s2", "s3"),
    ("s1", "s3"),
    DATABASES,
)
"""Every pair that has something to say to each other, and the servers, who have not."""
BRIEF = 1.5
GOING_MAX = 5.0


async def isolate_executor(stage: Stage, lot: random.Random) -> list[Figure]:
    """It reaches no server for longer than its lease: it has to stop by itself what others will start."""
    name = lot.choice(EXECUTORS)
    async with stage.fault("isolate_executor", name):
        since = stage.now()
        for server in SERVERS:
            stage.cut(name, server)
        held = ours(stage, stage.fleet.executors[name])
        watching = asyncio.create_task(restarted(stage, held, since))
        await stage.sleep(STILL)
        mended = stage.now()
        for server in SERVERS:
            stage.mend(name, server)
        found = await watching
        back = await going(stage, mended, [name])
    what = f"{len(held)} runs of {name} restarted elsewhere"
    return [
        Figure(fault="isolate_executor", what=what, value=found, target=RESTARTED_MAX),
        Figure(fault="isolate_executor", what=f"{name} takes work again", value=back, target=10.0),
    ]


async def one_way(stage: Stage, lot: random.Random) -> list[Figure]:
    """An executor hears its server and is not heard, or the other way round."""
    attached = await stage.attachments()
    name = lot.choice(EXECUTORS)
    server = attached[name]
    deaf, mute = lot.sample([name, server], 2)
    async with stage.fault("one_way", name, f"{deaf} hears nothing of {mute}"):
        since = stage.now()
        stage.network.deafen(deaf, to=mute)
        found = await attached_elsewhere(stage, [name], server, since)
        stage.network.hear(deaf, to=mute)
    return [Figure(fault="one_way", what=f"{name} attached elsewhere and working", value=found, target=RESTARTED_MAX)]


async def cut_from_database(stage: Stage, lot: random.Random) -> list[Figure]:
    """A server cannot reach the database; its executors must not suffer for it."""
    attached = await stage.attachments()
    server = lot.choice([name for name in ("s1", "s3") if name in attached.values()] or ["s1"])
    executors = [name for name, there in attached.items() if there == server]
    async with stage.fault("cut_from_database", server):
        since = stage.now()
        for database in DATABASES:
            stage.cut(server, database)
        found = await attached_elsewhere(stage, executors, server, since)
        await stage.sleep(max(0.0, STILL - (stage.now() - since)))
        mended = stage.now()
        for database in DATABASES:
            stage.mend(server, database)
        back = await going(stage, mended)
    return [
        Figure(
            fault="cut_from_database",
            what=f"executors of {server} working elsewhere",
            value=found,
            target=RESTARTED_MAX,
        ),
        Figure(fault="cut_from_database", what="all going after it was mended", value=back, target=GOING_MAX),
    ]


async def every_pair(stage: Stage, lot: random.Random) -> list[Figure]:
    """Each pair in turn, shortly, in both directions or in one by lot."""
    pairs = list(PAIRS)
    lot.shuffle(pairs)
    async with stage.fault("every_pair", detail=f"{len(pairs)} pairs for {BRIEF} s each"):
        for one, other in pairs:
            if lot.random() < 0.5:
                stage.cut(one, other)
            else:
                deaf, mute = lot.sample([one, other], 2)
                stage.network.deafen(deaf, to=mute)
            await stage.sleep(BRIEF)
            stage.mend(one, other)
        mended = stage.now()
        back = await going(stage, mended)
    return [Figure(fault="every_pair", what="all going after the last was mended", value=back, target=GOING_MAX)]
