"""Composition root: settings become one running server."""

import asyncio
import functools
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette

from mainspring.announcing import announcing, open_books
from mainspring.api.app import Api, create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.http.connections import HERE, VERSION_HEADER, Callers
from mainspring.api.http.edge_limits import Edge, EdgeLimits
from mainspring.api.http.websocket_fast_path import DirectSocket
from mainspring.api.routes.cluster.metrics import open_listener
from mainspring.channels.courier import Courier
from mainspring.clock import Clock, SystemClock
from mainspring.console.pages import HOME, console_routes
from mainspring.domain.cluster.server import Place
from mainspring.domain.ids import Ids
from mainspring.errors import ConfigError, StoreUnavailableError
from mainspring.gc_tuning import tune_gc
from mainspring.scheduler.access.bootstrap_tokens import Bootstrapped, bootstrap_tokens
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import ServerSettings, ensure_home
from mainspring.settings.keys import secret_keys
from mainspring.settings.own_faults import own_faults
from mainspring.settings.security import check_security
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.version import __version__
from mainspring.wire.messages import FRAME_MAX, PROTOCOL

log = logging.getLogger("mainspring.server")

T = TypeVar("T")

DRAIN_MAX = 7.0
LAST_CALLS = 0.1
"""Seconds for which a draining server goes on refusing calls with `draining`."""
# A connection that is closed during a call leaves it open whether the call was read.
HTTP_GRACE = 2
RETRY_EVERY = 1.0
REMIND_EVERY = 10
BACKLOG = 2048
PING = 20.0
SWITCH_INTERVAL = 0.0005
NOSNIFF = ("X-Content-Type-Options", "nosniff")

Listening = Callable[[ServerSettings], None]
Founded = Callable[[ServerSettings, str], None]


def prepare(settings: ServerSettings) -> None:
    """Raises ConfigError, before anything is touched, for settings that no server should have."""
    check_security(settings)
    ensure_home(settings.home)
    if settings.exposed and not settings.secure:
        log.warning("serving plain HTTP on %s: only a TLS proxy should be able to reach it", settings.host)


def named(settings: ServerSettings) -> ServerSettings:
    name = settings.scheduler.name or f"{socket.gethostname()}:{settings.port}"
    return msgspec.structs.replace(settings, scheduler=msgspec.structs.replace(settings.scheduler, name=name))


async def serve(
    settings: ServerSettings,
    stop: asyncio.Event,
    *,
    listening: Listening | None = None,
    founded: Founded | None = None,
    peopled: Founded | None = None,
    with_executor: bool = False,
) -> None:
    """Run a server until `stop` is set, then drain it.

    Once the store is open, `listening` is called with the settings as they came out: tokens filled in, and the port if it
    was 0; before that `founded`, if the store was new, with its first admin token, and `peopled`, if the store has no user,
    with the code that makes the first one. `with_executor`: one is started beside it.
    """
    prepare(settings)
    sources = open_books(settings.discovery, SystemClock())
    vault = Vault(secret_keys(settings))
    clock, gate = SystemClock(), EngineGate()
    with listen(settings) as listener:
        settings = named(msgspec.structs.replace(settings, port=listener.getsockname()[1]))
        app = create_app(gate, settings, clock=clock)
        app.router.routes.extend(console_routes())
        async with answering(app, listener, stop, settings) as http, answering_metrics(app, stop, settings):
            log.info("listening on %s", settings.url)
            log.info("the console is at %s%s", settings.url, HOME)
            store = await open_when_reachable(settings, gate, clock, stop)
            if store is None:
                return
            try:
                parts, courier = (store, settings.scheduler, clock, Ids()), Courier(settings.scheduler, clock)
                place, follow = place_of(settings), clock.shift
                local = functools.partial(own_faults, settings)
                scheduler = Scheduler(
                    *parts, follow=follow, vault=vault, place=place, courier=courier, own_faults=local
                )
                settling = functools.partial(settle, settings, scheduler, with_executor=with_executor)
                if (settled := await when_reachable(settling, gate, clock, stop)) is not None:
                    tune_gc()
                    gate.open(scheduler)
                    show_admin(settled, founded)
                    await offer_first_user(settled, scheduler, peopled)
                    announce(settled, listening)
                    async with announcing(sources, settings, scheduler, clock, stop):
                        await run_until_drained(scheduler, gate, stop, settings.drain_delay)
            finally:
                # Requests under way may still ask the store.
                await http.finish()
                await store.close()


def place_of(settings: ServerSettings) -> Place:
    url = settings.advertised
    return Place(url=url, zone=settings.zone, version=__version__, protocol=PROTOCOL, shares=settings.balance)


async def settle(settings: ServerSettings, scheduler: Scheduler, *, with_executor: bool) -> Bootstrapped:
    """Load tokens and the database's time before the first request: due times come from that clock."""
    await scheduler.joining.set_clock()
    return await bootstrap_tokens(settings, scheduler.access, with_executor=with_executor)


def announce(settled: Bootstrapped, listening: Listening | None) -> None:
    if listening is not None:
        listening(settled.settings)


