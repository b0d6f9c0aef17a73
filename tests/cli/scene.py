"""A server with an executor, and a shell that calls the command line in this process."""

import asyncio
import sys
from pathlib import Path
from threading import Thread

import pytest

from mainspring import App, Context
from mainspring.cli.main import main
from mainspring.executor.process.executor import Executor
from mainspring.server import serve
from mainspring.settings import ExecutorSettings, ServerSettings

app = App("commands")


@app.job
async def greet(name: str, times: int = 1) -> str:
    return f"hello {name}" * times


@app.job
def fail() -> None:
    raise ValueError("no luck")


@app.job(queue="nobody")
def never() -> None: ...


@app.job
async def linger(ctx: Context) -> str:
    """Wait to be cancelled, and be done the second time."""
    ctx.logger.info("lingering, attempt %d", ctx.attempt)
    if ctx.attempt == 1:
        await asyncio.Event().wait()
    return "at last"


@app.job
async def plod(ctx: Context) -> str:
    """Go on until a caller wants it suspended, and be done the second time."""
    said: str = await ctx.step("greet", greet, "Anna")
    ctx.logger.info("plodding")
    while ctx.attempt == 1:
        ctx.checkpoint({"attempt": ctx.attempt})
        await asyncio.sleep(0)
    return said


@app.job
async def halfway(ctx: Context) -> None:
    """Be done with more than was told."""
    ctx.progress(0.5, "half of it")


class Place:
    """A server with an executor, in threads of their own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.loop = asyncio.new_event_loop()
        self.stop = asyncio.Event()
        self.listening: asyncio.Queue[ServerSettings] = asyncio.Queue()
        self.thread = Thread(target=self.loop.run_forever)
        self.thread.start()
        settings = ServerSettings(home=str(home), port=0)
        self.server = asyncio.run_coroutine_threadsafe(
            serve(settings, self.stop, listening=self.listening.put_nowait), self.loop
        )
        found = asyncio.run_coroutine_threadsafe(self.listening.get(), self.loop).result()
        self.url = found.url
        here = ExecutorSettings(servers=(found.url,), token=found.executor_token, queues=("default",))
        self.executor = Executor(app.handlers, here)
        self.running = Thread(target=self.executor.run, kwargs={"signals": False})
        self.running.start()

    def close(self) -> None:
        self.executor.stop()
        self.running.join()
        self.loop.call_soon_threadsafe(self.stop.set)
        self.server.result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


class Shell:
    """Calls the command line in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["mainspring", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        said = self._capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err
