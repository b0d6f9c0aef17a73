"""Sends the head and the body of an answer in one write.

The HTTP server writes the head of an answer and its body one after the other, and the event loop sends each at once: two
system calls here, and two wake-ups of the client. The head is held back until the body follows in the same turn of the loop;
a body that takes longer, such as a stream's, gets its head first.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mainspring.api.http.fast_path import CYCLE

HEAD = b"HTTP/1.1 "


class OneWrite(HttpToolsProtocol):
    """The protocol as it is, over a transport that joins."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.joining = Joining(transport, self.loop)
        super().connection_made(self.joining)  # type: ignore[arg-type]

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if self.cycle is not None:
            self.scope[CYCLE] = self.cycle  # type: ignore[literal-required]

    def handle_websocket_upgrade(self) -> None:
        """Frames are whole as they are written."""
        self.transport = self.joining.plain
        super().handle_websocket_upgrade()


class Joining:
    """A transport that holds back the head of an answer for a moment; anything else goes straight through."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.plain = transport
        self.told = 0
        """Which version of the list of servers the caller has got."""
        self._loop = loop
        self._held = b""

    def write(self, data: bytes) -> None:
        if self._held:
            held, self._held = self._held, b""
            self.plain.writelines((held, data))
        elif data.startswith(HEAD):
            self._held = data
            self._loop.call_soon(self._send_held)
        else:
            self.plain.write(data)

    def write_whole(self, data: bytes) -> None:
        """Head and body in one."""
        self._send_held()
        self.plain.write(data)

    def close(self) -> None:
        self._send_held()
        self.plain.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)

    def _send_held(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self.plain.write(held)
