"""The app whose handlers run on the event loop."""

import asyncio
import os

from bench.mainspring.names import HOLD, NOOP, WORK
from bench.peers.probe import probe_from_environment
from bench.peers.workload import workload_from_environment
from mainspring import App, KeptHistory, RetryPolicy

app = App("bench")
probe = probe_from_environment()
workload = workload_from_environment()


@app.job(name=NOOP)
async def noop(payload: float) -> None:
    probe.start(payload)


@app.job(name=WORK, retry=RetryPolicy(attempts=1), history=KeptHistory(os.environ.get("BENCH_HISTORY", "all")))
async def work(payload: float, body: str = "") -> None:  # noqa: ARG001 it is brought, and not looked at
    probe.start(payload)
    if workload.wait:
        await asyncio.sleep(workload.wait)
    workload.finish(payload)


@app.job(name=HOLD)
async def hold(payload: float) -> None:
    """Stay until the executor is told to stop."""
    probe.start(payload)
    await asyncio.sleep(3600)
