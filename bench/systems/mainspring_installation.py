"""One server of Mainspring on a fresh store, and the executors that are started beside it."""

import json
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from bench.environment import ROOT
from bench.peers.workload import NO_OP, Workload
from bench.processes import CommandError, run, start, stop
from bench.servers import Servers, free_port
from bench.systems.mainspring_store import Store

BOOT = 30.0
PAUSE = 0.02


@dataclass(frozen=True, slots=True)
class Executor:
    """A running executor, and where its probe writes."""

    process: subprocess.Popen[bytes]
    probe: Path


@dataclass(slots=True)
class Installation:
    """Everything that was started is stopped by `close`."""

    name: str
    store: Store
    workload: Workload = NO_OP
    history: str = "all"
    """Of which runs inputs and results are kept."""
    files: Path = Path()
    environment: dict[str, str] = field(default_factory=dict)
    server: subprocess.Popen[bytes] | None = None
    executors: list[Executor] = field(default_factory=list)
    started: int = 0
    """Executors so far."""

    def open(self, servers: Servers) -> None:
        self.files = servers.directory(self.name)
        self.environment = {
            "MAINSPRING_DATABASE_URL": self.store.create(servers, self.files),
            "MAINSPRING_HOME": str(self.files / "home"),
            "MAINSPRING_API_TOKEN": (token := secrets.token_urlsafe()),
            "MAINSPRING_TOKEN": token,
            "MAINSPRING_EXECUTOR_TOKEN": secrets.token_urlsafe(),
            "BENCH_WORKLOAD": self.workload.encode(),
            "BENCH_HISTORY": self.history,
        }
        self.start_server()

    def start_server(self) -> None:
        port = free_port()
        self.environment["MAINSPRING_URL"] = f"http://127.0.0.1:{port}"
        self.environment["MAINSPRING_EXECUTOR_SERVERS"] = f"http://127.0.0.1:{port}"
        self.server = self.start("server.log", "-m", "mainspring", "server", "--migrate", "--port", str(port))
        self.wait(lambda: self.readiness() is not None, "the server was not ready")

    def register(self, app: str) -> None:
        """Make the jobs of an app known: an executor brings them and leaves again."""
        executor = self.start_executor(app)
        self.wait(lambda: self.attached() == 1, "the executor did not connect")
        self.stop_executor(executor)
        self.wait(lambda: self.attached() == 0, "the executor did not leave")

    def start_executor(self, app: str, *options: str, mode: str = "count") -> Executor:
        number = self.started = self.started + 1
        probe = self.files / f"probe-{number}"
        probe.mkdir()
        more = {"BENCH_PROBE": str(probe), "BENCH_PROBE_MODE": mode}
        command = ["-m", "mainspring", "executor", app, "--name", f"bench-{number}", *options]
        executor = Executor(self.start("executor.log", *command, more=more), probe)
        self.executors.append(executor)
        return executor

    def stop_executor(self, executor: Executor) -> None:
        stop(executor.process)
        self.executors.remove(executor)

    def close(self) -> None:
        for executor in list(self.executors):
            self.stop_executor(executor)
        self.stop_server()

    def stop_server(self) -> None:
        if self.server is not None:
            stop(self.server)
        self.server = None

    def ask(self, module: str, *arguments: str) -> float:
        """Run a client process to its end and return the seconds it reports."""
        return float(json.loads(self.output(module, *arguments))["seconds"])

    def begin(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a client process that goes on beside whatever comes."""
        return self.start(f"{module}.log", "-m", f"bench.mainspring.{module}", *arguments)

    def output(self, module: str, *arguments: str) -> str:
        """The last line that a client process prints."""
        environment = {**self.environment, "BENCH_URL": self.environment["MAINSPRING_URL"]}
        command = [sys.executable, "-m", f"bench.mainspring.{module}", *arguments]
        return run(command, environment=environment, directory=ROOT).splitlines()[-1]

    def start(self, log: str, *command: str, more: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        environment = {**self.environment, **(more or {})}
        return start([sys.executable, *command], self.files / log, environment=environment, directory=ROOT)

    def attached(self) -> int | None:
        """How many executors the server has; None if it is not ready."""
        readiness = self.readiness()
        return None if readiness is None else int(readiness["executors"])

    def readiness(self) -> dict[str, int] | None:
        known = {"Authorization": f"Bearer {self.environment['MAINSPRING_TOKEN']}"}
        asked = Request(f"{self.environment['MAINSPRING_URL']}/readyz", headers=known)
        with suppress(URLError, ConnectionError), urlopen(asked) as answer:
            found: dict[str, int] = json.load(answer)
            return found
        return None

    def put(self, path: str, body: Mapping[str, object]) -> None:
        """Define something through the API."""
        headers = {
            "Authorization": f"Bearer {self.environment['MAINSPRING_TOKEN']}",
            "Content-Type": "application/json",
        }
        url = f"{self.environment['MAINSPRING_URL']}/api/v1/{path}"
        with urlopen(Request(url, json.dumps(body).encode(), headers, method="PUT")):
            return

    def wait(self, ready: Callable[[], bool], complaint: str, timeout: float = BOOT) -> None:
        deadline = time.monotonic() + timeout
        while not ready():
            self.check_alive()
            if time.monotonic() > deadline:
                raise CommandError([self.name, "wait"], f"{complaint}\n{self.log()}")
            time.sleep(PAUSE)

    def processes(self) -> list[subprocess.Popen[bytes]]:
        executors = [executor.process for executor in self.executors]
        return executors if self.server is None else [self.server, *executors]

    def check_alive(self) -> None:
        if any(process.poll() is not None for process in self.processes()):
            raise CommandError([self.name, "run"], f"a process has ended\n{self.log()}")

    def log(self) -> str:
        return "\n".join(file.read_text() for file in sorted(self.files.glob("*.log")))
