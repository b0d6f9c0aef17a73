"""Jobs under rates, a limit of one, fair shares and a breaker, whose handlers note when they begin."""

import asyncio
import os
import time
from pathlib import Path

from bench.mainspring.names import ALONE, FLOODED, GUARDED, HELD, RATED
from bench.peers.probe import probe_from_environment
from mainspring import App, RetryPolicy

app = App("guarded")
probe = probe_from_environment()
DOWN = Path(os.environ.get("BENCH_DOWN", "/nonexistent"))
"""While this file is there the downstream fails."""
TAKES = float(os.environ.get("BENCH_TAKES", "0"))
"""Seconds that a flooded handler takes."""
SHORT, CALL = 0.002, 0.02
LONG = 3600.0
ended = 0.0
"""When the last attempt under the limit of one ended."""


class DownstreamError(Exception):
    """The downstream is down."""


@app.job(name=RATED, rate="500/s")
async def rated(payload: float) -> None:
    probe.start(payload)


@app.job(name=ALONE, at_once=1)
async def alone(payload: float) -> None:  # noqa: ARG001 which one it is does not matter
    global ended  # noqa: PLW0603 handlers of one process, one at a time
    if ended:
        probe.start(ended)
    await asyncio.sleep(SHORT)
    ended = time.monotonic()


@app.job(name=HELD, at_once=1)
async def held(payload: float) -> None:  # noqa: ARG001
    await asyncio.sleep(LONG)


@app.job(name=FLOODED, fair="key")
async def flooded(payload: float, key: int) -> None:
    if key:
        probe.start(payload)
    if TAKES:
        await asyncio.sleep(TAKES)


@app.job(name=GUARDED, breaker="downstream", retry=RetryPolicy(attempts=10))
async def guarded(payload: float) -> None:  # noqa: ARG001
    down = DOWN.exists()  # noqa: ASYNC240 a look at one file, a few microseconds
    probe.start(float(down))
    await asyncio.sleep(CALL)
    if down:
        raise DownstreamError("503")
