"""A scripted server at the other end of an in-memory link, pools that do as they are told, and what goes with them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from itertools import count
from typing import Self, TypeVar

from mainspring.clock import Clock
from mainspring.domain.cluster.session import Abilities, PoolSize
from mainspring.domain.ids import Ids, RunId, Token
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.runner import Runner
from mainspring.executor.attempts.stops import Stops
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.dialling import ServerConnection
from mainspring.executor.link.lease import Lease
from mainspring.executor.link.link import Link
from mainspring.executor.link.session import ExecutorSession, Identity
from mainspring.executor.link.telemetry import Telemetry
from mainspring.testing.clock import FakeClock
from mainspring.wire.base import Message
from mainspring.wire.codec import decode_from_executor, encode
from mainspring.wire.messages import FromExecutor, Hello, Start, Welcome

LEASE, BEAT, GRACE = 10.0, 2.5, 5.0
TOKEN = Token(b"t" * 16)
M = TypeVar("M", bound=FromExecutor)


def entropy() -> Callable[[int], bytes]:
    """Randomness that repeats itself from test to test and not within one."""
    numbers = count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


def run_id(number: int) -> RunId:
    return RunId(number.to_bytes(16, "big"))


def start(
    *numbers: int, name: str = "noop", token: Token = TOKEN, part: int = 0, raw: bytes = b"{}", timeout: float = 0.0
) -> Start:
    size = len(numbers)
    runs, limits = [run_id(n) for n in numbers], [timeout] * size if timeout else []
    return Start(token, part, [name], runs, [0] * size, [1] * size, [raw] * size, timeouts=limits)


def handlers() -> Handlers:
    registry = Handlers()

    async def noop() -> None: ...

    def plain() -> None: ...

    registry.add(noop)
    registry.add(plain)
    return registry


class FakePool:
    """Holds what it is given until the test ends it."""

    def __init__(self, size: PoolSize, ended: Callable[[list[Attempt]], None]) -> None:
        self.size = size
        self.attempts: list[Attempt] = []
        self.interrupted: list[Attempt] = []
        self.abandoned: list[Attempt] = []
        self.suspended: list[Attempt] = []
        self.given_up: list[Attempt] = []
        self.lost = self.strays = 0
        self.obeys = True
        self._ended = ended

    @property
    def running(self) -> int:
        return len(self.attempts)

    @property
    def waiting(self) -> int:
        return 0

    def resize(self, size: PoolSize) -> None:
        self.size = size

    def start(self, attempts: list[Attempt]) -> None:
        self.attempts += attempts

    def withdraw(self) -> None:
        self._release([attempt for attempt in self.attempts if attempt.stopping and not attempt.started])

    def interrupt(self, attempts: list[Attempt]) -> None:
        self.interrupted += attempts
        if self.obeys:
            self._release([attempt for attempt in self.attempts if attempt in attempts])

    def suspend(self, attempts: list[Attempt]) -> None:
        self.suspended += attempts
        self.withdraw()

    def give_up(self, attempts: list[Attempt]) -> None:
        self.given_up += attempts

    def abandon(self, attempts: list[Attempt]) -> None:
        self.abandoned += attempts
        if self.obeys:
            self._release([attempt for attempt in self.attempts if attempt in attempts])

    def close(self) -> None: ...

    def begin(self) -> None:
        for attempt in self.attempts:
            attempt.begin(1.0)

    def end(self, *numbers: int, outcome: Outcome = Outcome.SUCCEEDED) -> None:
        ended = [attempt for attempt in self.attempts if attempt.run in {run_id(n) for n in numbers}]
        for attempt in ended:
            attempt.outcome = outcome
        self._report(ended)

    def _release(self, attempts: list[Attempt]) -> None:
        for attempt in attempts:
            attempt.release()
        self._report(attempts)

    def _report(self, attempts: list[Attempt]) -> None:
        self.attempts = [attempt for attempt in self.attempts if attempt not in attempts]
        self._ended(attempts)


class Line:
    """One connection, seen from the server."""

    def __init__(self) -> None:
        self.cut = False
        self._to_executor: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._heard: deque[FromExecutor] = deque()
        self._more = asyncio.Event()

    # The executor's end

    async def send(self, frame: bytes) -> None:
        if self.cut:
            raise ConnectionError("cut")
        self._heard.extend(decode_from_executor(frame))
        self._more.set()

    async def receive(self) -> bytes:
        frame = None if self.cut else await self._to_executor.get()
        if frame is None:
            raise ConnectionError("cut")
        return frame

    async def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        self.cut = True
        self._to_executor.put_nowait(None)
        self._more.set()

    # The server's end

    def say(self, *messages: Message) -> None:
        self._to_executor.put_nowait(encode(messages))

    async def hear(self, kind: type[M]) -> M:
        """The next message of that kind; others before it are passed over."""
        while True:
            while self._heard:
                message = self._heard.popleft()
                if isinstance(message, kind):
                    return message
            assert not self.cut, f"cut before a {kind.__name__}"
            self._more.clear()
            await self._more.wait()

    def heard(self, kind: type[M]) -> list[M]:
        """All of that kind so far, without waiting."""
        found: list[M] = [message for message in self._heard if isinstance(message, kind)]
        self._heard.clear()
        return found


class Servers:
    """A `Dial` whose other end is the test."""

    def __init__(self) -> None:
        self.dialled: list[str] = []
        self.patience: list[float] = []
        self.down: dict[str, Exception] = {}
        self.silent: set[str] = set()
        """Those that take no connection until they are woken."""
        self.given_up: list[str] = []
        self._awake: dict[str, asyncio.Event] = {}
        self._lines: asyncio.Queue[Line] = asyncio.Queue()

    async def __call__(self, url: str, within: float) -> ServerConnection:
        self.dialled.append(url)
        self.patience.append(within)
        if url in self.down:
            raise self.down[url]
        if url in self.silent:
            await self._hang(url)
        line = Line()
        self._lines.put_nowait(line)
        return line

    def wake(self, url: str) -> None:
        self._awake[url].set()

    async def _hang(self, url: str) -> None:
        self._awake[url] = asyncio.Event()
        try:
            await self._awake[url].wait()
        except asyncio.CancelledError:
            self.given_up.append(url)
            raise

    async def accept(self) -> Line:
        return await self._lines.get()

    async def welcome(self, **changes: object) -> tuple[Line, Hello]:
        """Take the next connection and let it in."""
        line = await self.accept()
        hello = await line.hear(Hello)
        fields = {"protocol": 1, "server": "s1", "lease": LEASE, "beat": BEAT, "stale": []} | changes
        line.say(Welcome(**fields))  # type: ignore[arg-type]
        return line, hello


class Rig:
    """An executor's core with two fake pools and a link to scripted servers."""

    def __init__(self, clock: Clock, urls: Iterable[str] = ("a", "b"), room: int = 10) -> None:
        self.clock = clock
        self.servers = Servers()
        self.wake = asyncio.Event()
        self.runner = Runner(handlers(), self.wake)
        self.telemetry = Telemetry(clock, self.wake.set)
        self.stops = Stops(self.runner, clock, grace=GRACE)
        sizes = [PoolSize(pool, 0, room, 0) for pool in (Pool.LOOP, Pool.THREADS)]
        self.pools = {size.pool: FakePool(size, self.runner.ended) for size in sizes}
        self.runner.attach(self.pools)
        abilities = Abilities(queues=["default"], handlers={"noop": Pool.LOOP, "plain": Pool.THREADS}, pools=sizes)
        self.session = ExecutorSession(
            Identity(name="e1", namespace="default", abilities=abilities, triggers={"nightly": "5f1d7a84db00d2fc"}),
            self.runner,
            self.telemetry,
            self.stops,
            clock=clock,
            ids=Ids(entropy()),
            usage=lambda: (0.5, 1000),
            wake=self.wake,
            lease=Lease(),
        )
        self.link = Link(self.session, list(urls), self.servers, clock=clock, entropy=bytes)
        self._serving: list[asyncio.Task[None]] = []

    @property
    def loop_pool(self) -> FakePool:
        return self.pools[Pool.LOOP]

    @property
    def receiving(self) -> "asyncio.Task[None]":
        return self._serving[0]

    async def __aenter__(self) -> Self:
        parts = (self.link.receive(), self.link.send(), self.link.watch(), self.stops.watch())
        self._serving = [asyncio.create_task(part) for part in parts]
        return self

    async def __aexit__(self, *_: object) -> None:
        for part in self._serving:
            part.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


async def settle_down() -> None:
    """Let everything run that can run without time passing."""
    for _ in range(30):
        await asyncio.sleep(0)


async def pass_time(clock: FakeClock, seconds: float, step: float = 0.5) -> None:
    for _ in range(round(seconds / step)):
        clock.advance(step)
        await settle_down()
