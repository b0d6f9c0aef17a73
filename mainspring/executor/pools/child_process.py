"""A child process as its parent sees it."""

import os
import select
import signal
import socket
import subprocess
import sys

import msgspec

from mainspring.executor.pools.oom import memory_kills
from mainspring.executor.pools.pipe import FromChild, Pipe, ToChild, from_child

READY_MAX = 60.0
"""Seconds that a child has to import the app and enter its lifespans."""
PATIENCE = 0.2
GATHER = 0.002


class Child:
    """A process that runs the app's handlers one at a time."""

    def __init__(self, app: str) -> None:
        ours, theirs = socket.socketpair()
        path = os.pathsep.join(part for part in sys.path if part)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 our own interpreter and module
                [sys.executable, "-m", "mainspring.executor.process.child", app, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
                # So that whatever the handler starts can be ended with it.
                process_group=0,
            )
        self._pipe: Pipe[FromChild] = Pipe(ours, from_child)
        self._poll = select.poll()
        self._poll.register(self._pipe.fileno(), select.POLLIN)
        self._death = _watch_death(self._process.pid)
        if self._death is not None:
            self._poll.register(self._death, select.POLLIN)
        self.ready = False
        self._memory_kills = memory_kills()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def gone(self) -> bool:
        # Not waited for where it can be told otherwise: its number, which is the group's, must not be another's yet.
        return self._process.poll() is not None if self._death is None else self._has_died(0.0)

    def send(self, note: ToChild) -> None:
        self._pipe.send(note)

    def send_if_alive(self, note: ToChild) -> None:
        """Send a note that the child may miss."""
        try:
            self._pipe.send(note)
        except OSError:
            return

    def await_ready(self) -> None:
        if not self._poll.poll(READY_MAX * 1000):
            raise EOFError
        self.receive()
        self.ready = True

    def receive(self, within: float | None = None) -> FromChild | None:
        """The next note, or None if there is none `within` so many seconds; EOFError when the child is gone."""
        while (note := self._pipe.buffered()) is None:
            # A grandchild may keep the pipe open, so the death of the child is watched by itself.
            found = dict(self._poll.poll(None if within is None else within * 1000))
            if not found:
                return None
            if self._pipe.fileno() not in found:
                raise EOFError
            self._pipe.fill()
        return note

    def gather(self) -> None:
        """Let outcomes come together for a moment, so that they are read at once."""
        select.select([] if self._death is None else [self._death], [], [], GATHER)

    def kill(self) -> None:
        """End the child and everything that its handlers have started."""
        # Once it has been waited for, its number may be another's.
        if self._process.returncode is not None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def retire(self, patience: float = PATIENCE) -> "ChildExit":
        """Let the child end by itself if it still lives, then kill all processes that its handlers left running."""
        self._pipe.close()
        self._has_died(patience)
        # Before it is waited for: until then its number, which is the group's, is nobody else's.
        self.kill()
        return self.reap()

    def reap(self, patience: float = PATIENCE) -> "ChildExit":
        """End the child if it still lives, and return how it ended."""
        self._pipe.close()
        try:
            # It ends by itself once its pipe is closed, if it is not gone already; its own exit code says most.
            code = self._process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.wait()
        if self._death is not None:
            os.close(self._death)
        return describe(code, self._memory_kills, memory_kills())

    def _has_died(self, patience: float) -> bool:
        """Whether it dies within `patience` seconds, without reaping it."""
        if self._death is None:
            return False
        watch = select.poll()
        watch.register(self._death, select.POLLIN)
        return bool(watch.poll(patience * 1000))


def _watch_death(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


class ChildExit(msgspec.Struct, frozen=True):
    """How a process ended."""

    description: str
    """In words that follow `the child process`."""
    out_of_memory: bool = False


def describe(code: int, kills_before: int | None, kills: int | None) -> ChildExit:
    """An exit code in words; whether memory was short is known if its kernel counts that."""
    if code >= 0:
        return ChildExit(f"ended by itself with exit code {code}")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if -code != signal.SIGKILL:
        return ChildExit(f"was killed by {name}")
    if kills_before is None or kills is None:
        return ChildExit(f"was killed by {name} (out of memory?)")
    if kills > kills_before:
        return ChildExit(f"was killed by {name}: it had used up the memory of its control group", out_of_memory=True)
    return ChildExit(f"was killed by {name}, and not for want of memory")
