"""The network between executors and servers: who can reach whom, and what becomes of connections."""

import asyncio
import random
from collections.abc import Callable

from proof.records import Frame
from proof.sim.loop import PROCESS, Process, SimLoop
from proof.sim.pipes import LATENCY, ExecutorEnd, Path, Pipe, ServerEnd
from proof.sim.sometimes import Sometimes
from proof.sim.tap import Tap

PATIENCE = 20.0
"""Seconds after which a peer that answers no ping is given up."""

GREETING = 0.05
"""Seconds from one look to the next at a process that stands still."""


class Connected:
    """A connection as the world sees it: who is at its ends, and how to break it."""

    def __init__(self, number: int, executor: Process, server: Process, ends: tuple[ExecutorEnd, ServerEnd]) -> None:
        self.number = number
        self.executor = executor
        self.server = server
        self.at_executor, self.at_server = ends

    @property
    def over(self) -> bool:
        return self.at_executor.incoming.broken and self.at_server.incoming.broken

    def cut(self) -> None:
        """Both sides are told at once, and what was under way is lost."""
        for end in (self.at_executor, self.at_server):
            end.incoming.snap()

    def left_by(self, process: Process) -> None:
        """The kernel closes what a dead process had open."""
        (self.at_executor if process is self.executor else self.at_server).abort()


Attach = Callable[[Process, ServerEnd], None]


class Network:
    """All paths and connections."""

    def __init__(self, loop: SimLoop, draws: random.Random, sometimes: Sometimes, attach: Attach) -> None:
        self._loop = loop
        self._draws = draws
        self._sometimes = sometimes
        self._attach = attach
        self._paths: dict[tuple[str, str], Path] = {}
        self.connections: list[Connected] = []
        self.frames: list[Frame] = []
        self._count = 0

    def path(self, executor: str, server: str) -> Path:
        return self._paths.setdefault((executor, server), Path())

    async def dial(self, server: Process | None, server_name: str, within: float) -> ExecutorEnd:
        """Called by an executor's process."""
        executor = PROCESS.get()
        assert executor is not None
        path = self.path(executor.name, server_name)
        await asyncio.sleep(self._draws.uniform(*LATENCY) * path.slow)
        if not path.open:
            await asyncio.sleep(within)
            raise ConnectionError(f"{server_name} does not answer")
        if server is not None and server.paused and not await self._answers(server, within):
            raise ConnectionError(f"{server_name} does not answer")
        if server is None or not server.alive:
            raise ConnectionError(f"{server_name} refuses the connection")
        return self._connect(executor, server, path)

    async def _answers(self, server: Process, within: float) -> bool:
        """Whether a process that stands still goes on in time: its kernel takes connections, but it has to greet."""
        until = self._loop.time() + within
        while server.paused and self._loop.time() < until:  # noqa: ASYNC110 a process has no event for it
            await asyncio.sleep(GREETING)
        return not server.paused

    def _connect(self, executor: Process, server: Process, path: Path) -> ExecutorEnd:
        self._count += 1
        up = Pipe(self._loop, path, "up", self._draws, self._sometimes)
        down = Pipe(self._loop, path, "down", self._draws, self._sometimes)
        tap = Tap(self._loop, self._count, self.frames, self._sometimes)
        ends = ExecutorEnd(down, up), ServerEnd(up, down, tap)
        self.connections = [one for one in self.connections if not one.over]
        self.connections.append(Connected(self._count, executor, server, ends))
        self._attach(server, ends[1])
        return ends[0]

    def between(self, executor: str, server: str) -> list[Connected]:
        return [one for one in self.connections if one.executor.name == executor and one.server.name == server]

    def of(self, process: Process) -> list[Connected]:
        return [one for one in self.connections if process in (one.executor, one.server)]

    def died(self, process: Process, *, silently: bool) -> None:
        """Its peers are told by its kernel; or, if the whole machine is gone, by nobody but their own pings."""
        for one in self.of(process):
            if silently:
                self._loop.outside(self._loop.time() + PATIENCE, one.cut)
            else:
                one.left_by(process)

    def doubt(self, process: Process) -> None:
        """It has stopped answering: what is still so when the pings have run out is given up."""
        for one in self.of(process):
            self._loop.outside(self._loop.time() + PATIENCE, self._cut_if, one, lambda: process.paused)

    def stall(self, executor: str, server: str, *, ways: tuple[str, ...]) -> None:
        path = self.path(executor, server)
        for way in ways:
            path.stalled[way] = True
        for one in self.between(executor, server):
            self._loop.outside(self._loop.time() + PATIENCE, self._cut_if, one, lambda: not path.open)

    def _cut_if(self, connected: Connected, condition: Callable[[], bool]) -> None:
        if condition():
            connected.cut()


class Fading:
    """The ways between one executor and all servers, as they get worse."""

    def __init__(self, network: Network, executor: str, servers: list[str]) -> None:
        self._network = network
        self._executor = executor
        self._servers = servers
        self._over = False

    def lag(self, seconds: float) -> None:
        if not self._over:
            for server in self._servers:
                self._network.path(self._executor, server).lag["down"] = seconds

    def silence(self) -> None:
        if not self._over:
            for server in self._servers:
                self._network.stall(self._executor, server, ways=("up",))

    def heal(self) -> None:
        self._over = True
        for server in self._servers:
            self._network.path(self._executor, server).heal()
