"""An executor inside a process that has other things to do, such as a web server of a small deployment."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from mainspring.app import App
from mainspring.errors import ConfigError
from mainspring.executor.process.executor import Executor
from mainspring.settings import TOKEN_EXECUTOR, ClientSettings, ExecutorSettings, load, read_token

log = logging.getLogger("mainspring.executor")


@asynccontextmanager
async def embedded_executor(app: App, settings: ExecutorSettings) -> AsyncIterator[None]:
    """Serve the app's jobs in a thread of their own, beside this loop; drained at the end."""
    executor = Executor(app.handlers, settings)
    running = asyncio.create_task(asyncio.to_thread(executor.run, signals=False))
    running.add_done_callback(report)
    try:
        yield
    finally:
        executor.stop()
        await running


def report(running: "asyncio.Task[int]") -> None:
    if not running.cancelled() and running.exception() is None and running.result():
        log.error("the executor inside this process has ended with code %d", running.result())


def executor_settings() -> ExecutorSettings:
    """Settings from the environment, the configuration file and the home directory, as for `mainspring executor`."""
    settings = load(ExecutorSettings)
    token = settings.token or read_token(load(ClientSettings).home, TOKEN_EXECUTOR)
    if not token:
        raise ConfigError("no token for the executor: set MAINSPRING_EXECUTOR_TOKEN")
    return msgspec.structs.replace(settings, token=token)
