"""Isolated handlers: child processes, each driven by a thread that waits for it.

Stopping an attempt ends its child, because the handler was interrupted at any point and may have started processes. The next
child is started at once.
"""

import functools
import threading
from collections.abc import Callable
from typing import assert_never

import msgspec

from mainspring.clock import Clock
from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Outcome
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.steps import ask_sync
from mainspring.executor.link.checkpoints import Known
from mainspring.executor.pools.child_process import Child, ChildExit
from mainspring.executor.pools.pipe import (
    Advance,
    Begin,
    Extend,
    Finished,
    FromChild,
    LoadedNote,
    LoadNote,
    LogNote,
    Ready,
    SavedNote,
    SaveNote,
    Stop,
    Waits,
    Yield,
)
from mainspring.executor.pools.threads import IDLE_MAX, ThreadPool

CLOSING_MAX = 10.0
"""Seconds that a child has to put its things in order; one without such things is gone at once."""


class ProcessPool:
    """Slots in child processes. A thread owns each child, so both come, idle and go together."""

    def __init__(
        self,
        size: PoolSize,
        *,
        app: str,
        clock: Clock,
        journal: Journal,
        ended: Callable[[Attempt], None],
        freed: Callable[[], None] = lambda: None,
        idle_max: float = IDLE_MAX,
    ) -> None:
        self.size = size
        self._app = app
        self._clock = clock
        self._journal = journal
        self._busy: dict[RunId, ChildSlot] = {}
        self._slots: set[ChildSlot] = set()
        self._threads = ThreadPool(size, slot=self._slot, ended=ended, freed=freed, idle_max=idle_max)

    @property
    def running(self) -> int:
        return len(self._busy)

    @property
    def waiting(self) -> int:
        return self._threads.waiting

    def start(self, attempts: list[Attempt]) -> None:
        self._threads.start(attempts)

    @property
    def lost(self) -> int:
        return self._threads.lost

    @property
    def strays(self) -> int:
        return self._threads.strays

    def withdraw(self) -> None:
        self._threads.withdraw()
        for slot in list(self._busy.values()):
            slot.stop()

    def interrupt(self, attempts: list[Attempt]) -> None:
        self._threads.withdraw()
        for attempt, slot in self._slots_of(attempts):
            slot.interrupt(attempt)

    def suspend(self, attempts: list[Attempt]) -> None:
        self._threads.withdraw()
        for attempt, slot in self._slots_of(attempts):
            slot.suspend(attempt)

    def abandon(self, attempts: list[Attempt]) -> None:
        self._threads.withdraw()
        for attempt, slot in self._slots_of(attempts):
            slot.kill(attempt)

    def give_up(self, attempts: list[Attempt]) -> None:
        """Kill them, and do not even wait for that: a process may be stuck in the system itself."""
        self._threads.give_up(attempts)
        self.abandon(attempts)

    def close(self) -> None:
        self._threads.close()

    def join(self, seconds: float) -> None:
        """Wait until the children of a closed pool are gone: they may have things to put in order."""
        until = self._clock.monotonic() + seconds
        for slot in tuple(self._slots):
            slot.closed.wait(max(until - self._clock.monotonic(), 0.0))

    def _slot(self) -> "ChildSlot":
        slot = ChildSlot(self._app, self._clock, self._journal, self._busy)
        self._slots.difference_update([each for each in tuple(self._slots) if each.closed.is_set()])
        self._slots.add(slot)
        return slot

    def _slots_of(self, attempts: list[Attempt]) -> "list[tuple[Attempt, ChildSlot]]":
        busy = self._busy
        return [(attempt, slot) for attempt in attempts if (slot := busy.get(attempt.run)) is not None]


