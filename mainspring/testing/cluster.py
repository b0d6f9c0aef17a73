"""A server and an executor in this process, on a clock that the test moves, over the store that ships."""

import asyncio
import functools
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta

from mainspring.api.app import create_app
from mainspring.app import App
from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import Ids
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.run import Run, RunState
from mainspring.executor.link.dialling import ServerConnection
from mainspring.executor.link.link import Link
from mainspring.executor.pools import Slots
from mainspring.executor.pools.thread_slot import ThreadSlot
from mainspring.executor.pools.threads import ThreadPool
from mainspring.executor.process.assembly import Assembly
from mainspring.executor.process.drain import Timetable, drain
from mainspring.executor.process.lifespan import Lifetime
from mainspring.scheduler.duty import until
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import ExecutorSettings, SchedulerSettings, ServerSettings
from mainspring.store.interface import RunFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import FakeClock
from mainspring.testing.inside import Inside
from mainspring.testing.levers import Levers
from mainspring.testing.memory import MemoryConnection
from mainspring.testing.portal import Portal

NAMESPACE = "default"
LEASE = timedelta(days=3650).total_seconds()
"""The clock is moved by days at once; no lease may lapse of it."""
POOLS = (
    PoolSize(Pool.LOOP, 0, 1000, 1000),
    PoolSize(Pool.THREADS, 0, 16, 1000),
    PoolSize(Pool.PROCESSES, 0, 16, 1000),
)
STEP = 0.002
"""Real seconds between looks at whether everything has come to rest."""
PATIENCE = 30.0
NEVER = datetime.max.replace(tzinfo=UTC)
PAGE = 500


