"""Answers that are the same for all who ask: made once, encoded once, and kept for a second or as their cost asks."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec

from mainspring.clock import Clock

AGE_MAX = 1.0
KEPT_MAX = 1000
"""Answers kept at most; namespaces are few, and a caller who invents more of them is refused before."""
# Its parameters are the callers', who could ask for a thousand large ones.
SIZE_MAX = 65_536
"""Bytes of an answer that is kept by its cost."""
QUICK = 0.05
"""Seconds: an answer that is made sooner is made anew for each caller."""
KEEP, STALE = 20, 120
"""How many times as long as it took a costly answer is kept, and may be given while the next one is made."""

_encode = msgspec.json.Encoder().encode


class KeptAnswer(msgspec.Struct, frozen=True):
    begun: float
    took: float
    content: bytes


class SharedAnswers:
    """The latest answer of each key, and those under way."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._made: dict[str, KeptAnswer] = {}
        self._under_way: dict[str, asyncio.Task[KeptAnswer]] = {}
        self._renewing: set[asyncio.Task[bytes]] = set()

    async def get(self, key: str, make: Callable[[], Awaitable[msgspec.Struct]]) -> bytes:
        """The answer of that key as JSON, at most a second old; callers that come while it is made wait for the same one."""
        if (known := self._made.get(key)) is not None and 0 <= self._age(known) < AGE_MAX:
            return known.content
        made = await self._next(key, make)
        self._keep(key, made)
        return made.content

    async def get_costly(self, key: str, make: Callable[[], Awaitable[msgspec.Struct]]) -> bytes:
        """The answer of that key as JSON; the longer it takes to make, the longer it is kept."""
        known = self._made.get(key)
        if known is not None and 0 <= self._age(known) < known.took * KEEP:
            return known.content
        task = asyncio.create_task(self._renew(key, make))
        if known is not None and 0 <= self._age(known) < known.took * STALE:
            self._renewing.add(task)
            task.add_done_callback(self._renewed)
            return known.content
        return await task

    def _age(self, known: KeptAnswer) -> float:
        return self._clock.monotonic() - known.begun

    async def _renew(self, key: str, make: Callable[[], Awaitable[msgspec.Struct]]) -> bytes:
        made = await self._next(key, make)
        if made.took > QUICK and len(made.content) <= SIZE_MAX:
            self._keep(key, made)
        else:
            self._made.pop(key, None)
        return made.content

    def _renewed(self, task: "asyncio.Task[bytes]") -> None:
        self._renewing.discard(task)
        # The caller has its answer already: the next one finds out about a failure by itself.
        with suppress(asyncio.CancelledError):
            task.exception()

    async def _next(self, key: str, make: Callable[[], Awaitable[msgspec.Struct]]) -> KeptAnswer:
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(self._make(make))
            task.add_done_callback(lambda done: self._ended(key, done))
        # A caller that goes away leaves the answer to the others.
        return await asyncio.shield(task)

    async def _make(self, make: Callable[[], Awaitable[msgspec.Struct]]) -> KeptAnswer:
        begun = self._clock.monotonic()
        content = _encode(await make())
        return KeptAnswer(begun, self._clock.monotonic() - begun, content)

    def _keep(self, key: str, made: KeptAnswer) -> None:
        if len(self._made) >= KEPT_MAX:
            self._made.clear()
        self._made[key] = made

    def _ended(self, key: str, task: "asyncio.Task[KeptAnswer]") -> None:
        self._under_way.pop(key, None)
        # Each waiting caller raises what it raised; if none waits any more it is not lost work.
        with suppress(asyncio.CancelledError):
            task.exception()
