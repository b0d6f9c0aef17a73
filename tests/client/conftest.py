"""A whole server on SQLite with an executor beside it, and an app that reaches them."""

import asyncio
import enum
from collections.abc import AsyncIterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, NamedTuple

import httpx2
import pytest
import pytest_asyncio
from pydantic import BaseModel

from mainspring import INJECTED, App, AsyncClient, Client, Context, Inject, Job, Pool, RetryPolicy
from mainspring.executor.process.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings

TOKEN = "token-of-the-tests-of-the-clients"


class Carrier(enum.Enum):
    ROAD = "road"
    AIR = "air"


@dataclass
class OrderLine:
    sku: str
    quantity: int


@dataclass
class Order:
    number: int
    lines: list[OrderLine]


class Receipt(NamedTuple):
    number: int
    pieces: int
    by: Carrier


class Basket(BaseModel):
    total: Decimal


def voice() -> str:
    return "!"


class TypedJobs:
    """Those with arguments and results that are more than JSON."""

    def __init__(self, app: App) -> None:
        @app.job
        def ship(order: Order, by: Carrier = Carrier.ROAD) -> Receipt:
            return Receipt(order.number, sum(line.quantity for line in order.lines), by)

        @app.job
        async def discount(basket: Basket, ctx: Context = INJECTED) -> Basket:
            return Basket(total=basket.total / 2)

        @app.job
        class Announce(Job):
            queue = "slow"
            priority = 7
            retry = RetryPolicy(attempts=3)

            def __init__(self, voice: Annotated[str, Inject(voice, "process")]) -> None:
                self._voice = voice

            async def run(self, ctx: Context, what: str) -> str:
                return f"{what}{self._voice} ({ctx.job})"

        self.ship, self.discount, self.announce = ship, discount, Announce


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

        @app.job
        async def linger(ctx: Context) -> str:
            ctx.logger.info("lingering, attempt %d", ctx.attempt)
            if ctx.attempt == 1:
                await asyncio.Event().wait()
            return "at last"

        self.greet, self.add, self.fail, self.never = greet, add, fail, never
        typed = TypedJobs(app)
        self.ship, self.discount, self.announce = typed.ship, typed.discount, typed.announce
        self.linger = linger


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
    async with httpx2.AsyncClient(base_url=url, headers={"authorization": f"Bearer {TOKEN}"}) as http:
        while not (await http.get("/readyz")).json()["executors"]:
            pass
    yield made
    await made.app.client.close()
    made.app.sync_client.close()
