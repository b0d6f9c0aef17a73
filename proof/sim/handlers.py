"""Virtual handlers: they take the time, fail, refuse to stop or take their executor with them as the plan says."""

import asyncio
from collections.abc import Callable
from typing import Literal

import msgspec

from mainspring import Context
from mainspring.domain.ids import id_text
from mainspring.domain.job import RetryPolicy
from mainspring.executor.attempt import current
from mainspring.executor.handlers import Handlers
from proof.records import Execution
from proof.sim.draw import ATTEMPTS, QUEUES

STEPS = ("one", "two", "three")
BACKOFF = 0.5
BACKOFF_MAX = 2.0


class Ledger(msgspec.Struct):
    """Channel T, and what a handler may do to its world."""

    executor: str
    note: Callable[[Execution], None]
    time: Callable[[], float]
    strike: Callable[[], None]
    """Kills the executor that the caller runs on."""


class PlannedError(Exception):
    """The plan has this attempt fail."""


def handlers(ledger: Ledger) -> Handlers:
    """One job for each kind of behaviour."""
    registry = Handlers()
    for kind, queue in QUEUES.items():
        retry = RetryPolicy(attempts=ATTEMPTS[kind], backoff=BACKOFF, backoff_max=BACKOFF_MAX)
        registry.add(behaviour(kind, ledger), name=kind, queue=queue, retry=retry)
    return registry


def behaviour(kind: str, ledger: Ledger) -> Callable[..., object]:
    async def handle(ctx: Context, mark: str, seconds: float, fails: int) -> str:
        entry = Entry(ledger)
        entry.note("start")
        ctx.logger.info("%s begins", mark)
        failed = ctx.attempt <= fails
        try:
            if kind == "poison":
                ledger.strike()
            if kind == "steps":
                await take_steps(ctx, entry, seconds, failed=failed)
            else:
                await work(kind, seconds)
        except asyncio.CancelledError:
            entry.note("killed")
            raise
        ctx.logger.info("%s ends", mark)
        entry.lines = 2
        entry.note("end", "failed" if failed else "succeeded")
        if failed:
            raise PlannedError(mark)
        return mark

    return handle


async def take_steps(ctx: Context, entry: "Entry", seconds: float, *, failed: bool) -> None:
    """Three steps, or only two if the attempt is to fail behind them."""
    for name in STEPS[:2] if failed else STEPS:

        async def call(name: str = name) -> str:
            entry.note("step", name=name)
            await asyncio.sleep(seconds / len(STEPS))
            return entry.token

        result = await ctx.step(name, call)
        entry.note("stepped", str(result), name=name)


async def work(kind: str, seconds: float) -> None:
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        if kind != "stubborn":
            raise
        # Goes on for longer than any grace, and does not care who asks it to stop.
        await asyncio.sleep(seconds + 5.0)


class Entry:
    """What the ledger says of one execution."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._attempt = current.get()
        self.lines = 1

    @property
    def token(self) -> str:
        return self._attempt.token.hex()

    def note(
        self, event: Literal["start", "step", "stepped", "end", "killed"], outcome: str = "", *, name: str = ""
    ) -> None:
        attempt = self._attempt
        self._ledger.note(
            Execution(
                at=self._ledger.time(),
                event=event,
                run=id_text(attempt.run),
                attempt=attempt.number,
                executor=self._ledger.executor,
                token=self.token,
                outcome=outcome,
                name=name,
                lines=self.lines if event in {"end", "killed"} else 0,
            )
        )
