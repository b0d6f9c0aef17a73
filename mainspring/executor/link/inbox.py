"""Carries things from any thread to one loop, with one wake for a whole batch."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """An inbox of one loop, filled from any thread."""

    # Unbounded here: the credit of the senders bounds it.

    def __init__(self, loop: asyncio.AbstractEventLoop, receive: Callable[[list[T]], None]) -> None:
        self._loop = loop
        self._receive = receive
        self._items: deque[T] = deque()
        self._woken = False

    def put(self, item: T) -> None:
        self._items.append(item)
        if not self._woken:
            self._wake()

    def put_all(self, items: Iterable[T]) -> None:
        self._items.extend(items)
        if not self._woken:
            self._wake()

    def poke(self) -> None:
        """Wake the loop with nothing in hand."""
        if not self._woken:
            self._wake()

    def _wake(self) -> None:
        self._woken = True
        try:
            self._loop.call_soon_threadsafe(self._deliver)
        except RuntimeError:
            # The loop is closed: the executor is gone, and with it every reader.
            self._items.clear()

    def _deliver(self) -> None:
        # Lowered before the items are counted: what is added later wakes again, what was added earlier is counted.
        self._woken = False
        take = self._items.popleft
        items = [take() for _ in range(len(self._items))]
        self._receive(items)