class InProcessCluster:
    """The production code of server and executor, without processes and sockets, on a portal's loop."""

    def __init__(self, app: App, clock: FakeClock, portal: Portal, executor: ExecutorSettings | None = None) -> None:
        self.app = app
        self._settings = executor or ExecutorSettings(name="testing", pools=POOLS)
        self.clock = clock
        self._portal = portal
        self._stack = AsyncExitStack()
        self._movers = 0

    @property
    def moves(self) -> bool:
        """Whether enqueued runs go on without the test's help."""
        return self._movers > 0

    @contextmanager
    def moving(self) -> Iterator[None]:
        self._movers += 1
        try:
            yield
        finally:
            self._movers -= 1

    async def open(self) -> Inside:
        self.lifetime = Lifetime(self.app.handlers)
        await self.lifetime.open()
        self._stack.push_async_callback(self.lifetime.close)
        store = self._store = SqliteStore.inline(clock=self.clock)
        self._stack.push_async_callback(store.close)
        await store.migrate()
        # On a clock that stands still, what was claimed ahead would never start.
        settings = SchedulerSettings(name="testing", lease=LEASE, beat=LEASE / 4, hints=False, claim_ahead=0)
        self.scheduler = Scheduler(store, settings, self.clock, Ids())
        self.levers = Levers(self.scheduler, store, self.clock)
        await self._stack.enter_async_context(self._serving())
        token = secrets.token_urlsafe(32)
        api = create_app(self.scheduler, ServerSettings(api_token=token), clock=self.clock)
        # The jobs become known by an executor's hello; the runs wait until the test asks for them to be run.
        async with self.executing():
            pass
        return Inside(api, self._portal, token=token, namespace=NAMESPACE, moves=lambda: self.moves)

    async def close(self) -> None:
        await self._stack.aclose()

    @asynccontextmanager
    async def _serving(self) -> AsyncIterator[None]:
        stop = asyncio.Event()
        running = asyncio.create_task(self.scheduler.run(stop))
        await self._until(lambda: self.scheduler.readiness().ready)
        try:
            yield
        finally:
            stop.set()
            await running

    @asynccontextmanager
    async def executing(self) -> AsyncIterator[None]:
        """Have an executor connected."""
        loop, entropy = asyncio.get_running_loop(), secrets.token_bytes
        assembly = ThreadsOnly(
            self.lifetime.handlers,
            self._settings,
            "",
            clock=self.clock,
            entropy=entropy,
            user_loop=loop,
            link_loop=loop,
            # Which triggers are not applied is the kit's to say.
            greeted=lambda _welcome: None,
        )
        link = Link(assembly.session, ("memory",), self._dial, clock=self.clock, entropy=entropy)
        parts = (link.receive(), link.send(), link.watch(), assembly.session.stops.watch())
        loops = [asyncio.create_task(each) for each in parts]
        try:
            # The server knows of it a moment earlier; who says goodbye within that moment is not heard.
            await self._until(lambda: bool(self.scheduler.gateway.attached) and assembly.session.lease.held)
            yield
            await drain(assembly.session, self.clock, Timetable.of(self.clock.monotonic(), grace=0.0))
            await link.goodbye()
            await self._until(lambda: not self.scheduler.gateway.attached)
        finally:
            for each in loops:
                each.cancel()
            await asyncio.gather(*loops, return_exceptions=True)
            assembly.close(within=0.0)

    async def settle(self) -> None:
        """Wait until no trigger is to be moved, and nothing that is due is queued or running."""
        began = SystemClock().monotonic()
        while pending := await self._moved_and_pending():
            if SystemClock().monotonic() - began > PATIENCE:
                names = ", ".join(sorted({run.job for run in pending}))
                raise TimeoutError(f"still going after {PATIENCE:.0f} s: {names}")
            await asyncio.sleep(STEP)

    async def _moved_and_pending(self) -> list[Run]:
        timing = self.scheduler.timing
        await timing.following.follow()
        while await timing.firing.tick() or await timing.backfilling.tick():
            pass
        await self.levers.follow()
        workflows = self.scheduler.workflows
        while await workflows.beginning.tick() or await workflows.advancing.tick() or await workflows.waits.tick():
            pass
        await self.scheduler.expiring.tick()
        while await workflows.advancing.tick():
            pass
        return await self.pending()

    async def next_act(self) -> datetime | None:
        """When a trigger is to be moved next, a step has slept long enough, or a deadline comes."""
        store, now = self._store, self.clock.now()
        acts = [await self.scheduler.timing.firing.next_act(), await store.waits.next_wake()]
        acts += [await store.runs.next_deadline(), *await self.levers.next_acts()]
        return min((at for at in acts if at is not None and at > now), default=None)

    async def pending(self) -> list[Run]:
        """The runs that an executor would take now."""
        now = self.clock.now()
        held = await self.levers.held()
        queued = [run for run in await self.live() if run.state is RunState.RUNNING or run.due_at <= now]
        live = [run for run in queued if run.state is RunState.RUNNING or not held(run)]
        waiting = await self.waiting()
        return [*live, *await self.levers.in_lanes(waiting), *(run for run in waiting if resumption(run) <= now)]

    async def live(self) -> list[Run]:
        """Runs that are claimable now or later, or under way."""
        states = (RunState.QUEUED, RunState.RUNNING)
        query = RunFilter(namespace=NAMESPACE, states=states, oldest_first=True, limit=PAGE)
        return (await self.scheduler.list(query)).runs

    async def suspended(self) -> list[Run]:
        """Runs that go on by themselves."""
        return [run for run in await self.waiting() if resumption(run) < NEVER]

    async def waiting(self) -> list[Run]:
        query = RunFilter(namespace=NAMESPACE, states=(RunState.WAITING,), limit=PAGE)
        return (await self.scheduler.list(query)).runs

    async def _dial(self, url: str, within: float) -> ServerConnection:  # noqa: ARG002 there is only one server, and it is here
        connection = MemoryConnection()
        self._attending = asyncio.create_task(self.scheduler.attach(connection.server))
        return connection.executor

    async def _until(self, condition: Callable[[], bool]) -> None:
        await until(condition, SystemClock(), seconds=PATIENCE)
        if not condition():
            raise TimeoutError("the cluster in this process did not get ready")


def resumption(run: Run) -> datetime:
    """When a suspended run goes on by itself."""
    suspension = run.suspension
    return NEVER if suspension is None or suspension.resume_at is None else suspension.resume_at


class ThreadsOnly(Assembly):
    """Runs handlers of the process pool on threads, so that they see the test's objects."""

    def _pool(self, size: PoolSize) -> Slots:
        if size.pool is not Pool.PROCESSES:
            return super()._pool(size)
        slot = functools.partial(ThreadSlot, self._clock, self.telemetry, self._lease)
        return ThreadPool(size, slot=slot, ended=self._outcomes.put)
