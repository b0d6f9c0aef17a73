"""Waiting inside a handler: it ends when the attempt is interrupted, and the executor knows what is waited for."""

import io
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from mainspring.clock import SystemClock
from mainspring.domain.runs.current import heed_interruption, note_wait

if TYPE_CHECKING:
    import socket

T = TypeVar("T")

LOOK_EVERY = 0.2
"""Seconds from one look whether the attempt is interrupted to the next."""


def pause(seconds: float) -> None:
    """Sleep; raises CancelledError if the attempt that does so is interrupted."""
    clock = SystemClock()
    until = clock.monotonic() + seconds
    while (left := until - clock.monotonic()) > 0:
        heed_interruption()
        threading.Event().wait(min(left, LOOK_EVERY))


@contextmanager
def in_slot() -> Iterator[None]:
    """Around a wait for a run: whatever is noted of it is over with it."""
    try:
        yield
    finally:
        note_wait("")


async def heeded(work: Coroutine[Any, Any, T]) -> T:
    """What this gives; raises CancelledError if the attempt is interrupted, which nothing else tells this loop."""
    import asyncio  # noqa: PLC0415 whoever has a coroutine has it loaded

    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_EVERY))[0]:
            heed_interruption()
        return task.result()
    finally:
        task.cancel()


class HeededSocket:
    """A socket as a reader of answers sees it, which stops waiting for them when the attempt is interrupted."""

    def __init__(self, sock: "socket.socket") -> None:
        self._sock = sock

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(HeededFile(self._sock))


class HeededFile(io.RawIOBase):
    """Waits in short turns, in all as long as the socket's own timeout says."""

    def __init__(self, sock: "socket.socket") -> None:
        self._sock = sock
        self._patience = sock.gettimeout()
        # Keeps the socket open until this is closed, as a file of its own would.
        self._held = sock.makefile("rb", buffering=0)
        sock.settimeout(LOOK_EVERY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        waited = 0.0
        while True:
            heed_interruption()
            try:
                return self._sock.recv_into(buffer)
            except TimeoutError:
                waited += LOOK_EVERY
                if self._patience is not None and waited >= self._patience:
                    raise

    def close(self) -> None:
        self._held.close()
        super().close()
