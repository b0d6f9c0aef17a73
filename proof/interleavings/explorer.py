"""Plays a case in one order after another, the way PostgreSQL's own isolation tester does.

Two actors that each take a few steps can meet in thousands of orders. Those in which an actor is interrupted at most
twice, although it could go on, find almost everything that the rest would find, and are few: all of them are played.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import asyncpg
import msgspec

from proof.interleavings.stepping import COMMIT, Actor

PREEMPTIONS_MAX = 2
POLL = 0.002
"""Seconds between two looks at who waits for a lock; nothing but patience depends on it."""

FREE = "SELECT pid FROM unnest($1::integer[]) AS pid WHERE cardinality(pg_blocking_pids(pid)) = 0"


class Step(msgspec.Struct, frozen=True):
    """What an actor did, and who else could have gone on instead."""

    actor: str
    what: str
    others: tuple[str, ...]
    preemptions: int
    """Up to this step, and with it."""
    could_stay: bool
    """Whether the one before could have gone on."""


class Trace(list[Step]):
    """The steps of one play, in order."""

    def told(self) -> str:
        return "\n".join(f"  {step.actor}: {step.what}" for step in self)

    def began(self, actor: str) -> int:
        return next((at for at, step in enumerate(self) if step.actor == actor), len(self))

    def committed(self, actor: str) -> int:
        return max((at for at, step in enumerate(self) if step.actor == actor and step.what == COMMIT), default=-1)

    def precedes(self, first: str, second: str) -> bool:
        """Whether one was over before the other began."""
        return self.committed(first) < self.began(second)


class DeadlockError(AssertionError):
    """Every actor that is not done waits for another."""


class Explorer:
    """Lets actors on, one step at a time, and sees who waits for whom."""

    def __init__(self, control: "asyncpg.Connection[Any]", moved: asyncio.Event) -> None:
        self._control = control
        self._moved = moved

    async def play(self, actors: Sequence[Actor], prefix: Sequence[str]) -> Trace:
        """Follow the prefix, then let each actor go on for as long as it can."""
        trace = Trace()
        current: str | None = None
        preemptions = 0
        while True:
            await self._rest(actors)
            ready = {actor.name: actor for actor in actors if actor.next_step is not None}
            if not ready:
                if all(actor.done for actor in actors):
                    return trace
                raise DeadlockError(f"nobody can go on:\n{trace.told()}")
            wanted = prefix[len(trace)] if len(trace) < len(prefix) else current
            chosen = ready[wanted] if wanted in ready else next(iter(ready.values()))
            stays = current in ready
            preemptions += stays and chosen.name != current
            others = tuple(name for name in ready if name != chosen.name)
            trace.append(Step(chosen.name, chosen.next_step or "", others, preemptions, stays))
            current = chosen.name
            chosen.let_on()

    async def _rest(self, actors: Sequence[Actor]) -> None:
        """Wait until everybody is before a step, done, or waiting for a lock."""
        while under_way := [actor for actor in actors if actor.under_way]:
            self._moved.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), POLL)
            pids = [actor.pid for actor in under_way if actor.under_way]
            if pids and None not in pids and not await self._control.fetch(FREE, pids):
                return


def alternatives(trace: Trace, settled: int) -> list[list[str]]:
    """The beginnings of other orders: as this one, but for who went on behind the steps that are settled."""
    names = [step.actor for step in trace]
    found = []
    for at in range(settled, len(trace)):
        step = trace[at]
        before = trace[at - 1] if at else None
        for other in step.others:
            spent = before.preemptions if before else 0
            spent += step.could_stay and before is not None and other != before.actor
            if spent <= PREEMPTIONS_MAX:
                found.append([*names[:at], other])
    return found
