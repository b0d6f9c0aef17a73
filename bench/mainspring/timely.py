"""The app of runs that begin at a known instant; each notes that instant, on the monotonic clock, with its start."""

import asyncio
import datetime as dt
import time

from bench.mainspring.names import AFTER
from bench.peers.probe import probe_from_environment
from mainspring import App, Context, Retry, RetryPolicy, Snooze, Suspend

app = App("timely")
probe = probe_from_environment()
asked: dict[float, float] = {}
"""When each run that goes on later is to begin again."""


def is_first(payload: float) -> bool:
    """Whether the run has yet to go on later; if not, its start is noted."""
    if payload not in asked:
        asked[payload] = time.monotonic() + AFTER
        return True
    probe.start(asked.pop(payload))
    return False


@app.job(name="retry", retry=RetryPolicy(attempts=3))
async def retry(payload: float) -> None:
    if is_first(payload):
        raise Retry(after=AFTER)


@app.job(name="snooze")
async def snooze(payload: float) -> None:
    if is_first(payload):
        raise Snooze(after=AFTER)


@app.job(name="resume")
async def resume(ctx: Context, payload: float) -> None:
    if is_first(payload):
        raise Suspend(until=dt.datetime.now(dt.UTC) + dt.timedelta(seconds=AFTER), reason=f"attempt {ctx.attempt}")


@app.job(name="delay")
async def delay(payload: float) -> None:
    probe.start(payload)


@app.job(name="crowd", priority=9)
async def crowd(payload: float) -> float:
    await asyncio.sleep(0.02)
    return payload
