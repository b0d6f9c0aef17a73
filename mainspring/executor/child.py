"""A child process: `python -m mainspring.executor.child module:app FD` runs handlers one at a time for its parent."""

import asyncio
import contextvars
import ctypes
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import msgspec

from mainspring.clock import Clock, SystemClock
from mainspring.domain.job import Pool
from mainspring.executor.attempt import Attempt, Journal
from mainspring.executor.handlers import Handler, Handlers, is_async
from mainspring.executor.loading import load_handlers
from mainspring.executor.logs import RunLog
from mainspring.executor.pools.pipe import Advance, Begin, Finished, Line, Pipe, Ready, ToChild, to_child
from mainspring.executor.pools.threads import ThreadSlot

PR_SET_PDEATHSIG = 1


class PipeJournal:
    """Lines and progress go to the parent, which knows how much the server can take."""

    def __init__(self, pipe: Pipe[ToChild]) -> None:
        self._pipe = pipe

    def log(self, _attempt: Attempt, level: int, message: str) -> None:
        self._pipe.send(Line(level, message))

    def progress(self, _attempt: Attempt, fraction: float, note: str) -> None:
        self._pipe.send(Advance(fraction, note))


class ChildHandler(msgspec.Struct, frozen=True):
    """A handler as a child calls it: to its end, also when it is async."""

    name: str
    pool: Pool
    call: Callable[..., Any]
    bind: Callable[[Attempt, Journal], tuple[Any, ...]]


class ChildLoop:
    """Takes attempts in the main thread; a second thread reads the pipe, so that a stop is heard at any time."""

    def __init__(self, pipe: Pipe[ToChild], handlers: Handlers, clock: Clock) -> None:
        self._pipe = pipe
        self._handlers = handlers
        self._clock = clock
        self._begins: SimpleQueue[Begin] = SimpleQueue()
        self._attempt: Attempt | None = None
        self._asyncio = asyncio.Runner()

    def serve(self) -> None:
        journal = PipeJournal(self._pipe)
        logging.getLogger().addHandler(RunLog(journal))
        threading.Thread(target=self._listen, name="mainspring-pipe", daemon=True).start()
        slot = ThreadSlot(self._clock, journal)
        self._pipe.send(Ready())
        while True:
            attempt = self._attempt = self._admit(self._begins.get())
            slot.run(attempt)
            self._attempt = None
            self._pipe.send(Finished(attempt.outcome, attempt.result, attempt.failure, attempt.duration))

    def _listen(self) -> None:
        try:
            while True:
                note = self._pipe.receive()
                if isinstance(note, Begin):
                    self._begins.put(note)
                elif self._attempt is not None:
                    self._attempt.stopping = True
        except (EOFError, OSError):
            # The parent is gone, or wants this child gone; the handler may be in the middle of anything.
            os._exit(0)

    def _admit(self, begin: Begin) -> Attempt:
        handler = self._handlers.get(begin.handler)
        if handler is None:
            raise SystemExit(f"this app has no handler {begin.handler!r}: it differs from the executor's")
        now = self._clock.monotonic()
        return Attempt(begin.run, begin.token, begin.number, begin.input, self._callee(handler), now)

    def _callee(self, handler: Handler) -> ChildHandler:
        return ChildHandler(handler.name, handler.pool, self._call(handler), handler.bind)

    def _call(self, handler: Handler) -> Callable[..., Any]:
        if not is_async(handler.function):
            return handler.call
        return lambda *values: self._asyncio.run(handler.call(*values), context=contextvars.copy_context())


def main() -> None:
    app, descriptor = sys.argv[1], int(sys.argv[2])
    os.set_inheritable(descriptor, False)  # noqa: FBT003 not our signature
    _die_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM):
        # A terminal or a service manager signals the whole group; when to end is the parent's to say.
        signal.signal(number, lambda _number, _frame: None)
    pipe = Pipe(socket.socket(fileno=descriptor), to_child)
    ChildLoop(pipe, load_handlers(app), SystemClock()).serve()


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main()
