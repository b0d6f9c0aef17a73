"""The door through which executors dial in."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.clock import SystemClock
from mainspring.domain.access.token import UNBOUND, Grant
from mainspring.domain.ids import Ids
from mainspring.errors import FrameError
from mainspring.scheduler.access.cache import AccessCache
from mainspring.scheduler.cluster.known_servers import KnownServers
from mainspring.scheduler.cluster.operations import ServerOperations
from mainspring.scheduler.engine import Scheduler
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.sessions.link import ExecutorLink
from mainspring.server import answering, listen
from mainspring.settings import SchedulerSettings, ServerSettings
from mainspring.store.sqlite.store import SqliteStore
from mainspring.wire.messages import FRAME_MAX, SUBPROTOCOL

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS = ServerSettings(port=0, api_token="api", executor_token="executor")
PATH = "/api/v1/executors/connect"
MUCH = 1 << 20


class Echo(Scheduler):
    """An engine that sends every frame back, until it is told otherwise."""

    def __init__(self) -> None:
        self._ends: asyncio.Queue[str] = asyncio.Queue()
        self.left: list[bool] = []
        """Which frames left at once."""
        clock = SystemClock()
        store = SqliteStore.inline(clock=clock)
        self.access = AccessCache(store, SchedulerSettings(), clock, Ids(), Facts())
        self.servers = ServerOperations(store, clock, asyncio.Event(), KnownServers(Ids().server(), Facts()))

    async def attach(self, link: ExecutorLink, grant: Grant = UNBOUND) -> None:
        try:
            while (frame := await link.receive()) != b"leave":
                if frame == b"break":
                    raise FrameError("malformed frame: break")
                if frame.startswith(b"at once"):
                    self.left.append(link.send_now(frame))
                    while frame.endswith(b"for ever") and self.left[-1]:
                        self.left.append(link.send_now(bytes(MUCH)))
                else:
                    await link.send(frame)
        except ConnectionError as error:
            self._ends.put_nowait(str(error))
            raise

    async def end(self, reason: str) -> None:
        """Returns once a connection has ended for that reason."""
        while reason not in await self._ends.get():
            pass


class Door:
    def __init__(self, url: str, gate: EngineGate, echo: Echo) -> None:
        self.url = url
        self.gate = gate
        self.echo = echo

    def dial(self, token: str | None = "executor", **options: object) -> connect:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        return connect(
            self.url,
            additional_headers=headers,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            max_size=None,
            **options,  # type: ignore[arg-type]
        )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def door() -> AsyncIterator[Door]:
    echo = Echo()
    gate = EngineGate(echo)
    with listen(SETTINGS) as listener:
        url = f"ws://127.0.0.1:{listener.getsockname()[1]}{PATH}"
        async with answering(create_app(gate, SETTINGS), listener, asyncio.Event()):
            yield Door(url, gate, echo)


async def closed(connection: ClientConnection) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as error:
        await connection.recv()
    assert error.value.rcvd is not None
    return error.value.rcvd.code, error.value.rcvd.reason


async def test_frames_travel_both_ways_under_our_subprotocol(door: Door) -> None:
    async with door.dial() as connection:
        await connection.send(b"\x00frame")

        assert connection.subprotocol == SUBPROTOCOL
        assert await connection.recv() == b"\x00frame"


async def test_frames_may_leave_at_once(door: Door) -> None:
    door.echo.left.clear()
    async with door.dial() as connection:
        await connection.send(b"at once")

        assert await connection.recv() == b"at once"
        assert door.echo.left == [True]


async def test_what_an_executor_has_no_room_for_does_not_leave_at_once_and_none_is_lost(door: Door) -> None:
    door.echo.left.clear()
    async with door.dial() as connection:
        await connection.send(b"at once and for ever")
        sizes = [len(await connection.recv())]
        while len(sizes) < sum(door.echo.left) or door.echo.left[-1]:
            sizes.append(len(await connection.recv()))
        await connection.send(b"the usual way")

        assert await connection.recv() == b"the usual way"
        assert sizes == [20, *[MUCH] * (len(sizes) - 1)]


@pytest.mark.parametrize(
    ("token", "status", "code"),
    [
        (None, 401, b"token_missing"),
        ("", 401, b"token_missing"),
        ("wrong", 401, b"token_unknown"),
        ("api", 403, b"forbidden"),
    ],
)
async def test_a_wrong_token_is_refused_before_the_connection_opens(
    door: Door, token: str | None, status: int, code: bytes
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await door.dial(token)

    assert refused.value.response.status_code == status
    assert code in refused.value.response.body


async def test_while_there_is_no_engine_executors_are_sent_elsewhere() -> None:
    with listen(SETTINGS) as listener:
        url = f"ws://127.0.0.1:{listener.getsockname()[1]}{PATH}"
        async with answering(create_app(EngineGate(), SETTINGS), listener, asyncio.Event()):
            with pytest.raises(InvalidStatus) as refused:
                await connect(url, additional_headers={"authorization": "Bearer executor"})

    assert refused.value.response.status_code == 503


async def test_when_the_engine_is_done_the_connection_closes(door: Door) -> None:
    async with door.dial() as connection:
        await connection.send(b"leave")

        assert await closed(connection) == (1000, "")


async def test_a_broken_frame_closes_with_its_reason(door: Door) -> None:
    async with door.dial() as connection:
        await connection.send(b"break")

        assert await closed(connection) == (1002, "malformed frame: break")


async def test_text_is_not_a_frame(door: Door) -> None:
    async with door.dial() as connection:
        await connection.send("hello")

        assert await closed(connection) == (1003, "frames are binary")
    await door.echo.end("the executor sent text")


async def test_a_frame_over_the_limit_closes_the_connection(door: Door) -> None:
    async with door.dial() as connection:
        sending = asyncio.create_task(connection.send(b"x" * (FRAME_MAX + 1)))

        assert (await closed(connection))[0] == 1009
        await asyncio.gather(sending, return_exceptions=True)
    await door.echo.end("1009")


async def test_the_engine_hears_when_an_executor_is_gone(door: Door) -> None:
    async with door.dial():
        pass

    await door.echo.end("the executor closed the connection")
