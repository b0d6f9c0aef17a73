"""The app of these trials; each handler writes to the ledger by itself."""

import asyncio
import time

from mainspring import App, Context
from proof.fleet import strides
from tests.acceptance import ledger

app = App("fleet")


@app.job
async def work(ctx: Context, seconds: float = 0.0) -> None:
    ledger.write(ledger.START, ctx.run, ctx.attempt)
    await asyncio.sleep(seconds)
    ledger.write(ledger.END, ctx.run, ctx.attempt)


@app.job
def block(ctx: Context, seconds: float) -> None:
    """The same on a thread."""
    ledger.write(ledger.START, ctx.run, ctx.attempt)
    time.sleep(seconds)  # noqa: TID251 the work itself: a handler that blocks its thread
    ledger.write(ledger.END, ctx.run, ctx.attempt)


@app.job
async def stride(ctx: Context, flow: int, n: int, seconds: float) -> int:
    """One step of a walk; says when it began."""
    ledger.write(ledger.START, ctx.run, ctx.attempt)
    strides.write(flow, n, ctx.run)
    await asyncio.sleep(seconds)
    return n + 1


@app.workflow
def walk(flow: int, seconds: float) -> int:
    """A chain of strides."""
    n = stride.step(flow, 0, seconds)
    for _ in range(strides.LENGTH - 1):
        n = stride.step(flow, n, seconds)
    return n