class ChildSlot:
    """One child process, started with its first attempt and replaced when it dies.

    Its own thread runs attempts; another one stops them. The lock keeps a stop from hitting the attempt that comes next.
    """

    def __init__(self, app: str, clock: Clock, journal: Journal, busy: dict[RunId, "ChildSlot"]) -> None:
        self._app = app
        self._monotonic = clock.monotonic
        self._journal = journal
        self._busy = busy
        self._lock = threading.Lock()
        self._attempt: Attempt | None = None
        self._child: Child | None = None
        self.closed = threading.Event()

    def run(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._busy[attempt.run] = self
        try:
            self._converse(attempt)
        except (EOFError, OSError, msgspec.DecodeError):
            self._end_with_dead_child(attempt)
        else:
            self._part(attempt)
        if self._busy.get(attempt.run) is self:
            del self._busy[attempt.run]
        if not attempt.started:
            attempt.begin(self._monotonic())
        attempt.close(self._monotonic())

    def stop(self) -> None:
        """Pass on that the attempt should come to an end."""
        child, attempt = self._child, self._attempt
        if child is not None and attempt is not None and attempt.stopping:
            child.send_if_alive(Stop(attempt.run))

    def interrupt(self, attempt: Attempt) -> None:
        """Interrupt the handler, and ask the processes that it has started to end."""
        with self._lock:
            child = self._child
            if child is not None and self._attempt is attempt:
                child.send_if_alive(Stop(attempt.run, attempt.stops_as, attempt.stopped_for))

    def suspend(self, attempt: Attempt) -> None:
        """Pass on that it is to yield at its next checkpoint or step."""
        with self._lock:
            child = self._child
            if child is not None and self._attempt is attempt:
                child.send_if_alive(Yield(attempt.run))

    def kill(self, attempt: Attempt) -> None:
        with self._lock:
            child = self._child
            if child is not None and self._attempt is attempt:
                child.kill()

    def close(self) -> None:
        if self._child is not None:
            self._child.reap(CLOSING_MAX)
        self.closed.set()

    def _converse(self, attempt: Attempt) -> None:
        if self._child is not None and self._child.gone:
            self._child.retire()
            self._child = None
        child = self._child = self._child or Child(self._app)
        if not child.ready:
            child.await_ready()
        # Its time begins with its handler: a process may take longer to come up than the attempt has.
        attempt.begin(self._monotonic())
        if attempt.stopping:
            attempt.release()
            return
        name, raw = attempt.handler.name, attempt.input
        child.send(Begin(attempt.run, attempt.token, attempt.number, name, raw, attempt.extra))
        if attempt.suspending:
            # Requested before the child existed.
            child.send_if_alive(Yield(attempt.run))
        while self._handle(child, child.receive(), attempt):
            pass

    def _handle(self, child: Child, note: FromChild, attempt: Attempt) -> bool:
        """Handle a child's note; return whether more will follow."""
        match note:
            case LogNote(level, message):
                self._journal.log(attempt, level, message)
            case Advance(fraction, said):
                self._journal.progress(attempt, fraction, said)
            case SaveNote(number, kind, name, value):
                done = None if number is None else functools.partial(send_saved, child, number)
                self._journal.save(attempt, kind, name, value, done)
            case LoadNote(number):
                # Sent by this thread, which may block on a child that does not read.
                child.send(known_note(number, ask_sync(functools.partial(self._journal.load, attempt))))
            case Extend(seconds):
                attempt.extend(seconds)
            case Waits(job):
                attempt.note_wait(job)
            case Finished(outcome, result, failure):
                attempt.outcome, attempt.result, attempt.failure = outcome, result, failure
                attempt.kinds, attempt.after, attempt.until = note.kinds, note.after, note.until
                attempt.suspension = note.suspension
                return False
            case Ready():
                pass
            case _:
                assert_never(note)
        return True

    def _part(self, attempt: Attempt) -> None:
        """Detach an attempt that has ended; retire the child too if the attempt was stopped."""
        with self._lock:
            self._attempt = None
        child = self._child
        if child is not None and attempt.stopping and attempt.stops_as is not Outcome.RELEASED:
            self._child = None
            child.retire()
            self._replace(attempt)

    def _end_with_dead_child(self, attempt: Attempt) -> None:
        """End an attempt whose child has died, or never came to life."""
        with self._lock:
            self._attempt = None
            was_ready = self._child is not None and self._child.ready
        end = self._take_child(kill=attempt.stopping)
        if attempt.stopping:
            attempt.release()
        else:
            code = "out_of_memory" if end.out_of_memory else "child_died" if was_ready else "child_not_started"
            attempt.lose(code, f"the child process {end.description}")
        if was_ready:
            self._replace(attempt)

    def _take_child(self, *, kill: bool) -> ChildExit:
        """End the child and all that it has started; return how it ended."""
        child, self._child = self._child, None
        if child is None:
            return ChildExit("could not be started by the system")
        if kill:
            child.kill()
        return child.retire()

    def _replace(self, attempt: Attempt) -> None:
        """Start the next child now, so that it is up when it is needed; one that could not start is not tried again."""
        if attempt.given_up:
            return
        try:
            self._child = Child(self._app)
        except OSError:
            return


def send_saved(child: Child, number: int, durable: bool) -> None:  # noqa: FBT001 called back by position
    child.send_if_alive(SavedNote(number, durable))


def known_note(number: int, known: Known | None) -> LoadedNote:
    keys = list(known or ())
    values = list((known or {}).values())
    return LoadedNote(number, [kind for kind, _ in keys], [name for _, name in keys], values, stale=known is None)
