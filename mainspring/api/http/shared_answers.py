"""Answers that are the same for all who ask within a second: made once, encoded once."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec

from mainspring.clock import Clock

AGE_MAX = 1.0
KEPT_MAX = 1000
"""Answers kept at most; namespaces are few, and a caller who invents more of them is refused before."""

_encode = msgspec.json.Encoder().encode


class SharedAnswers:
    """The latest answer of each key, and those under way."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._made: dict[str, tuple[float, bytes]] = {}
        self._under_way: dict[str, asyncio.Task[bytes]] = {}

    async def get(self, key: str, make: Callable[[], Awaitable[msgspec.Struct]]) -> bytes:
        """The answer of that key as JSON, at most a second old; callers that come while it is made wait for the same one."""
        known = self._made.get(key)
        if known is not None and 0 <= self._clock.monotonic() - known[0] < AGE_MAX:
            return known[1]
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(self._make(key, make))
            task.add_done_callback(lambda done: self._ended(key, done))
        # A caller that goes away leaves the answer to the others.
        return await asyncio.shield(task)

    async def _make(self, key: str, make: Callable[[], Awaitable[msgspec.Struct]]) -> bytes:
        begun = self._clock.monotonic()
        made = _encode(await make())
        if len(self._made) >= KEPT_MAX:
            self._made.clear()
        self._made[key] = (begun, made)
        return made

    def _ended(self, key: str, task: "asyncio.Task[bytes]") -> None:
        self._under_way.pop(key, None)
        # Each waiting caller raises what it raised; if none waits any more it is not lost work.
        with suppress(asyncio.CancelledError):
            task.exception()
