"""Plays an example for real: its own web process, a server and an executor, and requests over HTTP."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx2

from mainspring.clock import SystemClock
from tests.architecture.source import ROOT
from tests.support.limits import HANG
from tests.support.processes import (
    API_TOKEN,
    EXECUTOR_TOKEN,
    ExecutorProcess,
    Process,
    ServerProcess,
    clean_environment,
)

ADDRESS = re.compile(r"running on (http://[\w.]+:\d+)", re.IGNORECASE)


class Stage:
    """The processes of one example, with their logs in one folder; all end with it."""

    def __init__(self, example: str, folder: Path, database_url: str = "", **env: str) -> None:
        self._folder = folder
        self.folder = ROOT / "examples" / example
        self._env = env
        self._processes: list[Process] = []
        self._database_url = database_url
        self.server: ServerProcess

    async def open(self) -> None:
        settings = {
            "MAINSPRING_HOME": str(self._folder / "home"),
            "MAINSPRING_DATABASE_URL": self._database_url,
            "MAINSPRING_API_TOKEN": API_TOKEN,
            "MAINSPRING_EXECUTOR_TOKEN": EXECUTOR_TOKEN,
        }
        self.server = self._start(ServerProcess, ["server"], settings)
        await self.server.ready()

    async def executor(self, app: str) -> None:
        arguments = ["executor", app, "--name", "e", "--server", self.server.url]
        await self._start(ExecutorProcess, arguments, {"MAINSPRING_EXECUTOR_TOKEN": EXECUTOR_TOKEN}).connected()

    async def web(self, *program: str, **env: str) -> httpx2.AsyncClient:
        """Start a web process, and get a client for it."""
        process = self._start(program_of(program[0]), program[1:], {**self.client_env, **env})
        return httpx2.AsyncClient(base_url=(await process.hear(ADDRESS))[1], timeout=HANG)

    async def runs(self, *program: str, **env: str) -> str:
        """Run something to its end; what it said."""
        process = self._start(program_of(program[0]), program[1:], {**self.client_env, **env})
        assert await process.wait() == 0, process.said
        said: str = process.said
        return said.strip()

    @property
    def client_env(self) -> dict[str, str]:
        return {"MAINSPRING_URL": self.server.url, "MAINSPRING_TOKEN": API_TOKEN}

    @property
    def logs(self) -> str:
        return "\n".join(process.log for process in self._processes)

    def close(self) -> None:
        for process in reversed(self._processes):
            process.close()

    def _start(self, kind: type[Any], arguments: Sequence[str], env: Mapping[str, str]) -> Any:
        name = (arguments or ("program",))[0].replace("/", "-")
        log = self._folder / f"{len(self._processes) + 1}-{name}.log"
        process = kind(arguments, log=log, env=clean_environment(**{**self._env, **env}), folder=self.folder)
        self._processes.append(process)
        process.start()
        return process


def program_of(name: str) -> type[Process]:
    """A module such as `uvicorn`, or a file of the example."""
    words = (name,) if name.endswith(".py") else ("-m", name)
    return type("Program", (Process,), {"program": words})


async def answer(web: httpx2.AsyncClient, path: str, *, until: str, field: str = "state") -> dict[str, Any]:
    """What the page says once a field of it is as wanted."""
    clock = SystemClock()
    deadline = clock.monotonic() + HANG
    while True:
        said: dict[str, Any] = (await web.get(path)).json()
        if said[field] == until:
            return said
        assert clock.monotonic() < deadline, said
        await clock.sleep(0.02)
