"""Isolated handlers: child processes, each driven by a thread that waits for it."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import assert_never

from mainspring.clock import Clock
from mainspring.domain.ids import RunId
from mainspring.domain.session import PoolSize
from mainspring.executor.attempt import Attempt, Journal
from mainspring.executor.pools.pipe import Advance, Begin, Finished, FromChild, Line, Pipe, Ready, Stop, from_child
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
        child = self._child = self._child or Child(self._app)
        self._attempt = attempt
        self._busy[attempt.run] = self
        attempt.begin(self._monotonic())
        try:
            self._converse(child, attempt)
        except (EOFError, OSError):
            self._bury(child, attempt)
        finally:
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

    def _converse(self, child: "Child", attempt: Attempt) -> None:
        if not child.ready:
            child.await_ready()
            attempt.begin(self._monotonic())
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

    def _bury(self, child: "Child", attempt: Attempt) -> None:
        code = child.bury()
        # One that never came up would not come up now either: the next attempt tries again.
        self._child = Child(self._app) if child.ready else None
        if attempt.stopping:
            attempt.release()
        else:
            attempt.lose("child_died" if child.ready else "child_not_started", f"the child process {_describe(code)}")


class Child:
    """A process that runs the app's handlers one at a time."""

    def __init__(self, app: str) -> None:
        ours, theirs = socket.socketpair()
        path = os.pathsep.join(part for part in sys.path if part)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 our own interpreter and module
                [sys.executable, "-m", "mainspring.executor.child", app, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
        self._pipe: Pipe[FromChild] = Pipe(ours, from_child)
        self._poll = select.poll()
        self._poll.register(self._pipe.fileno(), select.POLLIN)
        self._death = _watch_death(self._process.pid)
        if self._death is not None:
            self._poll.register(self._death, select.POLLIN)
        self.ready = False

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, note: Begin | Stop) -> None:
        self._pipe.send(note)

    def tell(self, note: Stop) -> None:
        """Send what the child may well miss."""
        try:
            self._pipe.send(note)
        except OSError:
            return

    def await_ready(self) -> None:
        self.receive()
        self.ready = True

    def receive(self) -> FromChild:
        # A grandchild may keep the pipe open, so the death of the child is watched by itself.
        found = dict(self._poll.poll())
        if self._pipe.fileno() not in found:
            raise EOFError
        return self._pipe.receive()

    def kill(self) -> None:
        self._process.kill()

    def bury(self) -> int:
        """End the child if it still lives; its exit code, negative for a signal."""
        died = self._process.poll() is not None or self._died_by_itself()
        if not died:
            self._process.kill()
        code = self._process.wait()
        self._pipe.close()
        if self._death is not None:
            os.close(self._death)
        return code

    def _died_by_itself(self) -> bool:
        """The pipe closes a moment before the process is gone; its own exit code says more than our kill."""
        try:
            self._process.wait(timeout=0.2 if self.ready else 0.01)
        except subprocess.TimeoutExpired:
            return False
        return True


def _watch_death(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _describe(code: int) -> str:
    if code >= 0:
        return f"ended by itself with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}" + (" (out of memory?)" if -code == signal.SIGKILL else "")
