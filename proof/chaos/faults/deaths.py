"""Processes that die, stand still, or are told to end."""

import asyncio
import os
import random
import signal
from contextlib import suppress

from proof.chaos.burst import enqueue
from proof.chaos.figures import NEVER, Figure, attached_elsewhere, going, losses_since, restarted
from proof.chaos.jobs import HUNG
from proof.chaos.places import DRAIN_GRACE, EXECUTORS, LEASE, SERVERS
from proof.chaos.processes import Actor
from proof.chaos.stage import Stage
from proof.chaos.waiting import until
from proof.records import Execution

RESTARTED_MAX = LEASE + 2
ELSEWHERE_MAX = 3.0
CHILD_MAX = 1.0
STILL = LEASE + 3
SERVER_DRAIN = 10.0
HANGING = 12
HUNG_SLACK = 2.0
OVER = {"end", "killed"}
READY = "is ready"
"""What a server says once it takes work."""


async def kill_executor(stage: Stage, lot: random.Random) -> list[Figure]:
    name = lot.choice(EXECUTORS)
    executor = stage.fleet.executors[name]
    async with stage.fault("kill_executor", name):
        await until(lambda: stage.ledger.under_way(name), f"something under way on {name}")
        since = stage.now()
        await executor.kill()
        held = ours(stage, executor)
        found = await restarted(stage, held, since)
        executor.start()
    what = f"{len(held)} runs of {name} restarted elsewhere"
    return [Figure(fault="kill_executor", what=what, value=found, target=RESTARTED_MAX)]


async def freeze_executor(stage: Stage, lot: random.Random) -> list[Figure]:
    """A zombie: it stands still for longer than its lease, and then goes on as if nothing had been."""
    name = lot.choice(EXECUTORS)
    executor = stage.fleet.executors[name]
    async with stage.fault("pause_executor", name):
        await until(lambda: stage.ledger.under_way(name), f"something under way on {name}")
        since = stage.now()
        executor.freeze()
        held = ours(stage, executor)
        watching = asyncio.create_task(restarted(stage, held, since))
        await stage.sleep(STILL)
        thawed = stage.now()
        executor.thaw()
        found = await watching
        back = await going(stage, thawed, [name])
    return [
        Figure(
            fault="freeze_executor", what=f"{len(held)} runs restarted elsewhere", value=found, target=RESTARTED_MAX
        ),
        Figure(fault="freeze_executor", what=f"{name} takes work again after it thawed", value=back, target=5.0),
    ]


async def kill_server(stage: Stage, lot: random.Random) -> list[Figure]:
    name, attached = await busiest(stage, lot)
    server = stage.fleet.servers[name]
    async with stage.fault("kill_server", name):
        since = stage.now()
        await server.kill()
        found = await attached_elsewhere(stage, attached, name, since)
        server.start()
    what = f"{', '.join(attached)} attached elsewhere and working"
    return [Figure(fault="kill_server", what=what, value=found, target=ELSEWHERE_MAX)]


async def freeze_server(stage: Stage, lot: random.Random) -> list[Figure]:
    """A zombie server: what it decided before it stood still must harm nothing afterwards."""
    name, attached = await busiest(stage, lot)
    server = stage.fleet.servers[name]
    async with stage.fault("pause_server", name):
        since = stage.now()
        server.freeze()
        watching = asyncio.create_task(attached_elsewhere(stage, attached, name, since))
        await stage.sleep(STILL)
        server.thaw()
        found = await watching
    what = f"{', '.join(attached)} attached elsewhere and working"
    return [Figure(fault="freeze_server", what=what, value=found, target=LEASE + 2)]


async def kill_child(stage: Stage, _: random.Random) -> list[Figure]:
    """A process of a process pool dies under its handler."""
    async with stage.fault("kill_child"):
        victim = await in_child(stage)
        since = stage.now()
        with suppress(ProcessLookupError):
            os.kill(victim.pid, signal.SIGKILL)
        found = await restarted(stage, [victim], since)
    return [Figure(fault="kill_child", what="its run restarted", value=found, target=CHILD_MAX)]


