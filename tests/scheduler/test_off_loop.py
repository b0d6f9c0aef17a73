"""Long computations: the loop goes on, and they end when they are over or when their caller has gone."""

import asyncio
import threading
from collections.abc import Generator

import pytest

from mainspring.clock import SystemClock
from mainspring.scheduler.off_loop import off_loop
from mainspring.testing.clock import FakeClock
from tests.support.limits import HANG

"""Seconds after which a test gives up."""


async def test_the_loop_goes_on_while_a_piece_is_computed() -> None:
    turn = threading.Event()

    def work() -> Generator[None, None, bool]:
        yield
        return turn.wait(HANG)

    asyncio.get_running_loop().call_soon(turn.set)

    assert await off_loop(work(), SystemClock()) is True


async def test_work_that_is_over_has_no_result() -> None:
    clock = FakeClock()

    def work() -> Generator[None, None, int]:
        while True:
            clock.advance(1)
            yield

    assert await off_loop(work(), clock, until=3) is None
    assert clock.monotonic() == 4


async def test_work_whose_caller_has_gone_stops() -> None:
    begun, closed = threading.Event(), threading.Event()

    def work() -> Generator[None, None, None]:
        try:
            while True:
                begun.set()
                yield
        finally:
            closed.set()

    calling = asyncio.create_task(off_loop(work(), SystemClock()))
    await asyncio.to_thread(begun.wait, HANG)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling

    assert await asyncio.to_thread(closed.wait, HANG)
