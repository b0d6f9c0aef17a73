"""A server on a real local WebSocket that does what the test says."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from mainspring.wire.base import Message
from mainspring.wire.codec import decode_from_executor, encode
from mainspring.wire.messages import SUBPROTOCOL, Beat, Leased, Outcomes, Settled, Welcome
from tests.executor.fakes import Line

TOKEN_TEXT = "let-me-in"


class StandIn:
    """Welcomes executors, renews their leases and settles their outcomes; the rest is the test's."""

    def __init__(self, beat: float = 0.05, lease: float = 10.0) -> None:
        self.url = ""
        self.paths: list[str] = []
        self.connections: asyncio.Queue[Dialogue] = asyncio.Queue()
        self._beat, self._lease = beat, lease

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        self.paths.append(request.path)
        if request.headers.get("Authorization") != f"Bearer {TOKEN_TEXT}":
            return connection.respond(
                HTTPStatus.UNAUTHORIZED, '{"code": "token_unknown", "detail": "the token is not known"}'
            )
        return None

    async def attend(self, socket: ServerConnection) -> None:
        dialogue = Dialogue(socket)
        await dialogue.take(await socket.recv())  # type: ignore[arg-type]
        await dialogue.say(Welcome(1, "stand-in", self._lease, self._beat, []))
        self.connections.put_nowait(dialogue)
        try:
            async for frame in socket:
                await dialogue.take(frame)  # type: ignore[arg-type]
        except ConnectionClosed:
            pass
        dialogue.heard.abort()


class Dialogue:
    def __init__(self, socket: ServerConnection) -> None:
        self.heard = Line()
        self._socket = socket

    async def say(self, *messages: Message) -> None:
        await self._socket.send(encode(messages))

    async def take(self, frame: bytes) -> None:
        await self.heard.send(frame)
        for message in decode_from_executor(frame):
            if isinstance(message, Beat):
                await self.say(Leased(message.seq))
            if isinstance(message, Outcomes):
                await self.say(Settled(message.seq, []))

    async def close(self) -> None:
        await self._socket.close()


@asynccontextmanager
async def stand_in(beat: float = 0.05, lease: float = 10.0) -> AsyncIterator[StandIn]:
    server = StandIn(beat, lease)
    options = {"compression": None, "max_size": None}
    async with serve(
        server.attend,
        "127.0.0.1",
        0,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        process_request=server.admit,
        **options,  # type: ignore[arg-type]
    ) as listening:
        server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        yield server
