"""Whatever may answer on a server's address instead of a server, on real loopback sockets."""

import asyncio
import base64
import hashlib
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from mainspring.wire.messages import SUBPROTOCOL

Peer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PAGE = b"<html>no such backend</html>"


async def closes(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As a load balancer without a backend does."""
    writer.close()


async def resets(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    plug = writer.get_extra_info("socket")
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.close()


def says(answer: bytes) -> Peer:
    """Reads the request and answers with these bytes."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    return peer


def shouts(answer: bytes) -> Peer:
    """Says these bytes before it has been asked anything."""

    async def peer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    return peer


def answers(status: str, body: bytes = PAGE, *headers: str) -> Peer:
    head = "\r\n".join((f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}"))
    return says(f"{head}\r\n\r\n".encode() + body)


def upgrades(*frames: bytes, accept: str = "", subprotocol: str = SUBPROTOCOL) -> Peer:
    """Becomes a WebSocket as it should, says these raw bytes, and is gone."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        key = head.lower().partition("sec-websocket-key:")[2].partition("\r\n")[0]
        asked = head[head.lower().index(key) :][: len(key)].strip()
        right = base64.b64encode(hashlib.sha1((asked + MAGIC).encode(), usedforsecurity=False).digest()).decode()
        lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Accept: {accept or right}"]
        lines += [f"Sec-WebSocket-Protocol: {subprotocol}"] if subprotocol else []
        writer.write("\r\n".join([*lines, "", ""]).encode() + b"".join(frames))
        if frames:
            await reader.read(64)
        writer.close()

    return peer


def frame(payload: bytes, opcode: int = 0x2) -> bytes:
    return bytes([0x80 | opcode, len(payload)]) + payload


PEERS: dict[str, Peer] = {
    "closes at once": closes,
    "resets at once": resets,
    "closes after the request": hangs_up,
    "answers bytes that are no HTTP": says(b"\x00\xff\x16\x03 garbage \x80\r\n\r\n"),
    "says garbage unasked": shouts(b"SSH-2.0-OpenSSH_9.9\r\n"),
    "closes within the head": says(b"HTTP/1.1 101 Switch"),
    "sends a head without end": says(b"HTTP/1.1 200 OK\r\n" + b"X-Header: value\r\n" * 1_000),
    "sends a line without end": says(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000),
    "lies about its length": says(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 99999\r\n\r\nshort"),
    "gives no length a number has": says(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: lots\r\n\r\n"),
    "answers 200": answers("200 OK"),
    "answers 401 of its own": answers("401 Unauthorized"),
    "answers 403 of its own": answers("403 Forbidden"),
    "answers 404": answers("404 Not Found"),
    "answers 429": answers("429 Too Many Requests"),
    "answers 500": answers("500 Internal Server Error"),
    "answers 502": answers("502 Bad Gateway"),
    "answers 503 in bytes that are no text": answers("503 Service Unavailable", b"\xff\xfe\x00"),
    "sends elsewhere for ever": answers("302 Found", b"", "Location: /again"),
    "sends to no address": answers("301 Moved Permanently", b"", "Location: http://[::1"),
    "sends to another kind of address": answers("307 Temporary Redirect", b"", "Location: ftp://127.0.0.1/"),
    "upgrades with the wrong key": upgrades(accept="bm90IHRoZSBrZXk="),
    "upgrades to another protocol": upgrades(subprotocol="chat"),
    "upgrades without a protocol": upgrades(subprotocol=""),
    "upgrades and is gone": upgrades(),
    "upgrades and says garbage": upgrades(b"\xff" * 64),
    "upgrades and sends a text": upgrades(frame(b"hello", opcode=0x1)),
    "upgrades and sends bad text": upgrades(frame(b"\xff\xfe", opcode=0x1)),
    "upgrades and sends what is no message": upgrades(frame(b"\xc1\xc1")),
    "upgrades and sends no messages": upgrades(frame(b"\x90")),
    "upgrades and sends a frame that is too long": upgrades(b"\x82\x7f" + (1 << 40).to_bytes(8, "big") + b"x"),
    "upgrades and closes with a code": upgrades(frame(b"\x03\xe8bye", opcode=0x8)),
    "upgrades and closes with half a code": upgrades(frame(b"\x03", opcode=0x8)),
}


@asynccontextmanager
async def peer_at(peer: Peer, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Its port on loopback."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        try:
            await peer(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)
