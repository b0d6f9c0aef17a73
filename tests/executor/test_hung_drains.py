"""A drain with handlers that hang takes as long as their timeouts, and not as long as its grace."""

import asyncio
import threading
from pathlib import Path

import pytest

from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.process.executor import EXIT_OK, Executor
from mainspring.wire.messages import Outcomes
from tests.executor import sample
from tests.executor.fakes import run_id, start
from tests.executor.stand_in import Dialogue, stand_in
from tests.executor.test_executor import settings
from tests.executor.test_process_pool import listen

GRACE = 600.0
TIMEOUT = 1.0


async def gather(line: Dialogue, count: int) -> dict[bytes, Outcome]:
    found: dict[bytes, Outcome] = {}
    while len(found) < count:
        found |= {ended.run: ended.outcome for ended in (await line.heard.hear(Outcomes)).ended}
    return found


@pytest.mark.slow
async def test_timeouts_are_enforced_in_all_three_pools_while_an_executor_drains(tmp_path: Path) -> None:
    handlers, gate, began = Handlers(), threading.Event(), threading.Barrier(3)

    async def hang_on_the_loop() -> None:
        await asyncio.to_thread(began.wait)
        await asyncio.Event().wait()

    def hang_in_a_thread() -> None:
        began.wait()
        gate.wait()

    handlers.add(hang_on_the_loop)
    handlers.add(hang_in_a_thread)
    handlers.add(sample.hang, pool=Pool.PROCESSES)
    pipe = listen(tmp_path)
    async with stand_in() as server:
        executor = Executor(handlers, settings(server.url, grace=GRACE, stop_grace=0.1), app="tests.executor.sample")
        ending = asyncio.get_running_loop().run_in_executor(None, lambda: executor.run(signals=False))
        line = await server.connections.get()
        # The child writes as soon as it begins: where nobody read yet, it might be stopped before it could.
        reading = asyncio.create_task(asyncio.to_thread(pipe.read_text))
        await line.say(
            start(1, name="hang_on_the_loop", timeout=TIMEOUT),
            start(2, name="hang_in_a_thread", timeout=TIMEOUT, part=1),
            start(3, name="hang", raw=f'{{"pipe":"{pipe}"}}'.encode(), timeout=TIMEOUT, part=2),
        )
        await asyncio.to_thread(began.wait)
        await reading
        executor.stop()
        outcomes = await gather(line, 3)
        code = await ending
        gate.set()

    assert outcomes == {run_id(number): Outcome.TIMED_OUT for number in (1, 2, 3)}
    assert code == EXIT_OK
