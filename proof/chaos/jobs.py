"""The app whose handlers keep channel T: each says by itself, with one append, that it began and that it came to its end."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from mainspring import App, Context, Pool, RetryPolicy
from mainspring.clock import SystemClock
from mainspring.errors import LeaseLostError
from mainspring.executor.attempts.signals import Yielded
from proof.chaos.flows import RULE, add_flows
from proof.chaos.flows import STEP as FLOW_STEP
from proof.chaos.limits import RULES as LIMITED
from proof.chaos.limits import add_limited
from proof.chaos.places import LEASE
from proof.records import Execution, JobRule, encode

LEDGER = "CHAOS_LEDGER"
BEGAN = "CHAOS_BEGAN"
EXECUTOR = "CHAOS_EXECUTOR"
DATABASE = "CHAOS_DATABASE"
LASTING = 3 * LEASE
STEP = 0.05
BACKOFF = 0.2
HUNG = 2.0
"""Seconds after which handlers that hang are stopped."""
STEPS = tuple(f"step {number}" for number in range(12))
PATIENCE = 5.0
"""Seconds that a handler gives its own transaction."""
HOG = 64 << 20
VICTIM = Path("/proc/self/oom_score_adj")

app = App("chaos")
clock = SystemClock()
RULES = {
    "quick": JobRule(),
    "on_thread": JobRule(),
    "in_child": JobRule(),
    "lasting": JobRule(),
    "lasting_on_thread": JobRule(),
    "lasting_in_child": JobRule(),
    "fail_first": JobRule(attempts=3),
    "fail_always": JobRule(attempts=2),
    "steps": JobRule(),
    "effects": JobRule(),
    "settles": JobRule(attempts=20),
    "poison": JobRule(),
    "hog": JobRule(),
    "hang": JobRule(timeout=HUNG),
    "hang_in_child": JobRule(timeout=HUNG),
    FLOW_STEP: RULE,
    **LIMITED,
}
"""What the checker may hold the jobs to; the back-off has full jitter, so its least is nothing."""


def write(ctx: Context, event: str, outcome: str = "", *, name: str = "") -> None:
    """A single append, so that lines of many processes never mix and the last words of a killed one stay whole."""
    line = Execution(
        at=clock.monotonic() - float(os.environ[BEGAN]),
        event=event,  # type: ignore[arg-type]
        run=ctx.run,
        attempt=ctx.attempt,
        executor=os.environ[EXECUTOR],
        token=token_of(ctx),
        outcome=outcome,
        name=name,
        pid=os.getpid(),
    )
    file = os.open(os.environ[LEDGER], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, encode(line))
    finally:
        os.close(file)


def token_of(ctx: Context) -> str:
    return ctx._attempt.token.hex()


@contextmanager
def recorded(ctx: Context) -> Iterator[None]:
    write(ctx, "start")
    try:
        yield
    except asyncio.CancelledError:
        write(ctx, "killed")
        raise
    except Yielded:
        write(ctx, "end", "yielded")
        raise
    except LookupError:
        write(ctx, "end", "failed")
        raise
    write(ctx, "end", "succeeded")


@app.job
async def quick(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        return payload


@app.job
def on_thread(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        work(ctx, 0.1)
        return payload


@app.job(pool=Pool.PROCESSES)
def in_child(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        work(ctx, 0.1)
        return payload


@app.job
async def lasting(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        await clock.sleep(LASTING)
        return payload


@app.job
def lasting_on_thread(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        work(ctx, LASTING)
        return payload


@app.job(pool=Pool.PROCESSES)
def lasting_in_child(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        work(ctx, LASTING)
        return payload


@app.job(retry=RetryPolicy(attempts=3, backoff=BACKOFF))
async def fail_first(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        if ctx.attempt == 1:
            raise LookupError("not yet")
        return payload


@app.job(retry=RetryPolicy(attempts=2, backoff=BACKOFF))
def fail_always(ctx: Context, payload: str) -> None:
    with recorded(ctx):
        raise LookupError(payload)


@app.job
async def steps(ctx: Context, payload: str) -> str:
    """Long enough for a caller to set it aside meanwhile."""
    with recorded(ctx):
        for name in STEPS:
            write(ctx, "stepped", await ctx.step(name, take, ctx, name), name=name)
        return payload


async def take(ctx: Context, name: str) -> str:
    write(ctx, "step", name=name)
    await clock.sleep(LASTING / len(STEPS))
    return token_of(ctx)


@app.job
async def effects(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        async with ctx.effect("mail") as mail:
            if not mail.done:
                write(ctx, "applied", "unknown" if mail.unknown else "first", name="mail")
                await clock.sleep(STEP)
        return payload


@app.job(retry=RetryPolicy(attempts=20, backoff=BACKOFF))
async def settles(ctx: Context, payload: str) -> None:
    """Settles itself in a transaction of its own, and tries again if it cannot tell what became of that."""
    write(ctx, "start")
    try:
        async with asyncio.timeout(PATIENCE), own_transaction() as connection:
            await ctx.settle_in(connection, payload)
            # Behind the commit there may be nobody left to say so.
            write(ctx, "end", "succeeded")
    except asyncio.CancelledError:
        write(ctx, "killed")
        raise
    except (OSError, LeaseLostError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        write(ctx, "end", "failed")
        raise LookupError("not settled, for all that is known") from error


@asynccontextmanager
async def own_transaction() -> AsyncIterator["asyncpg.Connection[Any]"]:
    connection = await asyncpg.connect(os.environ[DATABASE], target_session_attrs="read-write", timeout=PATIENCE)
    try:
        async with connection.transaction():
            yield connection
    finally:
        # A word of farewell may wait for ever for an answer.
        connection.terminate()


@app.job(pool=Pool.PROCESSES)
def poison(ctx: Context, payload: str) -> None:
    """Takes the process down that runs it."""
    write(ctx, "start")
    write(ctx, "killed")
    os._exit(len(payload))


@app.job(pool=Pool.PROCESSES)
def hog(ctx: Context, payload: str) -> str:
    """Takes memory until the system ends the process, in its first attempt."""
    with recorded(ctx):
        if ctx.attempt == 1:
            # Whichever process runs out of memory, this is the one to end.
            VICTIM.write_text("1000")
            held = []
            while True:
                held.append(bytes(HOG))
        return payload


@app.job(timeout=HUNG)
async def hang(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        await asyncio.Event().wait()
        return payload


@app.job(pool=Pool.PROCESSES, timeout=HUNG)
def hang_in_child(ctx: Context, payload: str) -> str:
    with recorded(ctx):
        threading.Event().wait()
        return payload


def work(ctx: Context, seconds: float) -> None:
    """Be busy for so long, looking up now and then."""
    until = clock.monotonic() + seconds
    while clock.monotonic() < until:
        ctx.raise_if_stopping()
        threading.Event().wait(STEP)


add_flows(app, recorded)
add_limited(app, recorded)
