"""A child process: `python -m mainspring.executor.process.child module:app FD` runs handlers one at a time for its parent."""

import asyncio
import contextlib
import contextvars
import ctypes
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, assert_never

import msgspec

from mainspring.clock import Clock, SystemClock
from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.checkpoints import MemoryKind
from mainspring.errors import MainspringError
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.trace_runs import trace_sampled
from mainspring.executor.breakers.guard import Admission
from mainspring.executor.breakers.guards import Admitted, CallEnd
from mainspring.executor.handlers.handler import Handler, is_async
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.checkpoints import Done, Loaded
from mainspring.executor.link.lease import Lease
from mainspring.executor.link.logs import RunLog
from mainspring.executor.pools.interruption import SIGNAL, Interruption
from mainspring.executor.pools.pending_requests import PendingRequests
from mainspring.executor.pools.pipe import (
    AdmittedNote,
    AskBack,
    BeginNote,
    CalledNote,
    Extend,
    Finished,
    HandedBack,
    LoadedNote,
    LogNote,
    Pipe,
    ProgressNote,
    Ready,
    SavedNote,
    SentAttempt,
    Stop,
    ToChild,
    Waits,
    Yield,
    to_child,
)
from mainspring.executor.pools.thread_slot import ThreadSlot
from mainspring.executor.process.lifespan import IN_CHILD, Lifetime
from mainspring.executor.process.loading import load_handlers
from mainspring.settings.concealing import conceal
from mainspring.telemetry.start import start_tracing
from mainspring.telemetry.switch import Tracing

PR_SET_PDEATHSIG = 1


class PipeJournal:
    """Lines and progress go to the parent, which knows how much the server can take."""

    def __init__(self, pipe: Pipe[ToChild]) -> None:
        self._pipe = pipe
        self.requests = PendingRequests(pipe)

    def log(self, _attempt: Attempt, level: int, message: str) -> None:
        self._pipe.send(LogNote(level, message))

    def progress(self, _attempt: Attempt, fraction: float, note: str) -> None:
        self._pipe.send(ProgressNote(fraction, note))

    def save(self, _attempt: Attempt, kind: MemoryKind, name: str, value: bytes | None, done: Done | None) -> None:
        self.requests.keep(kind, name, value, done)

    def load(self, _attempt: Attempt, loaded: Loaded) -> None:
        self.requests.ask(loaded)

    def extend(self, _attempt: Attempt, seconds: float) -> None:
        self._pipe.send(Extend(seconds))

    def admit(self, _attempt: Attempt, _breaker: str) -> None:
        """The parent knows."""

    def await_admission(self, _attempt: Attempt, breaker: str, wait: float, admitted: Admitted) -> None:
        self.requests.admit(breaker, wait, admitted)

    def called(self, _attempt: Attempt, end: CallEnd) -> None:
        self._pipe.send(CalledNote(end))

    def breaker_state(self, _attempt: Attempt, breaker: str) -> BreakerState:
        """Ask the parent, which answers at once."""
        answers: SimpleQueue[Admission] = SimpleQueue()
        self.requests.admit(breaker, -1.0, answers.put)
        return answers.get().state

    def stopper(self, _attempt: Attempt) -> None: ...


class ChildHandler(msgspec.Struct, frozen=True):
    """A handler as a child calls it: to its end, also when it is async."""

    name: str
    pool: Pool
    call: Callable[..., Any]
    bind: Callable[[Attempt, Journal], tuple[Any, ...]]
    spanned: "ChildHandler | None" = None


