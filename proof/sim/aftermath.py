"""When all is healed: what people held is let go, everything comes to its end, and every executor shows that it works."""

import asyncio

from mainspring.domain.ids import id_text
from proof.records import Transition
from proof.sim.fires import let_triggers_go_on
from proof.sim.plan import Act, Config
from proof.sim.world import World

STILL_MAX = 60.0
"""Virtual seconds without any change after which what has not ended never will."""
DRAIN_MAX = 1200.0
"""Virtual seconds after which it is taken for running in circles."""
QUIET = 1.0
RETURN_MAX = 45.0
"""Virtual seconds that executors have for coming back: a dial that nobody answers takes its time, and so does a pause."""
ROLL = "roll"
ROLL_SECONDS = 8.0
"""Longer than the room of all executors takes to be filled: nobody is given a second one in place of a first."""
ANSWERS = {"suspended": "resume_run", "lost": "retry"}
"""What people do about a run that waits for them."""


async def lift_rules(world: World) -> None:
    """What operators have paused or cordoned they let go again; until then nothing is stuck, only held."""
    for queue in ("default", "other"):
        await insist(world, Act(at=0, act="resume", server=0, name=queue))
    for executor in world.executors:
        await insist(world, Act(at=0, act="uncordon", server=0, name=executor))


async def end_triggers(world: World) -> None:
    """They go on for a while, now that nothing is in their way, and are taken away."""
    names = [row["name"] for row in world.database.rows("SELECT name FROM triggers ORDER BY name")]
    for act in await let_triggers_go_on(names):
        await insist(world, act)


async def insist(world: World, act: Act) -> None:
    for _ in range(20):
        await world.clients.perform(act)
        if world.clients.operations[-1].phase != "info":
            return
        await asyncio.sleep(1.0)


async def until_all_ended(world: World) -> bool:
    """Wait as long as something moves: few slots may have much to do."""
    seen, since, began = 0, world.loop.time(), world.loop.time()
    while world.loop.time() - since < STILL_MAX and world.loop.time() - began < DRAIN_MAX:
        await asyncio.sleep(QUIET)
        await take_up(world)
        [[live]] = world.database.rows("SELECT count(*) FROM runs")
        [[sweeps]] = world.database.rows("SELECT count(*) FROM sweeps WHERE live")
        if not live and not sweeps:
            return True
        moved = sum(isinstance(change, Transition) for change in world.database.audit.changes)
        if moved > seen:
            seen, since = moved, world.loop.time()
    return False


async def take_up(world: World) -> None:
    """What was suspended is resumed, what was lost is run again: it waits for an operator, and one is here."""
    waiting = world.database.rows("SELECT id, reason FROM runs WHERE state = 0")
    marks = {run: mark for mark, run in world.clients.runs.items()}
    for row in waiting:
        if row["reason"] in ANSWERS:
            run = id_text(row["id"])
            mark = marks.get(run, run)
            world.clients.runs.setdefault(mark, run)
            await world.clients.perform(Act(at=0, act=ANSWERS[row["reason"]], server=0, mark=mark))  # type: ignore[arg-type]


async def call_the_roll(world: World) -> None:
    """Ask for exactly as much at once as all executors that can be heard have room for."""
    config = world.plan.config
    present = frozenset(list(world.executors)[: len(world.executors) - config.core])
    for silent in world.executors.keys() - present:
        give_up(world, silent)
    await until_all_are_back(world, present)
    acts = [roll_call(number, config) for number in range(len(present) * (config.slots + config.waiting))]
    await asyncio.gather(*map(world.clients.perform, acts))
    await until_all_ended(world)


def give_up(world: World, executor: str) -> None:
    """Its connections are closed, as they are wherever a ping gets no answer for long."""
    for server in world.servers:
        for connected in world.network.between(executor, server):
            connected.cut()


def roll_call(number: int, config: Config) -> Act:
    mark, server = f"{ROLL}-{number}", number % max(config.servers - config.core, 1)
    return Act(at=0, act="enqueue", server=server, mark=mark, key=mark, kind="long", seconds=ROLL_SECONDS)


async def until_all_are_back(world: World, present: frozenset[str]) -> None:
    """If some never are, what is asked for then finds no room, and that is a violation."""
    began = world.loop.time()
    while world.loop.time() - began < RETURN_MAX:
        if attached(world) >= present and not world.executing:
            return
        await asyncio.sleep(QUIET)


def attached(world: World) -> set[str]:
    """Executors that a server which goes on has a connection to."""
    going = (one for one in world.servers.values() if one.process and one.alive and not one.process.paused)
    return {
        each.session.executor
        for server in going
        if server.scheduler is not None
        for each in server.scheduler.gateway.attached.values()
        if not each.gone
    }
