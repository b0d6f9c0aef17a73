"""A peer, driven through its script in `bench/peers`."""

import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from bench.environment import NODE_HOME, PEERS, node_of_peers, python_of_peers
from bench.measurement import Measurement
from bench.options import Options
from bench.peers.workload import NO_OP, Workload
from bench.processes import CommandError, run, start, stop
from bench.servers import Servers
from bench.starts import as_burst, wait_for_starts
from bench.systems import Burst, DrainTime, ProcessUse, Sizes, Way
from bench.usage import ProcessorMeter, usage

Store = Literal["postgres", "redis", "sqlite", "memory"]
BENCHES = frozenset({"enqueue", "drain", "latency", "burst", "memory"})
BOOT = 4.0
PATIENCE = 60.0


@dataclass(slots=True)
class Peer:
    """One peer: its script, its store, and what to ask that store to learn what is left."""

    name: str
    script: str
    store: Store
    left: tuple[str, ...]
    sizes: Sizes
    processes: int = 1
    forks: bool = False
    note: str = ""
    benches: frozenset[str] = BENCHES
    workload: Workload = NO_OP
    servers: Servers | None = None
    url: str = ""
    files: Path = Path()
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def details(self) -> dict[str, object]:
        durable = self.store == "postgres"
        return {"store": self.store, "durable": durable, "processes": self.processes, "configuration": self.note}

    def install(self) -> None:
        python_of_peers()
        if self.script.endswith(".mjs"):
            node_of_peers()

    def open(self, servers: Servers) -> None:
        self.servers = servers
        self.files = servers.directory(self.name)
        self.url = self.fresh_store(servers)
        self.ask("setup")

    def fresh_store(self, servers: Servers) -> str:
        if self.store == "postgres":
            return servers.postgres.create(self.name)
        if self.store == "redis":
            return servers.redis.empty()
        return f"sqlite://{self.files / 'peer.db'}" if self.store == "sqlite" else "memory:"

    def close(self) -> None:
        while self.running:
            stop(self.running.pop())

    def ways(self) -> tuple[Way, ...]:
        return ("single", "bulk")

    def enqueue(self, way: Way, count: int) -> float:
        return self.ask(way, str(count))

    def drain(self, count: int) -> DrainTime:
        assert self.servers is not None
        self.analyze()
        self.work("drain", "count")
        meter = ProcessorMeter(self.files, [*self.running, *self.servers.processes()])
        seconds = self.watch(count)
        return DrainTime(seconds, meter.per_thousand(count))

    def latency(self, count: int, per_second: float) -> list[float]:
        self.work("latency", "stamps")
        self.warm_up()
        self.ask("paced", str(count), str(per_second))
        starts = wait_for_starts(self.files, count + 1, PATIENCE)
        return [(start.at - start.payload) * 1000 for start in starts if start.payload > 0]

    def burst(self, count: int, ahead: float) -> Burst:
        self.work("burst", "stamps")
        time.sleep(BOOT)
        due = round(time.time() + ahead, 3)
        due_monotonic = time.monotonic() + due - time.time()
        self.ask("later", str(count), str(due))
        if time.monotonic() > due_monotonic:
            raise TimeoutError(f"enqueueing {count} runs took longer than {ahead:.0f} s")
        starts = wait_for_starts(self.files, count, due_monotonic - time.monotonic() + PATIENCE)
        return as_burst(starts, count, due_monotonic)

    def idle(self, seconds: float) -> list[ProcessUse]:
        self.work("memory", "count")
        time.sleep(BOOT)
        self.check_alive()
        return [usage("worker", self.running, seconds)]

    def special(self, bench: str, options: Options) -> list[Measurement]:
        raise NotImplementedError(f"{self.name} has no {bench}")

    def warm_up(self) -> None:
        """Let one run through, so that boot and first connections are not measured."""
        self.ask("bulk", "1")
        if len(wait_for_starts(self.files, 1, PATIENCE)) != 1:
            raise TimeoutError("the first run did not start")

    def analyze(self) -> None:
        """Give the planner fresh statistics, as autovacuum would have by the time a backlog has grown."""
        if self.store == "postgres" and self.servers is not None:
            self.servers.postgres.query(self.name, "ANALYZE")

    def work(self, bench: str, mode: str) -> None:
        environment = self.environment(bench, mode)
        copies = 1 if self.forks else self.processes
        for _ in range(copies):
            log = self.files / "worker.log"
            self.running.append(start(self.command("work"), log, environment=environment, directory=self.home))

    def watch(self, count: int) -> float:
        limit = str(PATIENCE + count / 1000)
        options = ["--probe", str(self.files), "--count", str(count), "--url", self.url, "--timeout", limit]
        try:
            output = run([python_of_peers(), str(PEERS / "watch.py"), *options, *self.left])
        except CommandError as error:
            self.check_alive()
            raise CommandError([self.name, "watch"], f"{error}\n{self.log()}") from error
        return float(json.loads(output.splitlines()[-1])["seconds"])

    def check_alive(self) -> None:
        if any(process.poll() is not None for process in self.running):
            raise CommandError([self.name, "work"], self.log())

    def log(self) -> str:
        return (self.files / "worker.log").read_text()

    def ask(self, command: str, *arguments: str) -> float:
        """Run one command of the peer's script and return the seconds it reports."""
        environment = self.environment("ask", "count")
        output = run(self.command(command, *arguments), environment=environment, directory=self.home)
        return float(json.loads(output.splitlines()[-1])["seconds"])

    def command(self, *arguments: str) -> list[str]:
        runtime = node_of_peers() if self.script.endswith(".mjs") else python_of_peers()
        return [runtime, self.script, *arguments]

    @property
    def home(self) -> Path:
        return NODE_HOME if self.script.endswith(".mjs") else PEERS

    def environment(self, bench: str, mode: str) -> Mapping[str, str]:
        return {
            "BENCH_URL": self.url,
            "BENCH_NAME": bench,
            "BENCH_PROBE": str(self.files),
            "BENCH_PROBE_MODE": mode,
            "BENCH_PROCESSES": str(self.processes),
            "BENCH_WORKLOAD": self.workload.encode(),
            "NODE_ENV": "production",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
