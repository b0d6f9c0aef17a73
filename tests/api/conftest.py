"""A real engine on SQLite behind real HTTP on loopback."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
import pytest_asyncio

from mainspring.api.app import create_app
from mainspring.clock import SystemClock
from mainspring.domain.ids import Ids
from mainspring.domain.jobs.job import JobSpec
from mainspring.scheduler.engine import Scheduler
from mainspring.server import answering, listen, open_checked
from mainspring.settings import ServerSettings
from mainspring.store.interface import Store
from tests.factories import add_namespace

API_TOKEN = "api-token-of-the-tests"
EXECUTOR_TOKEN = "executor-token-of-the-tests"
SCHEMA = msgspec.json.encode(
    {
        "type": "object",
        "properties": {"email": {"type": "string"}, "times": {"type": "integer"}, "extra": {}},
        "required": ["email"],
        "additionalProperties": False,
    }
)


class Server:
    """What tests need of a running server."""

    def __init__(self, http: httpx2.AsyncClient, scheduler: Scheduler, store: Store, url: str) -> None:
        self.http = http
        self.scheduler = scheduler
        self.store = store
        self.url = url

    async def post(self, content: object, **headers: str) -> httpx2.Response:
        body = content if isinstance(content, bytes) else msgspec.json.encode(content)
        headers = {"content-type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        return await self.http.post("/api/v1/runs", content=body, headers=headers)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    jobs = [JobSpec(name="mail", handler="mail", schema=SCHEMA), JobSpec(name="open", handler="open")]
    async with serving(tmp_path_factory.mktemp("home"), jobs) as made:
        yield made


@asynccontextmanager
async def serving(home: Path, jobs: list[JobSpec], **more: Any) -> AsyncIterator[Server]:
    settings = ServerSettings(home=str(home), port=0, api_token=API_TOKEN, executor_token=EXECUTOR_TOKEN, **more)
    clock, stop = SystemClock(), asyncio.Event()
    store = await open_checked(settings)
    await store.jobs.register("default", jobs, now=clock.now())
    await add_namespace(store, "other")
    scheduler = Scheduler(store, settings.scheduler, clock, Ids())
    running = asyncio.create_task(scheduler.run(stop))
    with listen(settings) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with (
            answering(create_app(scheduler, settings, clock=clock), listener, asyncio.Event()),
            httpx2.AsyncClient(base_url=url, headers={"authorization": f"Bearer {API_TOKEN}"}) as http,
        ):
            while (await http.get("/readyz")).status_code != 200:
                pass
            yield Server(http, scheduler, store, url)
            stop.set()
            await running
    await store.close()


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "home")
