"""A handler that blocks the event loop is named while it does, and the executor goes on beating."""

import asyncio
import inspect
import sys
import threading
from types import FrameType

import pytest

from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import id_text
from mainspring.domain.jobs.job import Pool
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.pools.blocking import LoopWatch
from mainspring.executor.process.executor import Executor
from mainspring.settings import ExecutorSettings
from mainspring.wire.messages import Beat, Logs, Outcomes
from tests.executor.fakes import run_id, start
from tests.executor.stand_in import TOKEN_TEXT, stand_in
from tests.support.limits import HANG

POOLS = (PoolSize(Pool.LOOP, 0, 10, 10), PoolSize(Pool.THREADS, 1, 1, 1), PoolSize(Pool.PROCESSES, 0, 1, 1))


@pytest.mark.parametrize("nested", [False, True])
async def test_a_handler_that_blocks_the_loop_is_named_while_the_executor_beats(
    caplog: pytest.LogCaptureFixture, *, nested: bool
) -> None:
    gate = threading.Event()
    handlers = Handlers()

    async def wait() -> None:
        gate.wait(HANG)

    async def hold_everybody_up() -> None:
        if nested:
            await asyncio.gather(asyncio.sleep(0), wait())
        else:
            await wait()

    handlers.add(hold_everybody_up)
    async with stand_in() as server:
        settings = ExecutorSettings(servers=(server.url,), token=TOKEN_TEXT, name="e1", pools=POOLS, blocked_after=0.05)
        executor = Executor(handlers, settings)
        ending = asyncio.get_running_loop().run_in_executor(None, lambda: executor.run(signals=False))
        line = await server.connections.get()
        await line.say(start(7, name="hold_everybody_up"))

        (entry,) = (await line.heard.hear(Logs)).entries
        assert (entry.run, entry.message.splitlines()[0]) == (
            run_id(7),
            "this handler has blocked the event loop for more than 0.05 s, here:",
        )
        assert ("in hold_everybody_up" in entry.message) is not nested
        assert "in wait" in entry.message
        assert "run_forever" not in entry.message
        first = await line.heard.hear(Beat)
        assert (await line.heard.hear(Beat)).seq > first.seq
        gate.set()
        await line.heard.hear(Outcomes)
        while not (beat := await line.heard.hear(Beat)).load.blocked:
            pass

        blocked = beat.load.blocked[-1]
        assert (blocked.handler, blocked.run) == ("hold_everybody_up", id_text(run_id(7)))
        assert blocked.seconds >= 0.05
        outer = wait if nested else hold_everybody_up
        assert blocked.place.startswith(f"{__file__}:")
        assert 0 < int(blocked.place.rpartition(":")[2]) - inspect.getsourcelines(outer)[1] <= 4
        executor.stop()
        assert await ending == 0
    assert "handler hold_everybody_up (run " in caplog.text


async def test_a_loop_that_answers_is_let_alone() -> None:
    loop = asyncio.get_running_loop()
    watch = LoopWatch(
        loop, here=loop, clock=SystemClock(), after=30.0, frames=sys._current_frames, report=lambda *_: None
    )
    await watch.look()

    assert watch.blocked == []


async def test_a_block_that_no_handler_is_to_blame_for_is_told_without_one() -> None:
    other, gate, busy = asyncio.new_event_loop(), threading.Event(), threading.Event()
    thread = threading.Thread(target=other.run_forever)
    thread.start()
    here = asyncio.get_running_loop()

    def caught_in_it() -> dict[int, FrameType]:
        found = sys._current_frames()
        if busy.is_set():
            here.call_soon(gate.set)
        return found

    watch = LoopWatch(other, here=here, clock=SystemClock(), after=0.02, frames=caught_in_it, report=lambda *_: None)
    await watch.look()

    def block() -> None:
        busy.set()
        gate.wait(HANG)

    other.call_soon_threadsafe(block)
    await asyncio.to_thread(busy.wait)
    await watch.look()
    other.call_soon_threadsafe(other.stop)
    await asyncio.to_thread(thread.join)
    other.close()

    blocked = watch.blocked[-1]
    assert (blocked.handler, blocked.run) == ("", "")
    assert "threading.py" in blocked.place
