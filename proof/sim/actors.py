"""The processes of a trial: servers and executors as they ship, each with its own clock, ids and way to the others."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from mainspring.discovery.follow import follow
from mainspring.domain.cluster.server import Place
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import Ids
from mainspring.domain.jobs.job import Pool
from mainspring.errors import MainspringError, UnavailableError
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.dialling import ServerConnection
from mainspring.executor.link.link import Link
from mainspring.executor.process.assembly import Assembly
from mainspring.executor.process.drain import Timetable, drain
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import ExecutorSettings, SchedulerSettings
from mainspring.store.sqlite.store import SqliteStore
from proof.sim.books import dial_stranger, lied_to, name_of, url_of
from proof.sim.clock import Machine, SimClock
from proof.sim.database import Database, SimConnection
from proof.sim.jobs import LICENCE, LICENCES
from proof.sim.loop import Process
from proof.sim.network import Network
from proof.sim.pipes import ServerEnd
from proof.sim.plan import Config
from proof.sim.streams import stream

log = logging.getLogger("mainspring.proof")

T = TypeVar("T")
RESTART = 1.0
DRAIN = 3.0


class Actor:
    """One machine: processes come and go on it."""

    def __init__(self, name: str, machine: Machine, seed: int) -> None:
        self.name = name
        self.machine = machine
        self.loop = machine.loop
        self.seed = seed
        self.process: Process | None = None
        self.starts = 0
        self.down = False
        """Whether it is to stay down for now."""

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.alive

    def start(self) -> None:
        if self.alive or self.down or self.loop.over:
            return
        self.starts += 1
        self.process = self.loop.enter(self.name)
        self.begin(self.process)

    def begin(self, process: Process) -> None:
        raise NotImplementedError

    def spawn(self, process: Process, work: Callable[[], Awaitable[object]]) -> "asyncio.Task[object]":
        """Run that in the process; when it fails, the process ends and another is started."""

        async def guarded() -> None:
            try:
                await work()
            except (MainspringError, ConnectionError):
                self.ended(process)
            except Exception:
                log.exception("%s broke down", self.name)
                self.ended(process)

        return self.loop.create_task(guarded(), context=process.context.copy())

    def ended(self, process: Process) -> None:
        """It came to an end by itself: the world starts it again."""
        self.loop.kill(process)
        self.loop.outside(self.loop.time() + RESTART, self.start)


class ServerActor(Actor):
    """A machine with a server."""

    def __init__(self, name: str, machine: Machine, seed: int, database: Database, config: Config) -> None:
        super().__init__(name, machine, seed)
        self._database = database
        self._config = config
        self.scheduler: Scheduler | None = None
        self.connection: SimConnection | None = None
        self.lost = False
        """Whether it cannot reach the store."""
        self._stop = asyncio.Event()

    def begin(self, process: Process) -> None:
        config, database = self._config, self._database
        clock = SimClock(self.machine)
        self.connection = SimConnection(database, process, stream(self.seed, "store", self.name, self.starts))
        self.connection.weather.away = self.lost
        settings = SchedulerSettings(
            name=self.name,
            lease=config.lease,
            beat=config.lease / 4,
            grace=config.grace,
            poll=config.poll,
            claim_batch=config.claim_batch,
            hints=False,
            look_ahead=config.look_ahead,
        )
        ids = Ids(stream(self.seed, "ids", self.name, self.starts).randbytes)
        store = SqliteStore(self.connection, clock=database.clock)
        self._stop = asyncio.Event()
        place = Place(url=url_of(self.name))
        begun = partial(Scheduler, store, settings, clock, ids, follow=clock.shift, place=place)
        self.scheduler = process.context.copy().run(begun)
        self.spawn(process, partial(self._run, process, self.scheduler, self._stop))

    async def _run(self, process: Process, scheduler: Scheduler, stop: asyncio.Event) -> None:
        # A server whose store is away waits for it, as `serve` does.
        await scheduler.run(stop)
        self.loop.kill(process)

    def stop(self) -> None:
        """SIGTERM."""
        self._stop.set()

    def reach_store(self, *, reach: bool) -> None:
        """Whether its way to the store is open, now and after a restart."""
        self.lost = not reach
        if self.connection is not None:
            self.connection.weather.away = self.lost

    def attach(self, process: Process, end: ServerEnd) -> None:
        scheduler = self.scheduler
        assert scheduler is not None

        async def serve() -> None:
            try:
                await scheduler.attach(end)
            except (ConnectionError, UnavailableError):
                end.abort()

        self.loop.create_task(serve(), context=process.context.copy())

    async def ask(self, request: Callable[[Scheduler], Awaitable[T]]) -> T:
        """Have the server's process do it, and wait for its answer; for ever, if it dies."""
        process, scheduler = self.process, self.scheduler
        if process is None or not process.alive or scheduler is None:
            raise ConnectionError(f"{self.name} refuses the connection")
        answer: asyncio.Future[T] = self.loop.create_future()

        async def serve() -> None:
            try:
                value = await request(scheduler)
            except Exception as error:  # noqa: BLE001 whatever it raises is the client's
                if not answer.done():
                    answer.set_exception(error)
            else:
                if not answer.done():
                    answer.set_result(value)

        self.loop.create_task(serve(), context=process.context.copy())
        return await answer


