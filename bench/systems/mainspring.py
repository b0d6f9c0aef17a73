"""Mainspring in several configurations, each with one server process."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bench.dispatch.rows import dispatch
from bench.mainspring.names import lane_name
from bench.measurement import Measurement
from bench.options import Options
from bench.peers.workload import NO_OP, Workload
from bench.seen.rows import seen
from bench.servers import Servers
from bench.starts import as_burst, wait_for_starts
from bench.systems import Burst, DrainTime, ProcessUse, Sizes, Way
from bench.systems.mainspring_client_cost import client_cost
from bench.systems.mainspring_concurrent import concurrent
from bench.systems.mainspring_drain import check_history, wait_until_drained
from bench.systems.mainspring_history import history
from bench.systems.mainspring_installation import Executor, Installation
from bench.systems.mainspring_listing import listing
from bench.systems.mainspring_on_time import on_time
from bench.systems.mainspring_open_transaction import open_transaction
from bench.systems.mainspring_parked import parked
from bench.systems.mainspring_profile import profile
from bench.systems.mainspring_store import PostgresStore, SqliteStore, Store, any_live
from bench.systems.mainspring_triggers import triggers
from bench.systems.mainspring_workflows import workflows
from bench.usage import ProcessorMeter, usage
from mainspring.cli.processes.supervisor import count_of
from mainspring.executor.process.cores import usable_cores

REST = 4.0
PATIENCE = 60.0
OF_ALL = frozenset({"drain", "latency", "burst", "memory", "profile"})
OF_SERVER = frozenset({"enqueue", "parked", "concurrent"})
SPECIALS = {
    "client": client_cost,
    "parked": parked,
    "concurrent": concurrent,
    "profile": profile,
    "listing": listing,
    "open_transaction": open_transaction,
    "triggers": triggers,
    "workflows": workflows,
}
WITH_OPTIONS = {"history": history, "on_time": on_time, "dispatch": dispatch, "seen": seen}
WORKLOADS = frozenset({"mail", "io", "mixed", "steady", "payload"})


@dataclass(slots=True)
class Mainspring:
    """One configuration: which store, which app, and how much room its executor has."""

    name: str
    store: Callable[[], Store]
    app: str
    pool: str
    """Empty: the defaults."""
    sizes: Sizes
    benches: frozenset[str]
    processes: str = "1"
    """Of the executor."""
    history: str = "all"
    """Of which runs inputs and results are kept."""
    workload: Workload = NO_OP
    servers: Servers | None = None
    opened: list[Installation] = field(default_factory=list)

    @property
    def details(self) -> dict[str, object]:
        pool = f" --pool {self.pool}" if self.pool else ""
        pieces = f"1 server, 1 executor --processes {self.processes}{pool}, defaults otherwise"
        return {
            "store": self.store().kind,
            "durable": True,
            "processes": 1 + count_of(self.processes, usable_cores()),
            "configuration": pieces,
        }

    def install(self) -> None:
        """There is nothing to fetch: it is this repository."""

    def open(self, servers: Servers) -> None:
        self.servers = servers
        self.open_another(self.name)

    def open_another(self, name: str, store: Store | None = None) -> Installation:
        """A server on a store of its own that knows the jobs and has no executor."""
        assert self.servers is not None
        here = Installation(name, store or self.store(), self.workload, self.history)
        self.opened.append(here)
        here.open(self.servers)
        here.register(self.app)
        return here

    def renew(self, part: str) -> Installation:
        """Another installation instead of all that are open, so that one part of a bench leaves nothing to the next."""
        self.close()
        return self.open_another(f"{self.name}-{part}")

    def close(self) -> None:
        while self.opened:
            self.opened.pop().close()

    @property
    def here(self) -> Installation:
        return self.opened[0]

    def ways(self) -> tuple[Way, ...]:
        return ("single", "bulk", "http50", "together")

    def enqueue(self, way: Way, count: int) -> float:
        if way in ("http50", "together"):
            return self.here.ask(way, str(count))
        return self.here.ask("client", way, str(count))

    def drain(self, count: int) -> DrainTime:
        assert self.servers is not None
        with self.here.store.read() as reader:
            executor = self.work("count")
            meter = ProcessorMeter(executor.probe, [*self.here.processes(), *self.servers.processes()])
            question = any_live(self.here.store)
            seconds = wait_until_drained(self.here, executor, reader, question=question, count=count)
            spent = meter.per_thousand(count)
            check_history(self.here, reader, expected=self.workload.successes(count))
        return DrainTime(seconds, spent)

    def latency(self, count: int, per_second: float) -> list[float]:
        executor = self.work("stamps")
        self.here.ask("client", "bulk", "1")
        if len(wait_for_starts(executor.probe, 1, PATIENCE)) != 1:
            raise TimeoutError("the first run did not start")
        self.here.ask("client", "paced", str(count), str(per_second))
        starts = wait_for_starts(executor.probe, count + 1, PATIENCE)
        return [(start.at - start.payload) * 1000 for start in starts if start.payload > 0]

    def burst(self, count: int, ahead: float) -> Burst:
        executor = self.work("stamps")
        time.sleep(REST)
        due = round(time.time() + ahead, 3)
        due_monotonic = time.monotonic() + due - time.time()
        self.here.ask("client", "later", str(count), str(due))
        if time.monotonic() > due_monotonic:
            raise TimeoutError(f"enqueueing {count} runs took longer than {ahead:.0f} s")
        starts = wait_for_starts(executor.probe, count, due_monotonic - time.monotonic() + PATIENCE)
        return as_burst(starts, count, due_monotonic)

    def idle(self, seconds: float) -> list[ProcessUse]:
        """The server and an executor with its default pools, each on its own."""
        executor = self.here.start_executor(self.app)
        time.sleep(REST)
        self.here.check_alive()
        assert self.here.server is not None
        return [usage("server", [self.here.server], seconds), usage("executor", [executor.process], seconds)]

    def special(self, bench: str, options: Options) -> list[Measurement]:
        if bench in WITH_OPTIONS:
            return WITH_OPTIONS[bench](self, options)
        return SPECIALS[bench](self, quick=options.quick)

    def work(self, mode: str) -> Executor:
        pool = ("--pool", self.pool) if self.pool else ()
        lanes = [part for lane in range(self.workload.lanes) for part in ("--queue", lane_name(lane))]
        return self.here.start_executor(self.app, *pool, *lanes, "--processes", self.processes, mode=mode)


LOOP = "bench.mainspring.loop:app"
FEW = Sizes(single=2000, bulk=100_000, drain=100_000)
SYSTEMS = (
    Mainspring(
        name="mainspring-postgres-async",
        store=PostgresStore,
        app=LOOP,
        pool="loop=0:2000:6000",
        sizes=Sizes(single=2000, bulk=100_000, drain=150_000, http50=20_000, together=30_000),
        benches=OF_ALL
        | OF_SERVER
        | WORKLOADS
        | {
            "client",
            "listing",
            "open_transaction",
            "triggers",
            "pools",
            "history",
            "on_time",
            "workflows",
            "dispatch",
            "seen",
        },
    ),
    Mainspring(
        name="mainspring-postgres-threads",
        store=PostgresStore,
        app="bench.mainspring.threads:app",
        pool="threads=16:16:8000",
        sizes=Sizes(single=2000, bulk=100_000, drain=150_000, http50=20_000, together=30_000),
        benches=OF_ALL | {"pools"},
    ),
    Mainspring(
        name="mainspring-sqlite-async",
        store=SqliteStore,
        app=LOOP,
        pool="loop=0:2000:6000",
        sizes=Sizes(single=2000, bulk=50_000, drain=60_000, http50=20_000, together=30_000),
        benches=OF_ALL | OF_SERVER | {"workflows", "dispatch"},
    ),
    Mainspring(
        name="mainspring-postgres-two-processes",
        store=PostgresStore,
        app=LOOP,
        pool="loop=0:2000:6000",
        sizes=FEW,
        benches=frozenset({"mail", "io", "mixed", "payload"}),
        processes="2",
    ),
    Mainspring(
        name="mainspring-postgres-forgetful",
        store=PostgresStore,
        app=LOOP,
        pool="loop=0:2000:6000",
        sizes=FEW,
        benches=frozenset({"payload"}),
        history="none",
    ),
    Mainspring(
        name="mainspring-postgres-defaults",
        store=PostgresStore,
        app=LOOP,
        pool="",
        sizes=FEW,
        benches=frozenset({"mail", "steady"}),
        processes="auto",
    ),
    Mainspring(
        name="mainspring-postgres-processes",
        store=PostgresStore,
        app="bench.mainspring.processes:app",
        pool="processes=2:2:6000",
        sizes=FEW,
        benches=frozenset({"pools"}),
    ),
)
