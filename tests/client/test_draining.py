"""A drain from outside, with a real executor at the other end: it is emptied, stays, and works again afterwards."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from mainspring import App, AsyncClient, Context
from mainspring.contract.executors import ExecutorSessions
from mainspring.executor.process.executor import Executor
from mainspring.settings import ExecutorSettings
from tests.client.conftest import TOKEN
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAME = "emptied"
app = App("draining")
tries: list[int] = []
stopped: list[int] = []
began = threading.Event()


@app.job(queue="emptied")
async def stubborn(ctx: Context) -> int:
    """Does not look whether it should stop, the first time."""
    tries.append(ctx.attempt)
    began.set()
    if ctx.attempt == 1:
        await asyncio.Event().wait()
    return ctx.attempt


@app.job(queue="emptied")
def obedient(ctx: Context) -> str:
    while ctx.attempt == 1 and not ctx.should_stop:
        pass
    stopped.append(ctx.attempt)
    return "ended by itself"


@pytest_asyncio.fixture(loop_scope="module")
async def client(url: str) -> AsyncIterator[AsyncClient]:
    settings = ExecutorSettings(servers=(url,), token=TOKEN + "-executor", name=NAME, queues=("emptied",))
    executor = Executor(app.handlers, settings)
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    async with AsyncClient(url, token=TOKEN) as client:
        # It is seen a moment before its jobs are.
        while "obedient" not in {job.name for job in (await client.jobs.list()).jobs}:
            pass
        yield client
    executor.stop()
    assert await running == 0


async def until_held(client: AsyncClient, *, runs: int) -> ExecutorSessions:
    while len((detail := await client.executors.get(NAME)).runs) != runs:
        pass
    return detail


async def test_an_executor_that_is_drained_is_emptied_and_stays(client: AsyncClient) -> None:
    first, second = await client.enqueue("stubborn"), await client.enqueue("obedient")
    [session] = (await until_held(client, runs=2)).sessions
    assert await asyncio.to_thread(began.wait, HANG)
    await client.executors.drain(NAME, grace=2, reason="a look inside")

    assert await second.result(timeout=HANG) == "ended by itself"
    await until_held(client, runs=0)
    handed_back = await first.get()
    assert (handed_back.state, handed_back.reason) == ("waiting", "cordoned")
    assert (handed_back.failures, handed_back.losses) == (0, 0)

    await client.executors.uncordon(NAME)
    assert await first.result(timeout=HANG) == 2
    [same] = (await client.executors.get(NAME)).sessions
    assert same.session == session.session
    assert (tries, stopped) == ([1, 2], [1])
