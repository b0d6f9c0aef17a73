"""A real server and a real executor beside the tests, for code that has no event loop."""

import asyncio
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from mainspring import Client
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.process.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, SchedulerSettings, ServerSettings
from tests.support.limits import HANG

TOKEN = "token-of-the-tests-of-frameworks-"
EXECUTOR_TOKEN = TOKEN + "executor"

NEVER = 60.0
"""Seconds between polls: whatever happens sooner was woken."""


class Live(msgspec.Struct):
    url: str

    def client(self) -> Client:
        return Client(self.url, token=TOKEN)


@contextmanager
def live_server(home: Path, database_url: str = "", *, poll: float = 1.0) -> Iterator[Live]:
    settings = ServerSettings(
        home=str(home),
        port=0,
        database_url=database_url,
        api_token=TOKEN,
        executor_token=EXECUTOR_TOKEN,
        scheduler=SchedulerSettings(poll=poll),
    )
    listening: queue.SimpleQueue[ServerSettings] = queue.SimpleQueue()
    handles: queue.SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = queue.SimpleQueue()

    async def run() -> None:
        stop = asyncio.Event()
        handles.put((asyncio.get_running_loop(), stop))
        await serve(settings, stop, listening=listening.put)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    loop, stop = handles.get(timeout=HANG)
    try:
        yield Live(listening.get(timeout=HANG).url)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


@contextmanager
def live_executor(live: Live, handlers: Handlers, *, queues: tuple[str, ...] = ()) -> Iterator[None]:
    executor = Executor(handlers, ExecutorSettings(servers=(live.url,), token=EXECUTOR_TOKEN, queues=queues))
    thread = threading.Thread(target=executor.run, kwargs={"signals": False})
    thread.start()
    try:
        yield
    finally:
        executor.stop()
        thread.join()
