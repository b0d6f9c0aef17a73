"""A connection between an executor and a server that exists only in memory."""

import asyncio


class MemoryConnection:
    """Both ends of an in-memory connection."""

    def __init__(self) -> None:
        to_server: asyncio.Queue[bytes | None] = asyncio.Queue()
        to_executor: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.server = ServerEnd(to_server, to_executor)
        self.executor = ExecutorEnd(to_executor, to_server)


class MemoryEnd:
    def __init__(self, inbox: "asyncio.Queue[bytes | None]", outbox: "asyncio.Queue[bytes | None]") -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._over = False

    async def send(self, frame: bytes) -> None:
        if not self.send_now(frame):
            raise ConnectionError("the connection is closed")

    def send_now(self, frame: bytes) -> bool:
        if self._over:
            return False
        self._outbox.put_nowait(frame)
        return True

    async def receive(self) -> bytes:
        frame = None if self._over else await self._inbox.get()
        if frame is None:
            self._over = True
            raise ConnectionError("the other side is gone")
        return frame

    def abort(self) -> None:
        self._over = True
        self._inbox.put_nowait(None)
        self._outbox.put_nowait(None)


class ServerEnd(MemoryEnd):
    async def close(self, _code: int, _reason: str) -> None:
        self.abort()


class ExecutorEnd(MemoryEnd):
    async def close(self) -> None:
        """Close this end; frames that were sent before are still received."""
        self._over = True
        self._outbox.put_nowait(None)
