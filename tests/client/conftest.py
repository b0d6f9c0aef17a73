"""A whole server on SQLite with an executor beside it, and an app that reaches them."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest
import pytest_asyncio

from mainspring import App, AsyncClient, Client, Context, Pool, RetryPolicy
from mainspring.executor.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings

TOKEN = "token-of-the-tests"


class Shop:
    """An app with a few jobs."""

    def __init__(self, url: str) -> None:
        self.app = app = App("tests", client=AsyncClient(url, token=TOKEN), sync_client=Client(url, token=TOKEN))

        @app.job
        async def greet(name: str, times: int = 1) -> str:
            return f"hello {name}" * times

        @app.job(pool=Pool.THREADS, priority=2, queue="slow")
        def add(left: int, right: int) -> int:
            return left + right

        @app.job(retry=RetryPolicy(attempts=2, backoff=0.001))
        def fail(ctx: Context) -> None:
            ctx.logger.info("about to fail, attempt %d", ctx.attempt)
            raise ValueError("no luck")

        @app.job(name="never-taken", queue="nobody")
        async def never() -> None: ...

        self.greet, self.add, self.fail, self.never = greet, add, fail, never


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    home = str(tmp_path_factory.mktemp("home"))
    settings = ServerSettings(home=home, port=0, api_token=TOKEN, executor_token=TOKEN + "-executor")
    stop, listening = asyncio.Event(), asyncio.Queue[ServerSettings]()
    server = asyncio.create_task(serve(settings, stop, listening=listening.put_nowait))
    found = (await listening.get()).url
    executor = Executor(
        Shop(found).app.handlers,
        ExecutorSettings(servers=(found,), token=TOKEN + "-executor", queues=("default", "slow")),
    )
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    yield found
    executor.stop()
    assert await running == 0
    stop.set()
    await server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop(url: str) -> AsyncIterator[Shop]:
    made = Shop(url)
    async with httpx2.AsyncClient(base_url=url) as http:
        while not (await http.get("/readyz")).json()["executors"]:
            pass
    yield made
    await made.app.client.close()
    made.app.sync_client.close()
