"""A server that answers by a script, over real connections, and remembers its requests."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from ssl import SSLContext

import msgspec

LENGTH = re.compile(rb"content-length: (\d+)")


class Heard(msgspec.Struct):
    """A request, and the number of the connection that it came by."""

    connection: int
    head: bytes
    body: bytes


class Cut(bytes):
    """The beginning of an answer, after which the server hangs up."""


Answer = Callable[[Heard], Awaitable[bytes | None]]
"""The bytes to answer with; None: hang up instead."""


def answer(content: bytes = b'{"id":"r","existing":false}', status: bytes = b"201 Created") -> bytes:
    return b"HTTP/1.1 %s\r\ncontent-length: %d\r\n\r\n%s" % (status, len(content), content)


class ScriptedServer:
    def __init__(self, script: Answer) -> None:
        self._script = script
        self.heard: list[Heard] = []
        self.connections = 0
        self.url = ""
        self.port = 0
        self._open: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        number = self.connections
        self._open.append(writer)
        try:
            while True:
                heard = await read_request(reader, number)
                self.heard.append(heard)
                sent = await self._script(heard)
                if sent is None:
                    break
                writer.write(sent)
                await writer.drain()
                if isinstance(sent, Cut):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def hang_up(self) -> None:
        """Close all connections."""
        for writer in self._open:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def read_request(reader: asyncio.StreamReader, number: int) -> Heard:
    head = await reader.readuntil(b"\r\n\r\n")
    length = LENGTH.search(head)
    return Heard(number, head, await reader.readexactly(int(length[1]) if length else 0))


@asynccontextmanager
async def scripted(script: Answer, tls: SSLContext | None = None) -> AsyncIterator[ScriptedServer]:
    made = ScriptedServer(script)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0, ssl=tls)
    made.port = server.sockets[0].getsockname()[1]
    made.url = f"http{'s' if tls else ''}://127.0.0.1:{made.port}"
    try:
        yield made
    finally:
        await made.hang_up()
        server.close()
