"""Puts an executor's parts together: the only place that makes pools."""

import asyncio
import functools
import platform
import sys

from mainspring.clock import Clock
from mainspring.domain.amounts import AMOUNT_MAX, EXAMPLES, read_amount
from mainspring.domain.cluster.session import Abilities, PoolSize
from mainspring.domain.ids import Entropy, Ids
from mainspring.domain.jobs.job import Pool
from mainspring.domain.triggers.plan import digest_of
from mainspring.errors import ConfigError
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.runner import Runner
from mainspring.executor.attempts.stops import Stops
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.inbox import Inbox
from mainspring.executor.link.lease import Lease
from mainspring.executor.link.session import ExecutorSession, Greeted, Identity
from mainspring.executor.link.telemetry import Telemetry
from mainspring.executor.pools import Slots
from mainspring.executor.pools.blocking import LoopWatch
from mainspring.executor.pools.loop import LoopPool
from mainspring.executor.pools.processes import ProcessPool
from mainspring.executor.pools.thread_slot import ThreadSlot
from mainspring.executor.pools.threads import ThreadPool
from mainspring.executor.process.lifespan import IN_CHILD, Lifetime
from mainspring.executor.process.usage import ProcessUsage
from mainspring.settings import ExecutorSettings


class Assembly:
    """The core on the link's loop, with pools that report to it from where they are."""

    def __init__(
        self,
        handlers: Handlers,
        settings: ExecutorSettings,
        app: str,
        *,
        clock: Clock,
        entropy: Entropy,
        user_loop: asyncio.AbstractEventLoop,
        link_loop: asyncio.AbstractEventLoop,
        greeted: Greeted | None = None,
    ) -> None:
        wake = asyncio.Event()
        self._poke = Inbox[None](link_loop, lambda _: wake.set()).poke
        self.telemetry = Telemetry(clock, self._poke)
        self._clock = clock
        self._lease = Lease()
        self._app = app
        self._user_loop = user_loop
        self._children_have_lives = Lifetime(handlers, IN_CHILD).is_needed
        self.loop_watch = LoopWatch(
            user_loop,
            here=link_loop,
            clock=clock,
            after=settings.blocked_after,
            frames=sys._current_frames,  # noqa: SLF001 the only way to see another thread
            report=self.telemetry.log,
        )
        runner = Runner(handlers, wake, settings.runs)
        self._outcomes: Inbox[Attempt] = Inbox(link_loop, runner.ended)
        self._pools = {size.pool: self._pool(size) for size in settings.pools}
        runner.attach(self._pools)
        self.session = ExecutorSession(
            identify(handlers, settings),
            runner,
            self.telemetry,
            Stops(runner, clock, grace=settings.stop_grace),
            clock=clock,
            ids=Ids(entropy),
            usage=ProcessUsage(clock),
            wake=wake,
            lease=self._lease,
            blocked=lambda: self.loop_watch.blocked,
            greeted=greeted,
        )

    def close(self, within: float) -> None:
        """Let go of everything; children that have things to put in order are waited for."""
        for pool in self._pools.values():
            pool.close()
        processes = self._pools.get(Pool.PROCESSES)
        if isinstance(processes, ProcessPool) and self._children_have_lives:
            processes.join(within)

    def _pool(self, size: PoolSize) -> Slots:
        clock, journal, lease, outcomes = self._clock, self.telemetry, self._lease, self._outcomes
        match size.pool:
            case Pool.LOOP:
                ended = outcomes.put_all
                return LoopPool(size, loop=self._user_loop, clock=clock, journal=journal, lease=lease, ended=ended)
            case Pool.THREADS:
                slot = functools.partial(ThreadSlot, clock, journal, lease)
                return ThreadPool(size, slot=slot, ended=outcomes.put, freed=self._poke)
            case Pool.PROCESSES:
                return ProcessPool(
                    size,
                    app=self._app,
                    clock=clock,
                    journal=journal,
                    lease=lease,
                    ended=outcomes.put,
                    freed=self._poke,
                )


def identify(handlers: Handlers, settings: ExecutorSettings) -> Identity:
    host = platform.node()
    abilities = Abilities(
        queues=list(settings.queues) or queues_of(handlers),
        handlers={handler.name: handler.pool for handler in handlers},
        pools=list(settings.pools),
        labels=settings.labels,
        code_version=settings.code_version,
        host=host,
        zone=settings.zone,
        resources=resources_of(settings),
    )
    triggers = {spec.name: digest_of(spec) for part in handlers.parts for spec in part.triggers.values()}
    return Identity(
        name=settings.name or host,
        namespace=settings.namespace,
        abilities=abilities,
        triggers=triggers,
        runs=settings.runs or 0,
    )


def resources_of(settings: ExecutorSettings) -> dict[str, float]:
    """Raises ConfigError."""
    found = {name: read_amount(text) for name, text in settings.resources.items()}
    for name, amount in found.items():
        if not isinstance(amount, float) or not 0 <= amount <= AMOUNT_MAX:
            raise ConfigError(f"resource {name}={settings.resources[name]} is no amount, such as {EXAMPLES}")
    return found


def queues_of(handlers: Handlers) -> list[str]:
    """The queues that an executor listens to by default."""
    named = {handler.queue for handler in handlers}
    return sorted(named.union(*(part.queues for part in handlers.parts)))


def check_pools(handlers: Handlers, settings: ExecutorSettings, app: str) -> None:
    sizes = {size.pool: size for size in settings.pools}
    for handler in handlers:
        size = sizes.get(handler.pool)
        if size is None or size.max < 1:
            raise ConfigError(f"handler {handler.name!r} needs a {handler.pool} pool, and this executor has none")
        if handler.pool is Pool.PROCESSES and not app:
            raise ConfigError(f"handler {handler.name!r} runs in child processes, which need the app as module:name")
