"""Real processes for tests: servers and executors started as people start them, and ended for certain."""

import inspect
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar, overload

import httpx2
import msgspec

from mainspring.client.async_client import AsyncClient
from mainspring.clock import Clock, SystemClock
from tests.support.limits import HANG

T = TypeVar("T")
P = TypeVar("P", bound="Process")

API_TOKEN = "api-token-of-the-acceptance-tests"
EXECUTOR_TOKEN = "executor-token-of-the-acceptance-tests"
LOOK_EVERY = 0.01
ADDRESS = re.compile(r'(?:listening on|^ +server +) ?(http://[^\s"]+)', re.MULTILINE)
"""As `server` logs it and `up` announces it."""


@overload
async def eventually(
    condition: Callable[[], Awaitable[T]], what: str, *, within: float = HANG, clock: Clock | None = None
) -> T: ...


@overload
async def eventually(
    condition: Callable[[], T], what: str, *, within: float = HANG, clock: Clock | None = None
) -> T: ...


async def eventually(
    condition: Callable[[], Any], what: str, *, within: float = HANG, clock: Clock | None = None
) -> Any:
    """Wait until the condition gives something true, and return that; raises TimeoutError, saying what did not come."""
    clock = clock or SystemClock()
    deadline = clock.monotonic() + within
    while True:
        found = condition()
        value = await found if inspect.isawaitable(found) else found
        if value:
            return value
        if clock.monotonic() >= deadline:
            raise TimeoutError(f"not within {within:.0f} s: {what}")
        await clock.sleep(LOOK_EVERY)


