"""What a handler asks for is its run's child, on the loop and on a thread, unless it says otherwise."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from mainspring import App, AsyncClient, Client, Context, InvalidInputError, NotFoundError, Pool
from mainspring.client.transport.requests import new_enqueue, with_parent
from mainspring.executor.process.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings
from tests.support.limits import HANG

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN = "a-long-token-of-the-tests-of-children"


class Family:
    """An app whose handlers ask for runs."""

    def __init__(self, url: str) -> None:
        self.client = AsyncClient(url, token=TOKEN)
        self.app = app = App("family", client=self.client)

        @app.job(queue="nobody")
        def leaf() -> None: ...

        @app.job
        async def on_the_loop(ctx: Context) -> list[str]:
            async with AsyncClient(url, token=TOKEN) as client:
                first = await client.enqueue("leaf")
                [second] = await client.enqueue_many([new_enqueue("leaf")])
                free = await client.enqueue("leaf", parent=None)
            return [ctx.run, first.id, second.id, free.id]

        @app.job(pool=Pool.THREADS)
        def on_a_thread(ctx: Context) -> list[str]:
            with Client(url, token=TOKEN) as client:
                return [ctx.run, client.enqueue("leaf").id]

        self.on_the_loop, self.on_a_thread = on_the_loop, on_a_thread


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def family(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Family]:
    home = str(tmp_path_factory.mktemp("home"))
    settings = ServerSettings(home=home, port=0, api_token=TOKEN, executor_token=TOKEN + "-executor")
    stop, listening = asyncio.Event(), asyncio.Queue[ServerSettings]()
    server = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    url = (await listening.get()).url
    made = Family(url)
    executor = Executor(
        made.app.handlers, ExecutorSettings(servers=(url,), token=TOKEN + "-executor", queues=("default",))
    )
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    while not (await made.client.jobs.list()).jobs:
        pass
    yield made
    await made.client.close()
    executor.stop()
    assert await running == 0
    stop.set()
    await server


async def test_a_handler_s_runs_are_its_children_unless_it_says_otherwise(family: Family) -> None:
    parent, first, second, free = await (await family.on_the_loop.enqueue()).result(timeout=HANG)
    client = family.client

    assert [(await client.get(run)).parent for run in (parent, first, second, free)] == [None, parent, parent, None]
    assert {run.id for run in (await client.list(parent=parent)).runs} == {first, second}


async def test_a_handler_on_a_thread_is_known_as_well(family: Family) -> None:
    parent, child = await (await family.on_a_thread.enqueue()).result(timeout=HANG)

    assert (await family.client.get(child)).parent == parent


async def test_children_are_cancelled_with_a_parent_that_is_over(family: Family) -> None:
    parent, first, second, free = await (await family.on_the_loop.enqueue()).result(timeout=HANG)
    client = family.client
    over = await client.cancel(parent, children=True, reason="not needed")

    assert over.state == "succeeded"
    states = [(await client.get(run)).state for run in (first, second, free)]
    assert states == ["cancelled", "cancelled", "waiting"]


async def test_outside_of_handlers_a_run_is_nobody_s_child(family: Family) -> None:
    handle = await family.client.enqueue("leaf")
    chosen = await family.client.enqueue("leaf", parent=handle.id)

    assert (await handle.get()).parent is None
    assert (await chosen.get()).parent == handle.id
    assert with_parent(new_enqueue("leaf")) == new_enqueue("leaf")
    with pytest.raises(InvalidInputError) as refused:
        await family.client.enqueue("leaf", parent="not an id")
    assert refused.value.field == "parent"


async def test_text_that_is_no_id_stays_one_part_of_the_path(family: Family) -> None:
    for text in ("not an id", "a/b", "?wait=1"):
        with pytest.raises((InvalidInputError, NotFoundError)):
            await family.client.get(text)
