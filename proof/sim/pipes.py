"""One connection: in order while it is up, stalled, slow, cut, with frames that come late or twice."""

import asyncio
import random
from collections import deque

from proof.sim.loop import SimLoop
from proof.sim.sometimes import Sometimes
from proof.sim.tap import Tap

LATENCY = (0.0003, 0.008)
GAP = 1e-6
"""Between two frames: so they stay in order."""


class Path:
    """The way between one executor and one server, whatever connections use it."""

    def __init__(self) -> None:
        self.stalled = {"up": False, "down": False}
        """To the server, and to the executor."""
        self.slow = 1.0
        self.lag = {"up": 0.0, "down": 0.0}
        """Seconds that everything takes besides."""
        self.doubles = 0.0
        """Share of frames that come twice."""
        self.pipes: list[Pipe] = []

    @property
    def open(self) -> bool:
        return not any(self.stalled.values())

    def heal(self) -> None:
        self.stalled = {"up": False, "down": False}
        self.slow, self.doubles = 1.0, 0.0
        self.lag = {"up": 0.0, "down": 0.0}
        for pipe in list(self.pipes):
            pipe.flow()


class Pipe:
    """One direction of one connection."""

    def __init__(self, loop: SimLoop, path: Path, way: str, draws: random.Random, sometimes: Sometimes) -> None:
        self._loop = loop
        self._path = path
        self._way = way
        self._draws = draws
        self._sometimes = sometimes
        self._free_at = 0.0
        self._sent = 0
        self._held: list[bytes | None] = []
        self.inbox: deque[bytes] = deque()
        self.broken = False
        self.closing = False
        """The side that sends has left; what it sent before is still under way."""
        self._waiter: asyncio.Future[None] | None = None
        path.pipes.append(self)

    def carry(self, frame: bytes | None) -> None:
        self._put(frame)
        self._sent += 1
        # The first frames greet; a second greeting would only end the connection.
        if frame is not None and self._sent > 1 and self._draws.random() < self._path.doubles:
            self._sometimes.reach("frame duplicated")
            self._put(frame)

    def _put(self, frame: bytes | None) -> None:
        latency = self._draws.uniform(*LATENCY) * self._path.slow + self._path.lag[self._way]
        self._free_at = max(self._free_at + GAP, self._loop.time() + latency)
        self._loop.outside(self._free_at, self._arrive, frame)

    def _arrive(self, frame: bytes | None) -> None:
        if self._path.stalled[self._way] or self._held:
            self._held.append(frame)
        else:
            self._deliver(frame)

    def flow(self) -> None:
        """Deliver what was held up, unless the way is still barred."""
        if not self._path.stalled[self._way]:
            held, self._held = self._held, []
            for frame in held:
                self._deliver(frame)

    def _deliver(self, frame: bytes | None) -> None:
        if self.broken:
            return
        if frame is None:
            self.snap()
            return
        if self.closing:
            self._sometimes.reach("frame of an old connection came late")
        self.inbox.append(frame)
        self._wake()

    def snap(self) -> None:
        """The reader learns that the connection is over; what arrived before can still be read."""
        self.broken = True
        if self in self._path.pipes:
            self._path.pipes.remove(self)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> bytes:
        while not self.inbox:
            if self.broken:
                raise ConnectionError("the other side is gone")
            self._waiter = self._loop.create_future()
            await self._waiter
        return self.inbox.popleft()


class End:
    """One side of a connection."""

    def __init__(self, incoming: Pipe, outgoing: Pipe) -> None:
        self.incoming = incoming
        self.outgoing = outgoing
        self.over = False

    async def send(self, frame: bytes) -> None:
        if not self.send_now(frame):
            raise ConnectionError("the connection is closed")

    def send_now(self, frame: bytes) -> bool:
        if self.over or self.incoming.broken:
            return False
        self.outgoing.carry(frame)
        return True

    async def receive(self) -> bytes:
        if self.over:
            raise ConnectionError("the connection is closed")
        return await self.incoming.next()

    def abort(self) -> None:
        if self.over:
            return
        self.over = True
        self.incoming.inbox.clear()
        self.incoming.snap()
        self.outgoing.closing = True
        self.outgoing.carry(None)


class ExecutorEnd(End):
    async def close(self) -> None:
        self.over = True
        self.outgoing.closing = True
        self.outgoing.carry(None)


class ServerEnd(End):
    """Writes down what crosses it: credit is checked by that."""

    def __init__(self, incoming: Pipe, outgoing: Pipe, tap: Tap) -> None:
        super().__init__(incoming, outgoing)
        self._tap = tap

    def send_now(self, frame: bytes) -> bool:
        sent = super().send_now(frame)
        if sent:
            self._tap.sent(frame)
        return sent

    async def receive(self) -> bytes:
        frame = await super().receive()
        self._tap.received(frame)
        return frame

    async def close(self, _code: int, _reason: str) -> None:
        self.abort()
