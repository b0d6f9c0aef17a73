"""The app of the trial: its handler writes down which instant it is the run of, with one append."""

import os

from mainspring import App, Context
from mainspring.clock import SystemClock

LEDGER = "BOUNDARY_LEDGER"

app = App("boundary")
clock = SystemClock()


@app.job
async def tick(ctx: Context) -> None:
    instant = "" if ctx.fire_at is None else ctx.fire_at.isoformat()
    line = f"{ctx.trigger} {instant} {ctx.run} {ctx.attempt} {clock.now().isoformat()}\n"
    file = os.open(os.environ[LEDGER], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)
