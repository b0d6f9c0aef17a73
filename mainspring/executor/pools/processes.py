"""Isolated handlers: child processes, each driven by a thread that waits for it."""

from collections.abc import Callable
from typing import assert_never

import msgspec

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.domain.session import PoolSize
from mainspring.executor.attempt import Attempt, Journal
from mainspring.executor.pools.offspring import Child
from mainspring.executor.pools.pipe import Advance, Begin, Finished, FromChild, Line, Ready, Stop
from mainspring.executor.pools.threads import IDLE_MAX, ThreadPool


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
        idle_max: float = IDLE_MAX,
    ) -> None:
        self.size = size
        self._app = app
        self._clock = clock
        self._journal = journal
        self._busy: dict[RunId, ChildSlot] = {}
        self._threads = ThreadPool(size, slot=self._slot, ended=ended, idle_max=idle_max)

    @property
    def running(self) -> int:
        return len(self._busy)

    @property
    def waiting(self) -> int:
        return self._threads.waiting

    def start(self, attempts: list[Attempt]) -> None:
        self._threads.start(attempts)

    def withdraw(self) -> None:
        self._threads.withdraw()
        for slot in list(self._busy.values()):
            slot.stop()

    def abandon(self, attempts: list[Attempt]) -> None:
        self._threads.withdraw()
        for attempt in attempts:
            slot = self._busy.get(attempt.run)
            if slot is not None:
                slot.kill(attempt)

    def close(self) -> None:
        self._threads.close()

    def _slot(self) -> "ChildSlot":
        return ChildSlot(self._app, self._clock, self._journal, self._busy)


class ChildSlot:
    """One child process, started with its first attempt and replaced when it dies."""

    def __init__(self, app: str, clock: Clock, journal: Journal, busy: dict[RunId, "ChildSlot"]) -> None:
        self._app = app
        self._monotonic = clock.monotonic
        self._journal = journal
        self._busy = busy
        self._attempt: Attempt | None = None
        self._child: Child | None = None

    def run(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._busy[attempt.run] = self
        attempt.begin(self._monotonic())
        try:
            self._converse(attempt)
        except (EOFError, OSError, msgspec.DecodeError):
            self._bury(attempt)
        self._attempt = None
        del self._busy[attempt.run]
        attempt.close(self._monotonic())

    def stop(self) -> None:
        """Pass on that the attempt should come to an end."""
        child, attempt = self._child, self._attempt
        if child is not None and attempt is not None and attempt.stopping:
            child.tell(Stop())

    def kill(self, attempt: Attempt) -> None:
        child = self._child
        if child is not None and self._attempt is attempt:
            child.kill()

    def close(self) -> None:
        if self._child is not None:
            self._child.bury()

    def _converse(self, attempt: Attempt) -> None:
        if self._child is not None and self._child.gone:
            self._child.bury()
            self._child = None
        child = self._child = self._child or Child(self._app)
        if not child.ready:
            child.await_ready()
            attempt.begin(self._monotonic())
        if attempt.stopping:
            attempt.release()
            return
        child.send(Begin(attempt.run, attempt.token, attempt.number, attempt.handler.name, attempt.input))
        while self._hear(child.receive(), attempt):
            pass

    def _hear(self, note: FromChild, attempt: Attempt) -> bool:
        """Take in what the child says; say whether there is more to come."""
        match note:
            case Line(level, message):
                self._journal.log(attempt, level, message)
            case Advance(fraction, said):
                self._journal.progress(attempt, fraction, said)
            case Finished(outcome, result, failure):
                attempt.outcome, attempt.result, attempt.failure = outcome, result, failure
                return False
            case Ready():
                pass
            case _:
                assert_never(note)
        return True

    def _bury(self, attempt: Attempt) -> None:
        child, self._child = self._child, None
        story = child.bury() if child is not None else "could not be started by the system"
        was_ready = child is not None and child.ready
        if attempt.stopping:
            attempt.release()
        else:
            attempt.lose("child_died" if was_ready else "child_not_started", f"the child process {story}")
        if was_ready:
            self._replace()

    def _replace(self) -> None:
        """Start the next child now, so that it is up when it is needed; one that could not start is not tried again."""
        try:
            self._child = Child(self._app)
        except OSError:
            return