def clean_environment(**variables: str) -> dict[str, str]:
    """The environment without settings that were meant for other processes."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MAINSPRING_")}
    return {**inherited, **variables}


class Process:
    """One `mainspring …` command; what it says is kept in a file, over all its lives."""

    program: Sequence[str] = ("-m", "mainspring")
    """What the interpreter runs."""

    def __init__(self, arguments: Sequence[str], *, log: Path, env: Mapping[str, str], folder: Path) -> None:
        self._arguments = arguments
        self._log = log
        self._env = env
        self._folder = folder
        self._spoken_before = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again once it has ended."""
        command = [sys.executable, *self.program, *self._arguments]
        with self._log.open("ab") as log:
            self._spoken_before = log.tell()
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(self._env),
                cwd=self._folder,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._started.pid

    @property
    def said(self) -> str:
        """What it said since its last start."""
        return self._log.read_bytes()[self._spoken_before :].decode(errors="replace")

    @property
    def log(self) -> str:
        """What it said in all its lives, under its name."""
        return f"--- {self._log.stem}\n{self._log.read_text(errors='replace')}"

    async def says(self, text: str) -> None:
        await self.hear(re.compile(re.escape(text)))

    async def hear(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """Wait until it has said that; raises ChildProcessError if it ends without."""
        found = await eventually(lambda: self._heard(pattern), f"{self._log.stem} saying {pattern.pattern!r}")
        assert found is not None
        return found

    async def wait(self, within: float = HANG) -> int:
        """Its exit code, once it has ended."""
        await eventually(lambda: self._over, f"the end of {self._log.stem}", within=within)
        return self._started.wait()

    async def kill(self) -> None:
        """As a power cut would: it can do nothing about it."""
        self._started.kill()
        await self.wait()

    async def terminate(self) -> int:
        self.signal(signal.SIGTERM)
        return await self.wait()

    def signal(self, number: signal.Signals) -> None:
        self._started.send_signal(number)

    def pause(self) -> None:
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.signal(signal.SIGCONT)

    def close(self) -> None:
        """End it whatever state it is in; harmless if it has ended."""
        if self._process is not None and not self._over:
            self._process.kill()
            self._process.wait()

    @property
    def _started(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "not started yet"
        return self._process

    @property
    def _over(self) -> bool:
        return self._started.poll() is not None

    def _heard(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        over = self._over
        found = pattern.search(self.said)
        if over and found is None:
            self._refuse_end(f"saying {pattern.pattern!r}")
        return found

    def _refuse_end(self, what: str) -> None:
        if self._over:
            raise ChildProcessError(f"{self._log.stem} ended without {what}:\n{self.said}")


class Readiness(msgspec.Struct, frozen=True):
    """What /readyz answered."""

    code: int
    reason: str
    executors: int


class ServerProcess(Process):
    """`mainspring server`, or `mainspring up`; it keeps its port when it is started again."""

    def __init__(self, arguments: Sequence[str], *, log: Path, env: Mapping[str, str], folder: Path) -> None:
        # The test that waits for executors may not have its token.
        env = {"MAINSPRING_PUBLIC_DETAILS": "true", **env}
        super().__init__([*arguments, "--port", "0"], log=log, env=env, folder=folder)
        self.url = ""

    async def listening(self) -> Self:
        """Wait until it answers, ready or not."""
        found = await self.hear(ADDRESS)
        self.url = found[1]
        self._arguments = [*self._arguments[:-1], self.url.rpartition(":")[2]]
        return self

    async def ready(self, *, executors: int = 0) -> Self:
        """Wait until it takes work, and has that many executors."""
        await self.listening()

        async def answered() -> bool:
            self._refuse_end("being ready")
            found = await self.readiness()
            return found is not None and found.code == 200 and found.executors >= executors

        await eventually(answered, f"{self.url}/readyz with {executors} executors")
        return self

    async def readiness(self) -> Readiness | None:
        """What /readyz says; None if nobody answers."""
        try:
            async with self.http() as http:
                answer = await http.get("/readyz")
        except httpx2.TransportError:
            return None
        said: dict[str, Any] = answer.json()
        return Readiness(answer.status_code, said.get("reason", ""), said.get("executors", 0))

    def http(self) -> httpx2.AsyncClient:
        """A bare client that holds an API token."""
        headers = {"authorization": f"Bearer {API_TOKEN}"}
        return httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=HANG)

    def client(self) -> AsyncClient:
        return AsyncClient(self.url, token=API_TOKEN)


class ExecutorProcess(Process):
    """`mainspring executor`."""

    async def connected(self) -> Self:
        await self.says("connected to ")
        return self


class Fleet:
    """The processes of one test, with their logs in one folder; all end with it."""

    def __init__(self, folder: Path, *, code: Path, env: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._code = code
        self._env = env or {}
        self._processes: list[Process] = []

    def server(self, database_url: str = "", /, *arguments: str, **settings: object) -> ServerProcess:
        """Start a server; settings are named as in the environment, without MAINSPRING_."""
        return self._start(ServerProcess, ["server", *arguments], self._server_env(database_url, settings))

    def up(self, *arguments: str, **settings: object) -> ServerProcess:
        """Start a server and its executor with one command."""
        return self._start(ServerProcess, ["up", *arguments], self._server_env("", settings))

    def executor(
        self, app: str, *servers: ServerProcess, name: str, pools: Sequence[str] = (), **settings: object
    ) -> ExecutorProcess:
        """Start an executor that dials the servers in this order; settings are named without MAINSPRING_EXECUTOR_."""
        arguments = ["executor", app, "--name", name]
        arguments += [part for server in servers for part in ("--server", server.url)]
        arguments += [part for pool in pools for part in ("--pool", pool)]
        env = {f"MAINSPRING_EXECUTOR_{name.upper()}": str(value) for name, value in settings.items()}
        return self._start(ExecutorProcess, arguments, {"MAINSPRING_EXECUTOR_TOKEN": EXECUTOR_TOKEN, **env})

    def command(self, *arguments: str, **variables: str) -> Process:
        """Start a command that ends by itself."""
        return self._start(Process, arguments, variables)

    @property
    def logs(self) -> str:
        return "\n".join(process.log for process in self._processes)

    def close(self) -> None:
        for process in reversed(self._processes):
            process.close()

    def _start(self, kind: Callable[..., P], arguments: Sequence[str], env: Mapping[str, str]) -> P:
        log = self._folder / f"{len(self._processes) + 1}-{arguments[0]}.log"
        process = kind(arguments, log=log, env=clean_environment(**self._env, **env), folder=self._code)
        self._processes.append(process)
        process.start()
        return process

    def _server_env(self, database_url: str, settings: Mapping[str, object]) -> dict[str, str]:
        named = {
            "home": self._folder / "home",
            "database_url": database_url,
            "api_token": API_TOKEN,
            "executor_token": EXECUTOR_TOKEN,
            **settings,
        }
        return {f"MAINSPRING_{name.upper()}": str(value) for name, value in named.items()}
