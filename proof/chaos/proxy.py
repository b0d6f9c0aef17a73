"""A small TCP proxy whose connections can be made slow, stalled one or both ways, and cut, at any moment or after some bytes.

It runs beside the process whose connections it carries and takes orders, one JSON object a line, on a Unix socket.
"""

import asyncio
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from mainspring.clock import SystemClock

Late = tuple[float, bytes]
"""A piece, and when it may arrive."""

CHUNK = 65536
PIECES = 64
LINGER_NONE = struct.pack("ii", 1, 0)
"""Closing then sends a reset."""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with the connections of a route; the default is nothing."""

    delay: float = 0.0
    """Seconds by which each piece is late, in both directions."""
    stall_up: bool = False
    """Nothing more reaches the target."""
    stall_down: bool = False
    """Nothing more comes back from it."""
    cut: bool = False
    """Reset what is open, and refuse what is new."""
    empty: bool = False
    """Close what is open, and close what is new at once and politely, as a load balancer without a backend does."""
    cut_after: int = 0
    """Reset a connection once that many bytes have gone up, from now on; 0: never."""


class Order(msgspec.Struct, frozen=True):
    route: str
    trouble: Trouble


class Route:
    """One port, and where its connections lead."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._trouble = Trouble()
        self._changed = asyncio.Condition()
        self._open: set[asyncio.StreamWriter] = set()
        self._carried = 0
        self._clock = SystemClock()

    async def set(self, trouble: Trouble) -> None:
        async with self._changed:
            self._trouble, self._carried = trouble, 0
            self._changed.notify_all()
        if trouble.cut:
            self._reset()
        if trouble.empty:
            for writer in self._open:
                writer.close()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._trouble.empty:
            writer.close()
            return
        self._open.add(writer)
        try:
            if not self._trouble.cut:
                await self._join(reader, writer)
        finally:
            reset(writer)
            self._open.discard(writer)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, away = await asyncio.open_connection(*self._target)
        except OSError:
            return
        self._open.add(away)
        way, back = asyncio.Queue[Late](PIECES), asyncio.Queue[Late](PIECES)
        flows = [
            self._take(reader, way),
            self._give(way, away, up=True),
            self._take(there, back),
            self._give(back, writer),
        ]
        ways = [asyncio.create_task(flow) for flow in flows]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in ways:
                each.cancel()
            reset(away)
            self._open.discard(away)

    async def _take(self, reader: asyncio.StreamReader, queue: "asyncio.Queue[Late]") -> None:
        """Until this side is gone. Pieces are late, each by itself: a slow network still carries many at once."""
        with suppress(OSError):
            while piece := await reader.read(CHUNK):
                await queue.put((self._clock.monotonic() + self._trouble.delay, piece))
        # What was said before the goodbye still arrives.
        await queue.join()

    async def _give(self, queue: "asyncio.Queue[Late]", writer: asyncio.StreamWriter, *, up: bool = False) -> None:
        with suppress(OSError):
            while True:
                due, piece = await queue.get()
                await self._clock.sleep(max(0.0, due - self._clock.monotonic()))
                await self._passable(up=up)
                if up and self._cut_by(len(piece)):
                    return
                writer.write(piece)
                await writer.drain()
                queue.task_done()

    async def _passable(self, *, up: bool) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: not (self._trouble.stall_up if up else self._trouble.stall_down))

    def _cut_by(self, size: int) -> bool:
        self._carried += size
        return 0 < self._trouble.cut_after <= self._carried

    def _reset(self) -> None:
        for writer in self._open:
            reset(writer)


def reset(writer: asyncio.StreamWriter) -> None:
    """Close without a goodbye, as a machine does that has lost its memory."""
    found = writer.get_extra_info("socket")
    if found is not None:
        with suppress(OSError):
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NONE)
    writer.transport.abort()


class Proxy:
    """Routes by name, each on a port of its own."""

    def __init__(self) -> None:
        self._routes: dict[str, Route] = {}
        self._listening: list[asyncio.Server] = []

    async def add(self, name: str, port: int, target: tuple[str, int], *, host: str = "127.0.0.1") -> int:
        """The port on which it listens: the one that was asked for, unless that was 0."""
        route = self._routes[name] = Route(*target)
        server = await asyncio.start_server(route.carry, host, port)
        self._listening.append(server)
        found: int = server.sockets[0].getsockname()[1]
        return found

    async def set(self, order: Order) -> None:
        await self._routes[order.route].set(order.trouble)

    async def obey(self, path: Path) -> None:
        """Take orders there from now on."""
        self._listening.append(await asyncio.start_unix_server(self._listen, path))

    async def close(self) -> None:
        for server in self._listening:
            server.close()
        for route in self._routes.values():
            await route.set(Trouble(cut=True))

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            await self.set(msgspec.json.decode(line, type=Order))
            writer.write(b"done\n")
        writer.close()


async def command(path: Path, route: str, trouble: Trouble) -> None:
    """Tell a proxy what is wrong with a route from now on; returns once it is."""
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(msgspec.json.encode(Order(route, trouble)) + b"\n")
    await reader.readline()
    writer.close()


async def main(orders: str, *routes: str) -> None:
    """`routes`: name=address:port=address:port, of its own and of the target."""
    proxy = Proxy()
    for route in routes:
        name, here, there = route.split("=")
        host, _, port = here.rpartition(":")
        far, _, far_port = there.rpartition(":")
        await proxy.add(name, int(port), (far, int(far_port)), host=host)
    await proxy.obey(Path(orders))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
