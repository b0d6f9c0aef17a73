"""One trial: from a seed or a plan to a verdict."""

import asyncio
import hashlib
import logging
import time
import traceback
from collections import Counter
from typing import Any, Self

import msgspec

from proof.checker import Verdict, Violation, check
from proof.records import Records, encode
from proof.sim.aftermath import call_the_roll, end_triggers, lift_rules, until_all_ended
from proof.sim.attached import Attachment
from proof.sim.clients import Clients
from proof.sim.collect import collect
from proof.sim.draw import draw
from proof.sim.goals import reach_goals
from proof.sim.loop import SimLoop, StillError
from proof.sim.nemesis import Nemesis, up
from proof.sim.plan import Act, Config, Plan, Trouble
from proof.sim.streams import stream
from proof.sim.world import World

REST = 3.0
"""Leases behind the end of all runs, for what comes late."""
EVER = 1e9


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a trial."""

    plan: Plan
    verdict: Verdict
    records: Records
    reached: Counter[str]
    seconds: float
    """Of virtual time."""
    took: float
    """Seconds of a core."""
    trace: str
    """A digest of all records: the same for the same plan, wherever and whenever."""


def simulate(seed: int, *, plan: Plan | None = None) -> Verdict:
    """Whether all that is promised held."""
    return try_plan(plan or draw(seed)).verdict


def try_plan(plan: Plan) -> Trial:
    began = time.process_time()
    loop = SimLoop(stream(plan.seed, "order"))
    asyncio.set_event_loop(loop)
    errors = Errors()
    loop.set_exception_handler(errors.caught)
    try:
        with errors:
            world = World(plan, loop)
            records, found = run(world, loop)
            seconds = loop.time()
            world.over = True
        world.over = True
        with Silence():
            loop.bury()
        world.database.close()
    finally:
        asyncio.set_event_loop(None)
        loop.close()
    verdict = with_more(check(records), [*found, *errors.violations])
    reach_goals(records, world.sometimes)
    return Trial(
        plan=plan,
        verdict=verdict,
        records=records,
        reached=world.sometimes.reached,
        seconds=seconds,
        took=time.process_time() - began,
        trace=trace_of(records),
    )


def run(world: World, loop: SimLoop) -> tuple[Records, list[Violation]]:
    nemesis = Nemesis(world)
    attachment = Attachment(world, nemesis)
    watching = loop.create_task(attachment.watch())
    found = attachment.violations
    drained = False
    try:
        drained = loop.run_until_complete(story(world, nemesis))
    except StillError as error:
        found.append(Violation(invariant="L5", message=str(error)))
    watching.cancel()
    return collect(world, nemesis.faults, drained=True), found if drained else [*found, not_drained()]


def not_drained() -> Violation:
    return Violation(invariant="L5", message="not everything came to its end after all was healed")


async def story(world: World, nemesis: Nemesis) -> bool:
    """Let it all happen; say whether it came to an end."""
    plan, config = world.plan, world.plan.config
    world.start()
    nemesis.plan(plan.nemesis)
    acts = [asyncio.create_task(later(world.clients, act)) for act in plan.workload]
    await asyncio.sleep(config.heal_at)
    nemesis.heal()
    for actor in world.actors():
        up(actor)
    if config.core:
        nemesis.plan(broken_for_ever(config))
    await asyncio.gather(*acts)
    await lift_rules(world)
    await end_triggers(world)
    drained = await until_all_ended(world)
    await asyncio.sleep(config.lease * REST)
    if drained:
        await call_the_roll(world)
    return drained


def broken_for_ever(config: Config) -> tuple[Trouble, ...]:
    """A server that stands still and an executor that cannot be heard: the others have to do without them."""
    server, executor = f"server-{config.servers - 1}", f"executor-{config.executors - 1}"
    deaf = [
        Trouble(at=config.heal_at, fault="one_way_up", target=executor, other=f"server-{number}", lasts=EVER)
        for number in range(config.servers)
    ]
    return (Trouble(at=config.heal_at, fault="pause_server", target=server, lasts=EVER), *deaf)


async def later(clients: Clients, act: Act) -> None:
    await asyncio.sleep(act.at)
    await clients.perform(act)


OF_RUNS = "mainspring.runs"
"""The logger that names runs which failed for good: an error to their owners, and planned here."""


class Errors(logging.Handler):
    """What the product itself calls an error in its log: none is expected, whatever goes wrong around it."""

    def __init__(self) -> None:
        super().__init__(level=logging.ERROR)
        self.violations: list[Violation] = []
        self._logger = logging.getLogger("mainspring")
        self._before = (self._logger.level, self._logger.propagate)

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == OF_RUNS:
            return
        error = record.exc_info[1] if record.exc_info else None
        message = f"{record.getMessage()}: {type(error).__name__}: {error}" if error else record.getMessage()
        where = logging.Formatter().formatException(record.exc_info).splitlines()[-8:] if record.exc_info else []
        self.violations.append(Violation(invariant="E1", message=message, witness=tuple(where)))

    def caught(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What a callback or a task ran into, and nobody looked at."""
        if not getattr(loop, "over", False):
            error = context.get("exception")
            where = [] if error is None else traceback.format_exception(error)[-6:]
            message = f"{context['message']}: {error!r}"
            self.violations.append(Violation(invariant="E1", message=message, witness=tuple(where)))

    def __enter__(self) -> Self:
        self._before = (self._logger.level, self._logger.propagate)
        self._logger.setLevel(logging.ERROR)
        self._logger.propagate = False
        self._logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.level, self._logger.propagate = self._before


class Silence(Errors):
    """While everything unwinds, nothing that is said counts."""


def with_more(verdict: Verdict, found: list[Violation]) -> Verdict:
    if not found:
        return verdict
    return msgspec.structs.replace(verdict, verdict="invalid", violations=(*verdict.violations, *found))


def trace_of(records: Records) -> str:
    digest = hashlib.sha256()
    for line in records.lines():
        digest.update(encode(line))
    return digest.hexdigest()
