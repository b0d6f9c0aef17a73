"""The app that the processes of these tests serve; each handler writes to the ledger by itself."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mainspring import App, Context, Pool, RetryPolicy
from tests.acceptance import ledger

app = App("acceptance")


@contextmanager
def recorded(ctx: Context) -> Iterator[None]:
    ledger.write(ledger.START, ctx.run, ctx.attempt)
    yield
    ledger.write(ledger.END, ctx.run, ctx.attempt)


@app.job
async def noop(ctx: Context) -> None:
    with recorded(ctx):
        pass


@app.job
def hold(ctx: Context, gate: str, ballast: str = "") -> int:
    """Wait for the gate on a thread; say which process did it. Ballast makes the run large."""
    with recorded(ctx):
        wait_for(gate)
    return os.getpid()


@app.job
def narrate(ctx: Context, gate: str) -> None:
    """Say something before the gate and something behind it."""
    with recorded(ctx):
        ctx.logger.info("begun")
        wait_for(gate)
        ctx.logger.info("done")


@app.job(pool=Pool.PROCESSES)
def hold_in_child(ctx: Context, gate: str) -> int:
    with recorded(ctx):
        wait_for(gate)
    return os.getpid()


@app.job(retry=RetryPolicy(attempts=3, backoff=0.01))
def fail_first(ctx: Context) -> int:
    """Fail once, then succeed; log each time."""
    with recorded(ctx):
        ctx.logger.info("attempt %d", ctx.attempt)
    if ctx.attempt == 1:
        raise LookupError("not yet")
    return ctx.attempt


@app.job(retry=RetryPolicy(attempts=1))
def fail(ctx: Context) -> None:
    with recorded(ctx):
        raise LookupError("never")


def wait_for(gate: str) -> None:
    """Opening a named pipe for reading returns once somebody opens it for writing."""
    with Path(gate).open("rb", buffering=0):
        pass
