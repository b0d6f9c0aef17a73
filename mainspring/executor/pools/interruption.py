"""How a child process stops the handler that it runs: by raising `CancelledError` in it, so that it can clean up."""

import asyncio
import functools
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

SIGNAL = signal.SIGTERM


class Interruption:
    """Of one attempt, at most once. Only `ask` is called from another thread than the main one."""

    def __init__(self) -> None:
        self._asked = False
        self._armed = False
        self._cancel: Callable[[], object] | None = None
        """How an async handler is cancelled, once it runs."""

    def ask(self) -> None:
        """Interrupt the handler, also in a blocking call, and the processes that it has started."""
        # Noted before anything is looked at, as `call` and `run` look at it after they can be seen: one of both acts.
        self._asked = True
        if self._cancel is not None:
            self._cancel()
        # To the whole group, which a child leads: the signal comes to its own main thread as well.
        os.kill(-os.getpid() if os.getpgrp() == os.getpid() else os.getpid(), SIGNAL)

    def heard(self) -> None:
        """Raise in the handler, if this signal was requested and the handler is running."""
        if self._asked and self._armed:
            self._armed = False
            raise asyncio.CancelledError

    def call(self, function: Callable[..., Any], *values: Any) -> Any:
        """Call a plain handler."""
        self._armed = True
        try:
            self.heard()
            return function(*values)
        finally:
            self._armed = False

    async def run(self, awaited: Awaitable[Any]) -> Any:
        """Await an async handler."""
        loop, mine = asyncio.get_running_loop(), asyncio.current_task()
        assert mine is not None
        self._cancel = functools.partial(loop.call_soon_threadsafe, mine.cancel)
        if self._asked:
            mine.cancel()
        return await awaited
