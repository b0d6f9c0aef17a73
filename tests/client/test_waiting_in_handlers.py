"""Handlers that wait for other runs: they hear that they are to end, and a pool that they lock up is seen and said."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from queue import SimpleQueue

import pytest
import pytest_asyncio

from mainspring import App, AsyncClient, Client, Context
from mainspring.client.handles import RunHandle
from mainspring.executor.process.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings
from mainspring.settings.sections import SchedulerSettings
from mainspring.settings.text import parse_pool, with_defaults
from tests.support.limits import HANG
from tests.support.processes import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN = "a-long-token-of-the-tests-of-waiting"
NAME = "waiter"
SLOTS = 2
WAYS = ("wait_plainly", "stream_plainly", "read_plainly", "run_a_loop", "wait_on_the_loop", "block_the_loop")


class Waiters:
    """An app whose handlers wait for runs that never start, each in its own way."""

    def __init__(self, url: str) -> None:
        self.client = AsyncClient(url, token=TOKEN)
        self.plain = Client(url, token=TOKEN)
        self.heard: SimpleQueue[str] = SimpleQueue()
        self.app = app = App("waiters", client=self.client, sync_client=self.plain)

        @app.job(queue="nobody")
        def never() -> None: ...

        @app.job
        def small() -> str:
            return "done"

        @app.job
        def locks_up(ctx: Context) -> str:
            return str(self.plain.enqueue("small", labels={"parent": ctx.run}).result())

        self._add_waiting()
        self._add_late()

    def _add_waiting(self) -> None:
        app, plain = self.app, self.plain

        @app.job
        def wait_plainly() -> None:
            self._hear(lambda: plain.enqueue("never").result())

        @app.job
        def stream_plainly() -> None:
            self._hear(lambda: list(plain.enqueue("never").stream()))

        @app.job
        def read_plainly() -> None:
            self._hear(lambda: list(plain.enqueue("never").logs()))

        @app.job
        def run_a_loop() -> None:
            self._hear(lambda: asyncio.run(self._wait_elsewhere()))

        @app.job
        async def wait_on_the_loop() -> None:
            try:
                await self._wait_elsewhere()
            except asyncio.CancelledError:
                self.heard.put("cancelled")
                raise

        @app.job
        async def block_the_loop() -> None:
            self._hear(lambda: plain.enqueue("never").result())

    def _add_late(self) -> None:
        @self.app.job(timeout=0.2)
        def wait_too_long() -> None:
            self._hear(lambda: self.plain.enqueue("never").result())

    async def _wait_elsewhere(self) -> None:
        async with AsyncClient(self.url, token=TOKEN) as client:
            await (await client.enqueue("never")).result()

    @property
    def url(self) -> str:
        url = self.plain._given[0]
        assert isinstance(url, str)
        return url

    def _hear(self, wait: Callable[[], object]) -> None:
        try:
            wait()
        except asyncio.CancelledError:
            self.heard.put("cancelled")
            raise


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def waiters(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Waiters]:
    scheduler = SchedulerSettings(beat=0.1, poll=0.1)
    settings = ServerSettings(
        home=str(tmp_path_factory.mktemp("home")),
        port=0,
        api_token=TOKEN,
        executor_token=TOKEN + "-executor",
        scheduler=scheduler,
    )
    stop, listening = asyncio.Event(), asyncio.Queue[ServerSettings]()
    server = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    url = (await listening.get()).url
    made = Waiters(url)
    executor = Executor(
        made.app.handlers,
        ExecutorSettings(
            servers=(url,),
            token=TOKEN + "-executor",
            name=NAME,
            queues=("default",),
            pools=with_defaults([parse_pool(f"threads=0:{SLOTS}:0")]),
            stop_grace=30.0,
        ),
    )
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    while not (await made.client.jobs.list()).jobs:
        pass
    yield made
    executor.stop()
    assert await running == 0
    stop.set()
    await server
    await made.client.close()
    made.plain.close()


async def waiting_for_a_child(client: AsyncClient, run: RunHandle[object]) -> bool:
    return bool((await client.list(parent=run.id, limit=1)).runs)


@pytest.mark.parametrize("way", WAYS)
async def test_a_wait_in_a_handler_hears_a_cancel(waiters: Waiters, way: str) -> None:
    run = await waiters.client.enqueue(way)
    await eventually(lambda: waiting_for_a_child(waiters.client, run), "the run that is waited for")
    await run.cancel("no need")

    assert (await run.wait(timeout=HANG)).state == "cancelled"
    assert waiters.heard.get(timeout=HANG) == "cancelled"


async def test_a_wait_in_a_handler_hears_that_its_time_is_up(waiters: Waiters) -> None:
    run = await waiters.client.enqueue("wait_too_long")
    found = await run.wait(timeout=HANG)

    assert found.error is not None
    assert (found.state, found.error.code) == ("failed", "timeout")
    assert "goes on" not in found.error.message
    assert waiters.heard.get(timeout=HANG) == "cancelled"


async def test_a_wait_in_a_handler_hears_a_deadline(waiters: Waiters) -> None:
    run = await waiters.client.enqueue("wait_plainly", deadline=3)
    found = await run.wait(timeout=HANG)

    assert (found.state, found.reason) == ("failed", "deadline_passed")
    assert waiters.heard.get(timeout=HANG) == "cancelled"


async def test_a_wait_in_a_handler_hears_a_drain_whose_grace_is_over(waiters: Waiters) -> None:
    client = waiters.client
    run = await client.enqueue("wait_plainly")
    await eventually(lambda: waiting_for_a_child(client, run), "the run that is waited for")
    await client.executors.drain(NAME, grace=0.1)
    said = await asyncio.to_thread(waiters.heard.get, timeout=HANG)

    async def handed_back() -> bool:
        return (await run.get()).reason == "cordoned"

    await eventually(handed_back, "the run in its line again")
    await run.cancel()
    await client.executors.uncordon(NAME)
    assert said == "cancelled"


async def test_a_pool_locked_up_by_waits_is_seen_by_everybody_and_recovers(
    waiters: Waiters, caplog: pytest.LogCaptureFixture
) -> None:
    client = waiters.client
    caplog.set_level(logging.INFO)
    parents = [await client.enqueue("locks_up") for _ in range(SLOTS)]

    async def stuck() -> list[tuple[str, int, int]]:
        [session] = (await client.executors.get(NAME)).sessions
        return [(one.pool, one.strays, one.waits) for one in session.stuck]

    async def reasons() -> set[str | None]:
        return {run.reason for run in (await client.list(job="small", states=["waiting"])).runs}

    found = await eventually(stuck, "a pool without usable slots")
    why = await eventually(reasons, "runs that say why they wait")
    await parents[0].cancel()
    results = await asyncio.gather(*(parent.wait(timeout=HANG) for parent in parents))
    await eventually(lambda: is_none(stuck()), "usable slots")

    assert found == [("threads", 0, SLOTS)]
    assert why == {"stuck"}
    assert [run.state for run in results] == ["cancelled", "succeeded"]
    lines = [record.getMessage() for record in caplog.records]
    assert len([line for line in lines if "handler locks_up (run " in line and "lock the pool up" in line]) == 1
    said = "has no usable slot in its pool threads: 2 wait for runs that need the same pool"
    assert f"executor {NAME} {said}" in lines
    assert f"executor {NAME} has usable slots in its pool threads again" in lines


async def is_none(asked: object) -> bool:
    return not await asked  # type: ignore[misc]