class ExecutorActor(Actor):
    """A machine with an executor."""

    def __init__(
        self,
        name: str,
        machine: Machine,
        seed: int,
        config: Config,
        *,
        handlers: Callable[[str], Handlers],
        network: Network,
        servers: dict[str, ServerActor],
    ) -> None:
        super().__init__(name, machine, seed)
        self._config = config
        self._handlers = handlers
        self._network = network
        self._servers = servers
        self._stop = asyncio.Event()
        self.link: Link | None = None
        self.sessions_left: list[str] = []
        """Of which it took leave in order."""

    @property
    def is_attached(self) -> bool:
        """Whether a server has welcomed it, and neither has left since."""
        return self.link is not None and self.link._connection is not None

    def begin(self, process: Process) -> None:
        self._stop, self.link = asyncio.Event(), None
        self.spawn(process, partial(self._run, process, self._stop))

    async def _run(self, process: Process, stop: asyncio.Event) -> None:
        config, entropy = self._config, stream(self.seed, "ids", self.name, self.starts).randbytes
        clock = SimClock(self.machine)
        settings = ExecutorSettings(
            name=self.name,
            pools=(PoolSize(Pool.LOOP, 0, config.slots, config.waiting),),
            queues=("default", "other"),
            resources={LICENCE: str(LICENCES)},
            stop_grace=config.stop_grace,
        )
        assembly = Assembly(
            self._handlers(self.name),
            settings,
            "",
            clock=clock,
            entropy=entropy,
            user_loop=self.loop,
            link_loop=self.loop,
        )
        session = assembly.session
        # How busy the machine is that simulates is nobody's business.
        session._usage = lambda: (0.0, 0)
        directory, book = lied_to(stream(self.seed, "book", self.name, self.starts), self._servers)
        self.link = link = Link(session, directory, self._dial, clock=clock, entropy=entropy)
        parts = (link.receive(), link.send(), link.watch(), session.stops.watch(), follow(book, directory, clock))
        loops = [asyncio.create_task(each) for each in parts]
        waiting = asyncio.create_task(stop.wait())
        await asyncio.wait([*loops, waiting], return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            times = Timetable.of(clock.monotonic(), DRAIN)
            if await drain(session, clock, times) and session.drain_acknowledged.is_set():
                self.sessions_left.append(session.id.hex())
            await link.goodbye()
        self._network.died(process, silently=False)
        self.loop.kill(process)
        if not stop.is_set():
            self.ended(process)

    def stop(self) -> None:
        """SIGTERM."""
        self._stop.set()

    async def _dial(self, url: str, within: float) -> ServerConnection:
        name = name_of(url)
        if name not in self._servers:
            return await dial_stranger(name, within)
        return await self._network.dial(self._servers[name].process, name, within)
