"""Long computations, off the loop: in a thread, in short pieces with pauses, so that no fire and no answer waits for them."""

import asyncio
import math
import threading
from collections.abc import Generator
from typing import TypeVar

from mainspring.clock import Clock

T = TypeVar("T")
PIECE = 0.001
"""Seconds of computing between two pauses."""
# A thread that computes without a pause keeps the interpreter's lock for 5 ms whenever another one wants it, and a single
# statement of SQLite wants it several times.
PAUSE = 0.001


async def off_loop(work: Generator[None, None, T], clock: Clock, *, until: float = math.inf) -> T | None:
    """The result of the work, or None if it has not ended by then; the time is looked at after each yield."""
    gone = threading.Event()
    try:
        return await asyncio.to_thread(in_pieces, work, clock, until, gone)
    finally:
        # A caller that has gone leaves no thread at work.
        gone.set()


def in_pieces(work: Generator[None, None, T], clock: Clock, until: float, gone: threading.Event) -> T | None:
    begun = now = clock.monotonic()
    while now <= until and not gone.is_set():
        try:
            next(work)
        except StopIteration as done:
            found: T = done.value
            return found
        now = clock.monotonic()
        if now - begun > PIECE:
            gone.wait(PAUSE)
            begun = clock.monotonic()
    work.close()
    return None
