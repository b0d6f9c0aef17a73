"""Executors that end by themselves: after so many runs, or so much idleness."""

import logging
from collections.abc import Callable

import msgspec

from mainspring.clock import Clock
from mainspring.domain.cluster.session import PoolSize
from mainspring.executor.attempts.runner import Runner
from mainspring.settings import ExecutorSettings

log = logging.getLogger("mainspring.executor")

LOOK_EVERY = 0.2


def limited(settings: ExecutorSettings) -> ExecutorSettings:
    """The settings with pools that take no more attempts at a time than the executor is to run in all."""
    most = settings.runs
    if not most:
        return settings
    pools = tuple(PoolSize(one.pool, min(one.core, most), min(one.max, most), 0) for one in settings.pools)
    return msgspec.structs.replace(settings, pools=pools)


async def end_when_done(settings: ExecutorSettings, runner: Runner, clock: Clock, stop: Callable[[], object]) -> None:
    """Stop the executor once it has run enough, or has had nothing to do for long enough."""
    idle_since = clock.monotonic()
    while True:
        await clock.sleep(LOOK_EVERY)
        if len(runner.holdings):
            idle_since = clock.monotonic()
        if runner.budget and runner.budget.is_spent:
            log.info("%d runs are done: draining", runner.budget.finished)
        elif settings.idle and clock.monotonic() - idle_since >= settings.idle:
            log.info("nothing to do for %.0f s: draining", settings.idle)
        else:
            continue
        stop()
        # The drain ends this loop, too.
        idle_since = float("inf")
        await clock.sleep(settings.grace + 60.0)
