"""A peer that starts jobs at instants of its own, driven through its script in `bench/peers`."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from bench.measurement import Measurement
from bench.options import Options
from bench.processes import CommandError, start
from bench.servers import Servers
from bench.starts import read_starts
from bench.systems.peer import Peer
from bench.systems.triggers_minutes import AHEAD, due_between, whole_minute
from bench.systems.triggers_parts import measure_parts
from bench.systems.triggers_seconds import begin_and_count, judge_seconds, wait_until
from bench.systems.triggers_sizes import Sizes, sizes_from
from bench.ticks import MINUTE, hourly, judge, on_wall

BOOT = 10.0
LOAD_MAX = 300.0
PAUSE = 0.2
PATIENCE = 5.0
LATE_MAX = 50.0
"""How late the starts of the last minute may come."""


@dataclass(slots=True)
class TriggerPeer(Peer):
    """`roles` are the commands of its script, each a process that stays."""

    benches: frozenset[str] = frozenset({"triggers"})
    roles: tuple[str, ...] = ("run",)
    count: int = 6_000
    """Hourly triggers that it was found to hold."""
    tells: bool = True
    """Whether its script says when all is loaded."""

    def open(self, servers: Servers) -> None:
        self.servers = servers

    def special(self, bench: str, options: Options) -> list[Measurement]:  # noqa: ARG002 it has this one only
        sizes = sizes_from(quick=options.quick)
        parts = {"seconds": partial(self.seconds, sizes), "minutes": partial(self.minutes, sizes)}
        return measure_parts(self.name, self.details, parts, sizes.parts)

    def seconds(self, sizes: Sizes) -> list[Measurement]:
        self.run("seconds", 1)
        begin, count = begin_and_count(sizes)
        wait_until(begin + count + PATIENCE, self.check_alive)
        found = judge_seconds(on_wall(read_starts(self.files)), begin, count)
        return found.measurements(self.name, "every second", "ms", {**self.details, "minutes": sizes.tick_minutes})

    def minutes(self, sizes: Sizes) -> list[Measurement]:
        count = min(self.count, sizes.count)
        loaded = self.run("minutes", count)
        first = whole_minute(time.time() + AHEAD)
        last = first + (sizes.minutes - 1) * MINUTE
        wait_until(last + LATE_MAX, self.check_alive)
        expected = due_between(count, first, last)
        found = judge(hourly(on_wall(read_starts(self.files))), expected)
        details = {
            **self.details,
            "triggers": count,
            "minutes": sizes.minutes,
            "due_each": len(expected) // sizes.minutes,
        }
        load = Measurement("triggers", self.name, "load", loaded, "s", details)
        return [*([load] if self.tells else []), *found.measurements(self.name, "each minute", "s", details)]

    def run(self, kind: str, count: int) -> float:
        """Start its processes on an empty store; return the seconds that loading took, if it says so."""
        assert self.servers is not None
        self.close()
        self.files = self.servers.directory(f"{self.name}-{kind}")
        self.url = self.fresh_store(self.servers)
        environment = {**self.environment("triggers", "stamps"), **wishes(kind, count)}
        log = self.files / "worker.log"
        for role in self.roles:
            self.running.append(start(self.command(role), log, environment=environment, directory=self.home))
        if not self.tells:
            wait_until(time.time() + BOOT, self.check_alive)
            return 0.0
        return self.wait_until_ready()

    def wait_until_ready(self) -> float:
        mark, deadline = self.files / "ready", time.monotonic() + LOAD_MAX
        while not mark.exists():
            self.check_alive()
            if time.monotonic() > deadline:
                raise CommandError([self.name, "run"], f"loading took longer than {LOAD_MAX:.0f} s\n{self.log()}")
            time.sleep(PAUSE)
        return float(mark.read_text())


def wishes(kind: str, count: int) -> Mapping[str, str]:
    return {"BENCH_KIND": kind, "BENCH_TRIGGERS": str(count)}
