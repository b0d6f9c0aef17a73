"""Waiting for something to become true, looking often enough to measure by and seldom enough not to be in the way."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

from mainspring.clock import SystemClock

T = TypeVar("T")

LOOK_EVERY = 0.05
DEADLINE = 60.0


@overload
async def until(condition: Callable[[], Awaitable[T]], what: str, *, within: float = DEADLINE) -> T: ...


@overload
async def until(condition: Callable[[], T], what: str, *, within: float = DEADLINE) -> T: ...


async def until(condition: Callable[[], Any], what: str, *, within: float = DEADLINE) -> Any:
    """What the condition gives once that is something true; raises TimeoutError, saying what did not come."""
    clock = SystemClock()
    deadline = clock.monotonic() + within
    while True:
        found = condition()
        value = await found if inspect.isawaitable(found) else found
        if value:
            return value
        if clock.monotonic() >= deadline:
            raise TimeoutError(f"not within {within:.0f} s: {what}")
        await clock.sleep(LOOK_EVERY)
