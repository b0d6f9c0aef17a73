"""The app whose handlers keep channel T: each says by itself, with one append, that it began and that it came to its end."""

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mainspring import App, Context, Pool, RetryPolicy
from mainspring.clock import SystemClock
from proof.chaos.places import LEASE
from proof.records import Execution, JobRule, encode

LEDGER = "CHAOS_LEDGER"
BEGAN = "CHAOS_BEGAN"
EXECUTOR = "CHAOS_EXECUTOR"
LASTING = 3 * LEASE
STEP = 0.05
BACKOFF = 0.2
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
    "poison": JobRule(),
    "hog": JobRule(),
}
"""What the checker may hold the jobs to; the back-off has full jitter, so its least is nothing."""


def write(ctx: Context, event: str, outcome: str = "") -> None:
    """A single append, so that lines of many processes never mix and the last words of a killed one stay whole."""
    line = Execution(
        at=clock.monotonic() - float(os.environ[BEGAN]),
        event=event,  # type: ignore[arg-type]
        run=ctx.run,
        attempt=ctx.attempt,
        executor=os.environ[EXECUTOR],
        token=ctx._attempt.token.hex(),
        outcome=outcome,
        pid=os.getpid(),
    )
    file = os.open(os.environ[LEDGER], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, encode(line))
    finally:
        os.close(file)


@contextmanager
def recorded(ctx: Context) -> Iterator[None]:
    write(ctx, "start")
    try:
        yield
    except asyncio.CancelledError:
        write(ctx, "killed")
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
            # Whoever runs out of memory, this is the process to end.
            VICTIM.write_text("1000")
            held = []
            while True:
                held.append(bytes(HOG))
        return payload


def work(ctx: Context, seconds: float) -> None:
    """Be busy for so long, looking up now and then."""
    until = clock.monotonic() + seconds
    while clock.monotonic() < until:
        ctx.raise_if_stopping()
        threading.Event().wait(STEP)