class ChildLoop:
    """Runs attempts in the main thread; a second thread reads the pipe, so that a stop arrives at any time."""

    def __init__(self, pipe: Pipe[ToChild], handlers: Handlers, clock: Clock) -> None:
        self._pipe = pipe
        self._clock = clock
        self._begins: SimpleQueue[SentAttempt | None] = SimpleQueue()
        self._lifetime = Lifetime(handlers, IN_CHILD)
        self._handlers = self._lifetime.handlers
        self._callees: dict[str, ChildHandler] = {}
        self._lock = threading.Lock()
        """Keeps a stop of one attempt from the next."""
        self._attempt: Attempt | None = None
        self._lease = Lease()
        """The parent's, as it was when it last sent attempts."""
        self._interruption = Interruption()
        self._stops: dict[RunId, Stop] = {}
        self._yields: set[RunId] = set()
        self._journal = PipeJournal(pipe)
        self._asyncio = asyncio.Runner()

    def serve(self) -> None:
        journal = self._journal
        logging.getLogger().addHandler(RunLog(journal))
        threading.Thread(target=self._listen, name="mainspring-pipe", daemon=True).start()
        slot = ThreadSlot(self._clock, journal, self._lease)
        self._open()
        self._pipe.send(Ready())
        while (begin := self._begins.get()) is not None:
            attempt = self._admit(begin)
            with self._lock:
                self._attempt, self._interruption = attempt, Interruption()
                self._apply_requests(attempt)
            slot.run(attempt)
            with self._lock:
                self._attempt = None
                self._stops.clear()
                self._yields.clear()
            # Sent before the next one begins: the parent concludes from it which one this child may have died of.
            self._pipe.send(report(attempt))
        self._asyncio.run(self._lifetime.close())

    def _open(self) -> None:
        if not self._lifetime.is_needed:
            return
        try:
            self._asyncio.run(self._lifetime.open())
        except MainspringError as error:
            raise SystemExit(f"mainspring: a child process cannot start: {error}") from None

    def _listen(self) -> None:
        try:
            while True:
                note = self._pipe.receive()
                self._receive(note)
        except (EOFError, OSError):
            # The parent is gone, or wants this child gone; the handler may be in the middle of anything.
            if self._attempt is not None or not self._lifetime.is_needed:
                os._exit(0)
            self._begins.put(None)

    def _receive(self, note: ToChild) -> None:
        match note:
            case BeginNote(attempts, ends):
                self._lease.ends = ends
                for sent in attempts:
                    self._begins.put(sent)
            case AskBack():
                self._pipe.send(HandedBack([begin.run for begin in self._take_unbegun()]))
            case SavedNote():
                self._journal.requests.kept(note)
            case AdmittedNote():
                self._journal.requests.admitted(note)
            case LoadedNote():
                self._journal.requests.known(note)
            case Yield():
                self._yields.add(note.run)
            case Stop():
                self._stops[note.run] = note
            case _:
                assert_never(note)
        with self._lock:
            if self._attempt is not None:
                self._apply_requests(self._attempt)

    def _take_unbegun(self) -> list[SentAttempt]:
        unbegun: list[SentAttempt] = []
        while True:
            try:
                begin = self._begins.get_nowait()
            except Empty:
                return unbegun
            if begin is not None:
                unbegun.append(begin)

    def _apply_requests(self, attempt: Attempt) -> None:
        """Stop the attempt, or have it yield, if the parent asked for that; called by either thread, with the lock."""
        if attempt.run in self._yields:
            attempt.suspending = True
        stop = self._stops.pop(attempt.run, None)
        if stop is None:
            return
        if stop.outcome is None:
            attempt.stopping = True
            return
        attempt.stop(stop.outcome, stop.failure)
        attempt.interrupted = True
        self._interruption.ask()

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        # A service manager signals every process; the child ends when its parent says so through the pipe.
        self._interruption.heard()

    def _admit(self, begin: SentAttempt) -> Attempt:
        callee = self._callees.get(begin.handler) or self._callee(begin.handler)
        now = self._clock.monotonic()
        attempt = Attempt(begin.run, begin.token, begin.number, begin.input, callee, now, begin.extra)
        attempt.on_wait = self._note_wait
        if Tracing.is_on:
            trace_sampled([attempt])
        return attempt

    def _note_wait(self, _attempt: Attempt, job: str) -> None:
        self._pipe.send(Waits(job))

    def _callee(self, name: str) -> ChildHandler:
        handler = self._handlers.get(name)
        if handler is None:
            raise SystemExit(f"this app has no handler {name!r}: it differs from the executor's")
        spanned = None if handler.spanned is None else self._called(handler.spanned)
        callee = self._callees[name] = self._called(handler, spanned)
        return callee

    def _called(self, handler: Handler, spanned: ChildHandler | None = None) -> ChildHandler:
        return ChildHandler(handler.name, handler.pool, self._call(handler), handler.bind, spanned)

    def _call(self, handler: Handler) -> Callable[..., Any]:
        if not is_async(handler.function):
            return lambda *values: self._interruption.call(handler.call, *values)
        return lambda *values: self._asyncio.run(
            self._interruption.run(handler.call(*values)), context=contextvars.copy_context()
        )


def report(attempt: Attempt) -> Finished:
    return Finished(
        attempt.outcome,
        attempt.result,
        attempt.failure,
        attempt.duration,
        attempt.kinds,
        attempt.after,
        attempt.until,
        attempt.suspension,
        attempt.interrupted,
        attempt.breaker,
        attempt.epoch,
    )


def main() -> None:
    app, descriptor = sys.argv[1], int(sys.argv[2])
    conceal()
    os.set_inheritable(descriptor, False)  # noqa: FBT003 not our signature
    _die_with_parent()
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    signal.signal(SIGNAL, lambda _number, _frame: None)
    pipe = Pipe(socket.socket(fileno=descriptor), to_child)
    start_tracing("mainspring-executor")
    loop = ChildLoop(pipe, load_handlers(app), SystemClock())
    signal.signal(SIGNAL, loop.interrupt)
    # The parent may be gone, or not need this child any more.
    with contextlib.suppress(BrokenPipeError):
        loop.serve()


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main()
