"""The app that the processes of these tests serve; each handler writes to the ledger by itself."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mainspring import App, AsyncClient, Client, Context, Pool, RetryPolicy
from tests.acceptance import ledger
from tests.support.processes import API_TOKEN

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
def wait_in_child(ctx: Context, url: str) -> None:
    """Wait for a run that nobody starts."""
    with recorded(ctx), Client(url, token=API_TOKEN) as client:
        client.enqueue("noop", queue="nobody").result()


@app.job(pool=Pool.PROCESSES)
async def await_in_child(ctx: Context, url: str) -> None:
    """The same, on an event loop."""
    with recorded(ctx):
        async with AsyncClient(url, token=API_TOKEN) as client:
            await (await client.enqueue("noop", queue="nobody")).result()


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


LATE = 2.0
"""Long enough for a handler to have begun on most machines."""
ONCE = RetryPolicy(attempts=1)


@app.job(timeout=LATE, retry=ONCE)
async def overrun(ctx: Context) -> None:
    with recorded(ctx):
        await asyncio.Event().wait()


@app.job(timeout=LATE, retry=ONCE)
def overrun_on_a_thread(ctx: Context, gate: str) -> None:
    with recorded(ctx):
        wait_for(gate)


@app.job(pool=Pool.PROCESSES, timeout=LATE, retry=ONCE)
def overrun_in_child(ctx: Context, gate: str) -> None:
    """Wait together with a process of its own."""
    with subprocess.Popen([sys.executable, "-c", "input()", gate], stdin=subprocess.PIPE), recorded(ctx):
        wait_for(gate)


@app.job
async def block(ctx: Context, gate: str) -> None:
    """Wait where waiting keeps everybody else on the loop waiting too."""
    with recorded(ctx):
        wait_for(gate)


def wait_for(gate: str) -> None:
    """Opening a named pipe for reading returns once another process opens it for writing."""
    with Path(gate).open("rb", buffering=0):
        pass
