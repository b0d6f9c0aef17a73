"""An executor process: the user's loop in the main thread, the link's in a second one."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from random import Random
from types import FrameType

from mainspring.clock import Clock, SystemClock
from mainspring.discovery.address import split_sources
from mainspring.discovery.directory import Directory
from mainspring.discovery.follow import follow, open_sources
from mainspring.discovery.rules import address_rules
from mainspring.domain.cluster.server import check_zone
from mainspring.errors import MainspringError
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.dialling import Dial
from mainspring.executor.link.link import Link
from mainspring.executor.link.logs import RunLog
from mainspring.executor.link.session import Greeted
from mainspring.executor.link.websocket import WebSocketDial, check_servers
from mainspring.executor.pools.attempt_of import mark_attempts
from mainspring.executor.process.assembly import Assembly, check_pools
from mainspring.executor.process.drain import Timetable, drain
from mainspring.executor.process.ends import end_when_done, limited
from mainspring.executor.process.lifespan import IN_PROCESS, Lifetime
from mainspring.executor.process.shutdown import Shutdown
from mainspring.executor.process.signs import Sign, check_folder, show_signs
from mainspring.gc_tuning import tune_gc
from mainspring.settings import ExecutorSettings

try:
    import uvloop
except ImportError:
    new_loop = asyncio.new_event_loop
else:
    new_loop = uvloop.new_event_loop

log = logging.getLogger(__name__)

EXIT_OK = 0
EXIT_UNSETTLED = 1
EXIT_CONFIG = 3
CLEANUP_MAX = 1.0


class Executor:
    """Serves handlers until it is stopped."""

    def __init__(
        self,
        handlers: Handlers,
        settings: ExecutorSettings,
        *,
        app: str = "",
        clock: Clock | None = None,
        dial: Dial | None = None,
        greeted: Greeted | None = None,
        signs: Sequence[Sign] = (),
    ) -> None:
        check_pools(handlers, settings, app)
        # Before the first dial: a mistake in the second address would otherwise end the executor at its first fail-over.
        seeds, books = split_sources(settings.servers)
        check_servers(seeds, or_books=bool(books))
        self._lifetime = Lifetime(handlers, IN_PROCESS)
        self._handlers = self._lifetime.handlers
        self._settings = settings = limited(settings)
        self._app = app
        self._clock = clock or SystemClock()
        self._directory = directory_of(settings, seeds)
        self._sources = open_sources(books, self._clock, "servers")
        self._dial = dial or WebSocketDial(settings.token, settings.ca_file)
        self._greeted = greeted
        self._signs = [*signs, *signs_of(settings, self._clock)]
        self._stopped = threading.Event()
        self._interrupted = False
        """Whether Ctrl-C stopped it."""
        # Logged later: a signal handler must not write to a log.
        self._on_stop: Callable[[], object] = bool

    def run(self, *, signals: bool = True) -> int:
        """Block until drained and return the exit code; signals work only in the main thread."""
        tune_gc()
        loop = new_loop()
        mark_attempts(loop)
        codes = [EXIT_UNSETTLED]
        shutdown = Shutdown(self._clock, has_lifespans=self._lifetime.is_needed, may_exit=signals)
        link = threading.Thread(
            target=self._run_link, args=(loop, codes, shutdown), name="mainspring-link", daemon=True
        )
        with self._handling_signals() if signals else nullcontext():
            code = self._open(loop)
            if code is not None:
                return code
            link.start()
            loop.run_forever()
            link.join()
            _leave(loop, self._lifetime, shutdown.lifespans_within())
            _close(loop)
        shutdown.is_over()
        return codes[-1]

    def stop(self) -> None:
        """Drain, then end; from any thread."""
        self._stopped.set()
        self._on_stop()

    def _open(self, loop: asyncio.AbstractEventLoop) -> int | None:
        """Enter lifespans and process-scoped providers before dialling a server; the exit code if that fails."""
        opening = loop.create_task(self._lifetime.open())
        self._on_stop = lambda: loop.call_soon_threadsafe(opening.cancel)
        try:
            loop.run_until_complete(opening)
        except asyncio.CancelledError:
            code = EXIT_OK
        except MainspringError as error:
            log.error("the executor cannot start: %s", error, exc_info=log.isEnabledFor(logging.DEBUG))  # noqa: TRY400
            code = EXIT_CONFIG
        else:
            return None
        finally:
            self._on_stop = bool
        _close(loop)
        return code

    @contextmanager
    def _handling_signals(self) -> Iterator[None]:
        numbers = (signal.SIGTERM, signal.SIGINT)
        before = [signal.signal(number, self._on_signal) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._stopped.is_set():
            os._exit(128 + number)
        self._interrupted = number == signal.SIGINT
        self.stop()

    def _run_link(self, user_loop: asyncio.AbstractEventLoop, codes: list[int], shutdown: Shutdown) -> None:
        try:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                codes.append(runner.run(self._serve(user_loop, shutdown)))
        except MainspringError as error:
            log.error("the executor cannot go on: %s", error)  # noqa: TRY400 the reason says it all
            codes.append(EXIT_CONFIG)
        finally:
            user_loop.call_soon_threadsafe(user_loop.stop)
            shutdown.finish(codes[-1])

    async def _serve(self, user_loop: asyncio.AbstractEventLoop, shutdown: Shutdown) -> int:
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        self._on_stop = lambda: loop.call_soon_threadsafe(stopped.set)
        if self._stopped.is_set():
            stopped.set()
        assembly = Assembly(
            self._handlers,
            self._settings,
            self._app,
            clock=self._clock,
            entropy=os.urandom,
            user_loop=user_loop,
            link_loop=loop,
            greeted=self._greeted,
        )
        link = Link(assembly.session, self._directory, self._dial, clock=self._clock, entropy=os.urandom)
        root, run_log = logging.getLogger(), RunLog(assembly.telemetry)
        root.addHandler(run_log)
        try:
            return await self._serve_until(stopped, link, assembly, shutdown)
        finally:
            self._on_stop = bool
            root.removeHandler(run_log)
            assembly.close(shutdown.lifespans_within())

    async def _serve_until(self, stopped: asyncio.Event, link: Link, assembly: Assembly, shutdown: Shutdown) -> int:
        following = (follow(source, self._directory, self._clock) for source in self._sources)
        showing = [sign(assembly.session.lease) for sign in self._signs]
        if self._settings.runs or self._settings.idle:
            showing.append(end_when_done(self._settings, assembly.session.runner, self._clock, stopped.set))
        core = (assembly.session.stops.watch(), assembly.loop_watch.watch(), *following, *showing)
        loops = (link.receive(), link.send(), link.watch(), *core)
        serving = [asyncio.create_task(loop) for loop in loops]
        stopping = asyncio.create_task(stopped.wait())
        try:
            await asyncio.wait([*serving, stopping], return_when=asyncio.FIRST_COMPLETED)
            for failed in serving:
                if failed.done():
                    failed.result()
            if self._interrupted:
                log.info("Ctrl-C: draining; once more to end at once")
            in_hand = len(assembly.session.runner.holdings)
            times = Timetable.of(self._clock.monotonic(), self._settings.grace, in_hand)
            settled = await drain(assembly.session, self._clock, times)
            code = EXIT_OK if settled else EXIT_UNSETTLED
            shutdown.begin(code, times.end)
            await link.goodbye()
            return code
        finally:
            for task in (*serving, stopping):
                task.cancel()
            await asyncio.gather(*serving, stopping, return_exceptions=True)


def directory_of(settings: ExecutorSettings, seeds: Sequence[str]) -> Directory:
    """Raises ConfigError for addresses and rules that cannot be used."""
    rules = address_rules(settings.discovery_hosts, settings.discovery_networks)
    zone = check_zone("zone", settings.zone)
    return Directory(seeds, zone=zone, rules=rules, jitter=Random().random)  # noqa: S311 no secret


def signs_of(settings: ExecutorSettings, clock: Clock) -> list[Sign]:
    """Raises ConfigError if the folder cannot be written to."""
    if not settings.signs:
        return []
    check_folder(settings.signs)
    return [lambda lease: show_signs(settings.signs, lease, clock)]


def _leave(loop: asyncio.AbstractEventLoop, lifetime: Lifetime, within: float) -> None:
    leaving = loop.create_task(lifetime.close())
    loop.run_until_complete(asyncio.wait((leaving,), timeout=within))
    if not leaving.done():
        log.warning("a lifespan or a provider did not end in %.0f s and is cut off", within)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    """Give tasks on the user's loop a moment to end; threads are not waited for."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=CLEANUP_MAX))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