def show_admin(settled: Bootstrapped, founded: Founded | None) -> None:
    if founded is not None and settled.new_admin:
        founded(settled.settings, settled.new_admin)


async def offer_first_user(settled: Bootstrapped, scheduler: Scheduler, peopled: Founded | None) -> None:
    if peopled is not None and (code := await scheduler.access.users.invite_first()):
        peopled(settled.settings, code)


async def run_until_drained(scheduler: Scheduler, gate: EngineGate, stop: asyncio.Event, delay: float = 0.0) -> None:
    ending = asyncio.Event()
    running = asyncio.create_task(scheduler.run(ending), name="scheduler")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if delay and not running.done():
        # Load balancers learn of the end a little late: until then calls are served.
        gate.leave()
        await SystemClock().sleep(delay)
    gate.drain()
    ending.set()
    try:
        await asyncio.wait_for(asyncio.gather(running, SystemClock().sleep(LAST_CALLS)), DRAIN_MAX)
    except TimeoutError:
        log.warning("the drain took longer than %.0f s and was cut off", DRAIN_MAX)


async def open_when_reachable(
    settings: ServerSettings, gate: EngineGate, clock: Clock, stop: asyncio.Event
) -> Store | None:
    """The store with a schema that fits; None if the server is stopped before it can be reached."""
    return await when_reachable(lambda: open_checked(settings), gate, clock, stop)


async def when_reachable(
    act: Callable[[], Awaitable[T]], gate: EngineGate, clock: Clock, stop: asyncio.Event
) -> T | None:
    """The act's result once the store can be reached; None if the server is stopped before."""
    tries = 0
    while not stop.is_set():
        try:
            return await act()
        except StoreUnavailableError as error:
            gate.wait(f"the database cannot be reached: {error}")
            if tries % REMIND_EVERY == 0:
                log.warning("waiting for the database: %s", error)
        tries += 1
        await clock.wait(stop, RETRY_EVERY)
    return None


async def open_checked(settings: ServerSettings) -> Store:
    if settings.store_url.startswith("sqlite:"):
        # SQLite's thread gives the interpreter up at every step; a busy loop has to hand it back sooner than usual.
        sys.setswitchinterval(SWITCH_INTERVAL)
    listen_url = settings.listen_url or None
    store = await open_store(settings.store_url, listen_url=listen_url, pool_size=settings.pool_size)
    try:
        if (settings.migrate or settings.store_url.startswith("sqlite:")) and (applied := await store.migrate()):
            log.info("migrated: %s", ", ".join(applied))
        await store.check_schema()
    except BaseException:
        await store.close()
        raise
    return store


@contextmanager
def listen(settings: ServerSettings) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise ConfigError(
            f"cannot listen on {settings.host}:{settings.port}: {reason}; see --host and --port"
        ) from None
    with listener:
        yield listener


@asynccontextmanager
async def answering(
    app: Starlette,
    listener: socket.socket,
    stop: asyncio.Event,
    settings: ServerSettings | None = None,
    *,
    callers: Callers | None = None,
) -> AsyncIterator["HttpServer"]:
    """Answer HTTP until the block is left; if that ends by itself, stop the server."""
    settings = settings or ServerSettings()
    trusted = (*HERE, *settings.trusted_proxies)
    http = HttpServer(http_config(app, settings, callers or Callers(settings.strangers_max, trusted)))
    http.start(listener, stop)
    try:
        yield http
    finally:
        await http.finish()


@asynccontextmanager
async def answering_metrics(app: Api, stop: asyncio.Event, settings: ServerSettings) -> AsyncIterator[None]:
    """Serve metrics without a token on the address of the settings, if they name one."""
    if not settings.metrics_address:
        yield
        return
    host, port = settings.metrics_address
    plain = msgspec.structs.replace(settings, host=host, port=port, tls_certificate="", tls_key="")
    with listen(plain) as listener:
        async with answering(open_listener(app), listener, stop, plain):
            log.info("metrics are at http://%s:%d/metrics", host, listener.getsockname()[1])
            yield


class HttpServer(uvicorn.Server):
    """uvicorn without its signal handlers, which belong to the process that runs the server."""

    def start(self, listener: socket.socket, stop: asyncio.Event) -> None:
        self._answering = asyncio.create_task(self.serve(sockets=[listener]), name="http")
        self._answering.add_done_callback(lambda _: stop.set())

    async def finish(self) -> None:
        """Take no more connections, and give requests under way a moment to end."""
        self.should_exit = True
        await self._answering

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def http_config(app: Starlette, settings: ServerSettings, callers: Callers) -> uvicorn.Config:
    limits = EdgeLimits(settings.head_timeout, settings.body_timeout)
    return uvicorn.Config(
        app,
        http=functools.partial(Edge, limits=limits, callers=callers),  # type: ignore[arg-type]
        ws=DirectSocket,
        ws_max_size=FRAME_MAX,
        ws_per_message_deflate=False,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        headers=[NOSNIFF, (VERSION_HEADER, __version__)] if settings.public_details else [NOSNIFF],
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=HTTP_GRACE,
        ssl_certfile=settings.tls_certificate or None,
        ssl_keyfile=settings.tls_key or None,
    )
