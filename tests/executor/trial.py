"""One attempt of a handler, run as a pool would, with all that its app keeps for it."""

import asyncio
from typing import Any

import msgspec

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.lease import Lease
from mainspring.executor.pools.loop import LoopPool
from mainspring.executor.pools.thread_slot import ThreadSlot
from mainspring.executor.process.lifespan import opened
from tests.executor.fakes import TOKEN, run_id
from tests.executor.test_telemetry import Sink


async def attempted(handlers: Handlers, name: str, **arguments: Any) -> Attempt:
    """Start a process, as it were, run one attempt in it, and end it."""
    async with opened(handlers) as served:
        return await attempted_in(served, name, **arguments)


async def attempted_in(served: Handlers, name: str, **arguments: Any) -> Attempt:
    handler = served.get(name)
    assert handler is not None
    attempt = Attempt(run_id(1), TOKEN, 1, msgspec.json.encode(arguments), handler, 0.0)
    if not handler.is_async:
        ThreadSlot(SystemClock(), Sink(), Lease()).run(attempt)
        return attempt
    ended: asyncio.Queue[list[Attempt]] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    size = PoolSize(Pool.LOOP, 1, 1, 1)
    pool = LoopPool(size, loop=loop, clock=SystemClock(), journal=Sink(), lease=Lease(), ended=ended.put_nowait)
    pool.start([attempt])
    return (await ended.get())[0]


async def result(handlers: Handlers, name: str, **arguments: Any) -> Any:
    """What the attempt returned; a failure fails the test."""
    attempt = await attempted(handlers, name, **arguments)
    assert attempt.failure is None, attempt.failure
    return msgspec.json.decode(attempt.result)


async def failure(handlers: Handlers, name: str, **arguments: Any) -> tuple[str, str, str]:
    """Class, message and traceback of the attempt's failure."""
    attempt = await attempted(handlers, name, **arguments)
    assert attempt.failure is not None
    return attempt.failure.error, attempt.failure.message, attempt.failure.traceback