async def start_and_wait(stage: Stage, actor: Actor) -> None:
    """Who restarts a fleet waits until the one is back before the next one goes."""
    readied = actor.said.count(READY)
    since = stage.now()
    actor.start()
    if actor.name in SERVERS:
        await until(lambda: actor.said.count(READY) > readied, f"{actor.name} ready again")
    await going(stage, since, [actor.name] if actor.name in EXECUTORS else EXECUTORS)


async def in_child(stage: Stage) -> Execution:
    """A handler that has just begun in a child and lasts."""
    parents = {executor.pid for executor in stage.fleet.executors.values()}

    def found() -> list[Execution]:
        recent = stage.now() - LEASE
        return [line for line in stage.ledger.under_way() if line.pid not in parents and line.at > recent]

    return (await until(found, "a handler in a child"))[-1]


async def rolling_restart(stage: Stage, lot: random.Random) -> list[Figure]:
    """Everybody is told to end and is started again, one after the other, as a deploy does."""
    actors = [*stage.fleet.servers.values(), *stage.fleet.executors.values()]
    lot.shuffle(actors)
    codes, longest = [], {"server": 0.0, "executor": 0.0}
    began = stage.now()
    for actor in actors:
        kind = "server" if actor.name in SERVERS else "executor"
        async with stage.fault(f"stop_{kind}", actor.name):
            code, took = await actor.terminate()
            if kind == "executor" and code == 0:
                stage.left.append((actor.name, stage.now()))
            await start_and_wait(stage, actor)
        codes.append(code)
        longest[kind] = max(longest[kind], took)
    lost = await losses_since(stage, began)
    return [
        Figure(fault="rolling_restart", what="attempts taken for lost", value=lost, unit="", target=0),
        Figure(
            fault="rolling_restart",
            what="ends with another code than 0",
            value=sum(map(bool, codes)),
            unit="",
            target=0,
        ),
        Figure(fault="rolling_restart", what="longest end of a server", value=longest["server"], target=SERVER_DRAIN),
        Figure(
            fault="rolling_restart", what="longest end of an executor", value=longest["executor"], target=DRAIN_GRACE
        ),
    ]


async def drain_hung(stage: Stage, lot: random.Random) -> list[Figure]:
    """An executor is told to end while handlers hang in it: their timeouts end them, and not the grace of the drain."""
    name = lot.choice(EXECUTORS)
    executor = stage.fleet.executors[name]
    mark, runs = lot.randrange(1_000_000), set[str]()

    def hanging() -> list[Execution]:
        return [line for line in stage.ledger.under_way(name) if line.run in runs]

    async with stage.fault("stop_executor", name, "with handlers that hang"):
        for job in ("hang", "hang_in_child"):
            runs |= {*await enqueue(stage, job, [f"{job}-{mark}-{number}" for number in range(HANGING)])}
        held = await until(hanging, f"a handler that hangs on {name}")
        code, _ = await executor.terminate()
        if code == 0:
            stage.left.append((name, stage.now()))
        ends = {line.run: line.at for line in stage.ledger.since(0.0) if line.event in OVER}
        took = max(ends.get(line.run, NEVER) - line.at for line in held)
        await start_and_wait(stage, executor)
    what = f"{len(held)} handlers that hang ended by their timeouts"
    return [
        Figure(fault="drain_hung", what="ends with another code than 0", value=float(bool(code)), unit="", target=0),
        Figure(fault="drain_hung", what=what, value=took, target=HUNG + HUNG_SLACK),
    ]


def ours(stage: Stage, executor: Actor) -> list[Execution]:
    """What it had begun and not ended."""
    return stage.ledger.under_way(executor.name)


async def busiest(stage: Stage, lot: random.Random) -> tuple[str, list[str]]:
    """A server to which executors are attached, and those."""
    attached = await stage.attachments()
    name = lot.choice(sorted(set(attached.values())))
    return name, [executor for executor, server in attached.items() if server == name]
