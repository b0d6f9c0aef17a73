"""The app of these trials; each handler writes to the ledger by itself."""

import asyncio
import time

from mainspring import App, Context
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
