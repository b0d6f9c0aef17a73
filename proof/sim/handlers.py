"""Virtual handlers: they take the time, fail, refuse to stop or take their executor with them as the plan says."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from mainspring import Context, GiveUp, Retry, Snooze, Suspend
from mainspring.domain.ids import id_text
from mainspring.executor.attempts.attempt import current
from mainspring.executor.attempts.signals import Yielded
from mainspring.executor.handlers.registry import Handlers
from proof.records import Execution
from proof.sim.fires import MICROS
from proof.sim.jobs import TERMS

STEPS = ("one", "two", "three")
CHECKPOINTS = 16
Event = Literal["start", "step", "stepped", "checkpoint", "applied", "end", "killed"]


class Ledger(msgspec.Struct):
    """Channel T, and what a handler may do to its world."""

    executor: str
    note: Callable[[Execution], None]
    time: Callable[[], float]
    strike: Callable[[], None]
    """Kills the executor that the caller runs on."""
    now: Callable[[], datetime]
    """By the database's clock: what a handler waits for is nothing of its own machine."""
    is_down: Callable[[], bool]
    """Whether the downstream of guarded handlers is down."""
    marks: dict[str, str]
    """The marks of runs whose handlers began, for those whose inputs history does not keep."""


class PlannedError(Exception):
    """The plan has this attempt fail."""


def handlers(ledger: Ledger) -> Handlers:
    """One job for each kind of behaviour."""
    registry = Handlers()
    for kind, terms in TERMS.items():
        registry.add(
            behaviour(kind, ledger),
            name=kind,
            queue=terms.queue,
            retry=terms.policy,
            timeout=terms.timeout,
            on_lost=terms.on_lost,
            history=terms.history,
            **terms.limits,
        )
    return registry


def behaviour(kind: str, ledger: Ledger) -> Callable[..., object]:
    async def handle(
        ctx: Context,
        mark: str,
        seconds: float,
        fails: int,
        wait: float = 0.0,
        text: str = "",  # noqa: ARG001 it only makes an input large
        group: str = "",  # noqa: ARG001 a limit looks at it
    ) -> str:
        entry = Entry(ledger, wait)
        entry.began(ctx, mark)
        ctx.logger.info("%s begins", mark)
        failed = ledger.is_down() if kind == "guarded" else ctx.attempt <= fails
        try:
            if kind == "poison":
                ledger.strike()
            await do(kind, ctx, entry, seconds, failed=failed)
        except asyncio.CancelledError:
            entry.note("killed")
            raise
        except Yielded:
            entry.note("end", "yielded")
            raise
        ctx.logger.info("%s ends", mark)
        entry.lines = 2
        return end(kind, entry, mark, failed=failed)

    return handle


async def do(kind: str, ctx: Context, entry: "Entry", seconds: float, *, failed: bool) -> None:
    match kind:
        case "steps":
            await take_steps(ctx, entry, seconds, failed=failed)
        case "effects":
            await have_effect(ctx, entry, seconds)
        case "checks":
            await go_on(ctx, entry, seconds)
        case "timed" if entry.wait:
            ctx.extend_timeout(entry.wait)
            await asyncio.sleep(seconds)
        case _:
            await work(kind, seconds)


def end(kind: str, entry: "Entry", mark: str, *, failed: bool) -> str:
    """Say in the ledger what is about to be said, and say it."""
    match kind:
        case "quits" if not failed:
            entry.note("end", "gave_up")
            raise GiveUp(mark)
        case "snoozes" if failed:
            entry.note("end", "snoozed")
            raise Snooze(entry.wait)
        case "parks" if failed:
            entry.note("end", "suspended")
            raise Suspend(until=entry.until)
        case "again" if failed:
            entry.note("end", "failed")
            raise Retry(entry.wait)
    entry.note("end", "failed" if failed else "succeeded")
    if failed:
        raise PlannedError(mark)
    return mark


async def take_steps(ctx: Context, entry: "Entry", seconds: float, *, failed: bool) -> None:
    """Three steps, or only two if the attempt is to fail behind them."""
    for name in STEPS[:2] if failed else STEPS:

        async def call(name: str = name) -> str:
            entry.note("step", name=name)
            await asyncio.sleep(seconds / len(STEPS))
            return entry.token

        result = await ctx.step(name, call)
        entry.note("stepped", str(result), name=name)


async def go_on(ctx: Context, entry: "Entry", seconds: float) -> None:
    """From the last checkpoint on, one after the other."""
    for number in range(await ctx.checkpointed() or 0, CHECKPOINTS):
        await asyncio.sleep(seconds / CHECKPOINTS)
        ctx.checkpoint(number + 1)
        entry.note("checkpoint", str(number + 1))


async def have_effect(ctx: Context, entry: "Entry", seconds: float) -> None:
    """Something happens to the world in the middle; what the ledger of effects said before goes with it."""
    async with ctx.effect("mail") as mail:
        if not mail.done:
            await asyncio.sleep(seconds / 2)
            entry.note("applied", "unknown" if mail.unknown else "first", name="mail")
            await asyncio.sleep(seconds / 2)
            mail.result = entry.token


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

    def __init__(self, ledger: Ledger, wait: float) -> None:
        self._ledger = ledger
        self._attempt = current.get()
        self.wait = wait
        """What the handler asks for: time before it goes on, or more time for this attempt."""
        self.lines = 1

    @property
    def until(self) -> datetime | None:
        """When the run is to go on by itself, if at all."""
        return self._ledger.now() + timedelta(seconds=self.wait) if self.wait else None

    @property
    def run(self) -> str:
        return id_text(self._attempt.run)

    @property
    def token(self) -> str:
        return self._attempt.token.hex()

    def began(self, ctx: Context, mark: str) -> None:
        """With what the handler was told of its trigger."""
        self._ledger.marks[id_text(self._attempt.run)] = mark
        fire_at = None if ctx.fire_at is None else round(ctx.fire_at.timestamp() * MICROS)
        self.note("start", trigger=ctx.trigger, fire_at=fire_at)

    def note(
        self, event: Event, outcome: str = "", *, name: str = "", trigger: str = "", fire_at: int | None = None
    ) -> None:
        attempt = self._attempt
        over = event in {"end", "killed"}
        self._ledger.note(
            Execution(
                at=self._ledger.time(),
                event=event,
                run=self.run,
                attempt=attempt.number,
                executor=self._ledger.executor,
                token=self.token,
                outcome=outcome,
                name=name,
                lines=self.lines if over else 0,
                wait=self.wait if over else 0.0,
                trigger=trigger,
                fire_at=fire_at,
            )
        )
