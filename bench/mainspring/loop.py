"""The app whose handlers run on the event loop."""

import asyncio

from bench.mainspring.names import HOLD, NOOP
from bench.peers.probe import probe_from_environment
from mainspring import App

app = App("bench")
probe = probe_from_environment()


@app.job(name=NOOP)
async def noop(payload: float) -> None:
    probe.start(payload)


@app.job(name=HOLD)
async def hold(payload: float) -> None:
    """Stay until the executor is told to stop."""
    probe.start(payload)
    await asyncio.sleep(3600)
