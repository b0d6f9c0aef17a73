"""A reader's desk: a folder with the page's files, a server on SQLite and an executor beside it."""

import asyncio
import importlib
import sys
from pathlib import Path
from threading import Thread

import httpx2

from mainspring import Client
from mainspring.cli.processes.executor import served
from mainspring.executor.process.executor import Executor
from mainspring.server import serve
from mainspring.settings import TOKEN_API, ExecutorSettings, ServerSettings, read_token

NAME = "press-1"
"""What the guides call an executor."""
GRACE = 0.1
"""What a page leaves running is not waited for."""


class Stage:
    """Server and executor run in threads of their own, so that a block may block."""

    def __init__(self, folder: Path, app: str, files: dict[str, str]) -> None:
        self.folder, self.app = folder, app
        self._modules = {name.removesuffix(".py") for name in files}
        for name, code in files.items():
            (folder / name).write_text(code)
        sys.path.insert(0, str(folder))
        importlib.invalidate_caches()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        self._start_server()
        self._start_executor()

    def _start_server(self) -> None:
        listening: asyncio.Queue[ServerSettings] = asyncio.Queue()
        settings = ServerSettings(home=str(self.folder / ".mainspring"), port=0)
        serving = serve(settings, self._stop, listening=listening.put_nowait)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop)
        self.settings = asyncio.run_coroutine_threadsafe(listening.get(), self._loop).result()
        self.url = self.settings.url
        self.token = read_token(self.settings.home, TOKEN_API)
        self.client = Client(self.url, token=self.token)

    def _start_executor(self) -> None:
        settings = ExecutorSettings(
            servers=(self.url,),
            token=self.settings.executor_token,
            name=NAME,
            grace=GRACE,
            allow=("http",),
            http_networks=("127.0.0.0/8",),
        )
        self._executor = Executor(served(self.app, settings), settings, app=self.app)
        self._running = Thread(target=self._executor.run, kwargs={"signals": False})
        self._running.start()
        with httpx2.Client(base_url=self.url, headers={"authorization": f"Bearer {self.token}"}) as http:
            while not http.get("/readyz").json()["executors"]:
                pass

    def close(self) -> None:
        self.client.close()
        self._executor.stop()
        self._running.join()
        self._loop.call_soon_threadsafe(self._stop.set)
        self._server.result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        sys.path.remove(str(self.folder))
        for name in self._modules:
            sys.modules.pop(name, None)
