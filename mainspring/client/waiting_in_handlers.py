"""Waits inside a handler: they end when the attempt is interrupted, and the executor knows the runs waited for."""

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
    """Notes a wait for a run for as long as it lasts."""
    try:
        yield
    finally:
        note_wait("")


async def heeded(work: Coroutine[Any, Any, T]) -> T:
    """The awaited value; raises CancelledError if the attempt is interrupted, which nothing else tells this loop."""
    import asyncio  # noqa: PLC0415 a process with a coroutine has it loaded

    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_EVERY))[0]:
            heed_interruption()
        return task.result()
    finally:
        task.cancel()


def receive_heeding(sock: "socket.socket", size: int) -> bytes:
    """What the socket receives next, waited for in short turns, in all as long as its own timeout says.

    Raises CancelledError if the attempt that waits is interrupted.
    """
    patience, waited = sock.gettimeout(), 0.0
    sock.settimeout(LOOK_EVERY)
    try:
        while True:
            heed_interruption()
            try:
                return sock.recv(size)
            except TimeoutError:
                waited += LOOK_EVERY
                if patience is not None and waited >= patience:
                    raise
    finally:
        sock.settimeout(patience)
