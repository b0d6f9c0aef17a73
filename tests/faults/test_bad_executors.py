"""An executor that breaks the protocol is closed with a code, and disturbs nobody else."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from mainspring.domain.cluster.session import Abilities
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.executor.link.websocket import websocket_url
from mainspring.wire.base import Message
from mainspring.wire.codec import decode_from_server, encode
from mainspring.wire.messages import (
    FRAME_MAX,
    HELLO_MAX,
    PROTOCOL,
    SUBPROTOCOL,
    Beat,
    Hello,
    Holding,
    Inventory,
    Load,
    Refused,
    Stale,
    Welcome,
)
from tests.acceptance.scene import PATIENT, Scene, assert_each_ran_once, enqueue, settled
from tests.support.processes import EXECUTOR_TOKEN, ExecutorProcess, ServerProcess

pytestmark = [pytest.mark.slow]

MESSAGES_PROTOCOL = 4400
TOO_BIG = 1009
TEXT = 1003
BEAT = Beat(1, Load(0, 0, 0.0, 0))
ROUND = 10


class Stage:
    """A server with one good executor, for all these tests together."""

    def __init__(self, folder: Path) -> None:
        self.scene = Scene(folder)
        self.server, self.good = asyncio.run(self._begin())
        self.runs = 0

    async def _begin(self) -> tuple[ServerProcess, ExecutorProcess]:
        server = await self.scene.server(**PATIENT)
        [good] = await self.scene.executors("g", server)
        return server, good


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    opened = Stage(tmp_path_factory.mktemp("bad-executors"))
    yield opened
    opened.scene.close()


@pytest.fixture
async def server(stage: Stage) -> AsyncIterator[ServerProcess]:
    """A server whose good executor must still work, undisturbed, when the test is over."""
    yield stage.server
    await enqueue(stage.server, "noop", ROUND)
    stage.runs += ROUND
    runs = await settled(stage.server, stage.runs)

    assert_each_ran_once(stage.scene, runs)
    assert stage.scene.ledger.pids() == {stage.good.pid}
    assert stage.good.said.count("connected to ") == 1
    assert "Traceback" not in stage.server.said


def dial(server: ServerProcess, token: str = EXECUTOR_TOKEN) -> connect:
    return connect(
        websocket_url(server.url),
        additional_headers={"authorization": f"Bearer {token}"},
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        max_size=FRAME_MAX,
    )


def hello(protocol: int = PROTOCOL) -> Hello:
    abilities = Abilities(queues=["elsewhere"], handlers={}, pools=[])
    session = SessionId(os.urandom(16))
    return Hello(protocol, session, os.urandom(32), "bad", "default", abilities, [], [])


async def said(connection: ClientConnection) -> Message:
    [message] = decode_from_server(await connection.recv(decode=False))
    return message


async def closed(connection: ClientConnection) -> int:
    """The code with which the server closed the connection."""
    await connection.wait_closed()
    assert connection.close_code is not None
    return connection.close_code


@pytest.mark.parametrize("token", ["", "wrong", "acceptance-api"])
async def test_a_bad_token_is_refused_at_the_door(server: ServerProcess, token: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await dial(server, token)

    assert refused.value.response.status_code == 401


async def test_a_newer_protocol_is_refused_with_advice(server: ServerProcess) -> None:
    async with dial(server) as connection:
        await connection.send(encode([hello(PROTOCOL + 1)]))
        refused = await said(connection)

        assert isinstance(refused, Refused)
        assert refused.code == "protocol_version"
        assert "upgrade" in refused.reason
        assert await closed(connection) == MESSAGES_PROTOCOL


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xc1",
        b"garbage that is no MessagePack",
        os.urandom(4096),
        msgspec.msgpack.encode([["hello"]]),
        msgspec.msgpack.encode([["unheard_of", 1]]),
        b"\x91" * 100_000,
        b"\xdd\xff\xff\xff\xff",
        encode([BEAT]),
        encode([hello(), BEAT]),
    ],
    ids=["empty", "reserved", "text", "random", "short", "unknown", "deep", "huge", "beat_first", "hello_and_beat"],
)
async def test_a_first_frame_that_is_no_hello_closes_the_connection(server: ServerProcess, frame: bytes) -> None:
    async with dial(server) as connection:
        await connection.send(frame)

        assert await closed(connection) == MESSAGES_PROTOCOL


@pytest.mark.parametrize("later", [b"garbage", encode([hello()])], ids=["garbage", "second_hello"])
async def test_a_bad_frame_after_the_welcome_closes_the_connection(server: ServerProcess, later: bytes) -> None:
    async with dial(server) as connection:
        await connection.send(encode([hello()]))
        assert isinstance(await said(connection), Welcome)
        await connection.send(later)

        assert await closed(connection) == MESSAGES_PROTOCOL


async def test_text_closes_the_connection(server: ServerProcess) -> None:
    async with dial(server) as connection:
        await connection.send("hello")

        assert await closed(connection) == TEXT


async def test_frames_may_be_large_once_it_is_known_who_sends_them(server: ServerProcess) -> None:
    runs = [RunId(number.to_bytes(16, "big")) for number in range(HELLO_MAX // 16)]
    large = encode([Inventory([Holding(Token(bytes(16)), runs)])])
    async with dial(server) as connection:
        await connection.send(encode([hello()]))
        assert isinstance(await said(connection), Welcome)
        await connection.send(large)

        assert len(large) > HELLO_MAX
        assert isinstance(await said(connection), Stale)


@pytest.mark.parametrize("greeted", [False, True])
async def test_an_oversized_frame_closes_the_connection(server: ServerProcess, greeted: bool) -> None:
    async with dial(server) as connection:
        if greeted:
            await connection.send(encode([hello()]))
            assert isinstance(await said(connection), Welcome)
        sending = asyncio.create_task(connection.send(b"x" * ((FRAME_MAX if greeted else HELLO_MAX) + 1)))

        assert await closed(connection) == TOO_BIG
        await asyncio.gather(sending, return_exceptions=True)
