"""Everything that takes part in a trial, put together from its plan."""

from collections.abc import Iterator

from mainspring.executor.handlers.registry import Handlers
from proof.records import Execution
from proof.sim.actors import Actor, ExecutorActor, ServerActor
from proof.sim.clients import Clients
from proof.sim.clock import Machine, SimClock
from proof.sim.database import Database
from proof.sim.handlers import Ledger, handlers
from proof.sim.loop import Process, SimLoop
from proof.sim.network import Network
from proof.sim.pipes import ServerEnd
from proof.sim.plan import Plan, start_of
from proof.sim.sometimes import Sometimes
from proof.sim.streams import stream
from proof.sim.workflows.handlers import add_flows

RESTART = 2.0
FAIL_OVER = 0.5
"""Seconds for which nobody reaches the store while the standby takes over."""


class World:
    """One process for all that would be many; nothing in it is real but the code that is tried."""

    def __init__(self, plan: Plan, loop: SimLoop) -> None:
        self.plan = plan
        self.loop = loop
        self.sometimes = Sometimes()
        config, seed = plan.config, plan.seed
        start = self._start = start_of(config)
        self.database = Database(loop, SimClock(Machine(loop, start)), start, self.sometimes)
        self.network = Network(loop, stream(seed, "network"), self.sometimes, self._attach)
        skews = config.skews or (0.0,) * config.servers
        if config.skews:
            self.sometimes.reach("clock apart")
        self.servers = {
            name: ServerActor(name, Machine(loop, start, apart), seed, self.database, config)
            for name, apart in zip((f"server-{number}" for number in range(config.servers)), skews, strict=False)
        }
        self.marks: dict[str, str] = {}
        self.executors = {name: self._executor(name) for name in (f"executor-{n}" for n in range(config.executors))}
        self.clients = Clients(list(self.servers.values()), self.database.clock, self.sometimes)
        self.executions: list[Execution] = []
        self._under_way: dict[tuple[str, str, str], Process | None] = {}
        self.fail_overs: list[tuple[float, float]] = []
        self.over = False

    def _executor(self, name: str) -> ExecutorActor:
        struck = lambda: self._struck(name)  # noqa: E731
        ledger = Ledger(name, self._note, self.loop.time, struck, self.database.clock.now, self._is_down, self.marks)
        return ExecutorActor(
            name,
            Machine(self.loop, self._start),
            self.plan.seed,
            self.plan.config,
            handlers=lambda _: self._handlers(ledger),
            network=self.network,
            servers=self.servers,
        )

    def _is_down(self) -> bool:
        now = self.loop.time()
        return any(since <= now < until for since, until in self.plan.config.downs)

    def _handlers(self, ledger: Ledger) -> Handlers:
        registry = handlers(ledger)
        add_flows(registry, ledger, self.plan.config.flows)
        return registry

    def actors(self) -> Iterator[Actor]:
        yield from self.servers.values()
        yield from self.executors.values()

    def start(self) -> None:
        for actor in self.actors():
            actor.start()

    def kill(self, actor: Actor, *, silently: bool) -> None:
        """Kill -9, or the power of its machine."""
        process = actor.process
        assert process is not None
        self.loop.kill(process)
        self.network.died(process, silently=silently)

    def fail_over(self, since: float) -> None:
        """The standby becomes the primary."""
        now = self.loop.time()
        if self.database.fail_over():
            self.fail_overs.append((since, now))
        self.database.weather.away = True
        self.loop.outside(now + FAIL_OVER, self.store_is_back)

    def store_is_back(self) -> None:
        self.database.weather.away = False

    def _struck(self, name: str) -> None:
        """A handler took its executor with it; the world starts that again."""
        actor = self.executors[name]
        if not self.over and actor.alive:
            self.kill(actor, silently=False)
            self.loop.outside(self.loop.time() + RESTART, actor.start)

    def _attach(self, process: Process, end: ServerEnd) -> None:
        self.servers[process.name].attach(process, end)

    @property
    def executing(self) -> bool:
        """Whether any handler goes on, be it one that was given up."""
        return any(process is not None and process.alive for process in self._under_way.values())

    def _note(self, line: Execution) -> None:
        if self.over:
            return
        self.executions.append(line)
        key = (line.executor, line.run, line.token)
        if line.event == "start":
            self._under_way[key] = self.executors[line.executor].process
        elif line.event in {"end", "killed"}:
            self._under_way.pop(key, None)
