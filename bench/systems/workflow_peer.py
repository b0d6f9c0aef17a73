"""A peer that has workflows, driven through its script in `bench/peers`."""

import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

from bench.environment import python_of_peers
from bench.measurement import Measurement
from bench.options import Options
from bench.processes import CommandError, run, start
from bench.servers import Servers, free_port
from bench.systems.peer import Peer

REQUIREMENTS = "requirements-workflows.txt"
BOOT = 240.0
PAUSE = 0.2
QUICK = 20
STEPS = {"chain": 1, "layers": 10, "mapped": 1, "chains": 10}
"""How many steps each of a shape's count is."""


@dataclass(slots=True)
class WorkflowPeer(Peer):
    """`shapes` has the count of each that it does within a minute; `durable` says what a crash of its machine leaves."""

    benches: frozenset[str] = frozenset({"workflows"})
    shapes: Mapping[str, int] = field(default_factory=dict)
    works: bool = False
    """Whether its script has a process that stays beside the one that asks."""
    answers: str = ""
    """The path at which that process answers over HTTP once it is ready."""
    durable: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    port: int = 0

    @property
    def details(self) -> dict[str, object]:
        told = {"store": self.store, "durable": self.durable, "processes": self.processes, "configuration": self.note}
        return dict(told)

    def install(self) -> None:
        python_of_peers(REQUIREMENTS)

    def open(self, servers: Servers) -> None:
        self.servers = servers

    def special(self, bench: str, options: Options) -> list[Measurement]:  # noqa: ARG002 it has this one only
        found = []
        for shape, usual in self.shapes.items():
            count = min(usual, QUICK) if options.quick else usual
            times = [self.time(shape, count) for _ in range(options.rounds)]
            steps = count * STEPS[shape]
            details = {**self.details, "steps": steps, "rounds": times, "min": min(times), "max": max(times)}
            details["steps_per_second"] = steps / median(times)
            found.append(Measurement("workflows", self.name, shape, median(times), "s", details))
        return found

    def time(self, shape: str, count: int) -> float:
        """Run a shape on an empty store, with a worker that has just started."""
        assert self.servers is not None
        self.close()
        self.files = self.servers.directory(self.name)
        self.url, self.port = self.fresh_store(self.servers), free_port()
        try:
            if self.works:
                self.boot()
            command = self.command(shape, str(count))
            output = run(command, environment=self.environment("workflows", "count"), directory=self.home)
            return float(json.loads(output.splitlines()[-1])["seconds"])
        finally:
            self.close()

    def boot(self) -> None:
        log, environment = self.files / "worker.log", self.environment("workflows", "count")
        worker = start(self.command("work"), log, environment=environment, directory=self.home)
        self.running.append(worker)
        if self.answers:
            self.wait_until_ready(worker)

    def wait_until_ready(self, worker: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + BOOT
        while not self.is_ready():
            if worker.poll() is not None or time.monotonic() > deadline:
                raise CommandError([self.name, "work"], self.log())
            time.sleep(PAUSE)

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{self.answers}", timeout=1):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def command(self, *arguments: str) -> list[str]:
        return [python_of_peers(REQUIREMENTS), self.script, *arguments]

    def environment(self, bench: str, mode: str) -> Mapping[str, str]:
        # Not super(): a class with slots is made anew by its decorator.
        usual = Peer.environment(self, bench, mode)
        filled = {name: value.format(port=self.port, files=self.files) for name, value in self.settings.items()}
        return {**usual, **filled}
