"""python -m bench.mainspring.http50 COUNT: 50 clients, each on a connection of its own, post single runs.

As cheap as Python can be, so that the server is measured: prebuilt requests, no HTTP library, nothing kept of an answer
but its status.
"""

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from typing import cast
from urllib.parse import urlparse

import uvloop

from bench.mainspring.names import NOOP

CLIENTS = 50
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
BODY = json.dumps({"job": NOOP, "input": {"payload": 0}}).encode()


def request(host: str, token: str) -> bytes:
    head = (
        f"POST /api/v1/runs HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
    )
    return head.encode() + BODY


class Poster(asyncio.Protocol):
    """One keep-alive connection: the next request goes out when the last one's 201 has come."""

    transport: asyncio.Transport

    def __init__(self, request: bytes, turns: Iterator[int]) -> None:
        self.request = request
        self.turns = turns
        self.answer = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def post(self) -> None:
        if next(self.turns, None) is None:
            self.done.set_result(None)
        else:
            self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self.answer += data
        if not is_whole(self.answer):
            return
        if not self.answer.startswith(b"HTTP/1.1 201"):
            self.done.set_exception(ConnectionError(self.answer.decode(errors="replace")))
            return
        self.answer = b""
        self.post()

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(ConnectionError("the server closed the connection"))


def is_whole(answer: bytes) -> bool:
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        return False
    length = LENGTH.search(answer, 0, end)
    return length is not None and len(answer) >= end + 4 + int(length[1])


async def post_all(count: int) -> float:
    address = urlparse(os.environ["MAINSPRING_URL"])
    ready = request(address.netloc, os.environ["MAINSPRING_TOKEN"])
    host, port, turns = address.hostname or "127.0.0.1", address.port or 80, iter(range(count))
    connect = asyncio.get_running_loop().create_connection
    posters = [(await connect(lambda: Poster(ready, turns), host, port))[1] for _ in range(CLIENTS)]
    begin = time.monotonic()
    for poster in posters:
        poster.post()
    await asyncio.gather(*(poster.done for poster in posters))
    return time.monotonic() - begin


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(json.dumps({"seconds": runner.run(post_all(int(sys.argv[1])))}))
