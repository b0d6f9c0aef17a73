"""Plain functions: threads of our own, fed from one queue that they share."""

import threading
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Protocol

import msgspec

from mainspring.clock import Clock
from mainspring.domain.cluster.session import PoolSize
from mainspring.executor.attempts.attempt import Attempt, Journal, current

IDLE_MAX = 30.0
"""Seconds that a thread above the core waits for something to do before it ends."""


class Slot(Protocol):
    """Where one thread runs its attempts, one at a time."""

    def next(self, queue: deque[Attempt], /) -> Attempt:
        """The attempt to run next; IndexError if there is none."""

    def run(self, attempt: Attempt) -> None:
        """Run it to its end and write the outcome into it; one that is stopping is released instead."""

    def close(self) -> None: ...


class ThreadSlot:
    """The handler runs in the thread itself."""

    def __init__(self, clock: Clock, journal: Journal) -> None:
        self._monotonic = clock.monotonic
        self._journal = journal

    def next(self, queue: deque[Attempt], /) -> Attempt:
        return queue.popleft()

    def run(self, attempt: Attempt) -> None:
        if attempt.stopping:
            attempt.release()
            return
        # In a context of its own: what a handler leaves in context variables is not for the next one on this thread.
        copy_context().run(self._run, attempt)

    def _run(self, attempt: Attempt) -> None:
        current.set(attempt)
        attempt.begin(self._monotonic())
        try:
            values = attempt.handler.bind(attempt, self._journal)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            attempt.refuse(error)
        else:
            try:
                attempt.succeed(attempt.handler.call(*values))
            except GeneratorExit:
                raise
            except BaseException as error:  # noqa: BLE001 a handler may raise anything, SystemExit included
                attempt.fail_by(error)
        attempt.close(self._monotonic())

    def close(self) -> None:
        pass


class ThreadPool:
    """Threads that share one queue; busy ones take the next attempt without being woken.

    Short handlers finish a whole queue on one thread before a second one has the interpreter's lock; long ones give
    that lock up, so the thread woken beside them goes on with the rest. Hence only one wake is under way at a time:
    each thread that comes up wakes the next while there is something to do.

    A thread whose attempt was given up is a stray: it is not counted any more, another takes its place, and it ends with its
    handler. There are at most as many strays as slots; further ones keep their slots.
    """

    def __init__(
        self,
        size: PoolSize,
        *,
        slot: Callable[[], Slot],
        ended: Callable[[Attempt], None],
        freed: Callable[[], None] = lambda: None,
        idle_max: float = IDLE_MAX,
    ) -> None:
        self.size = size
        self._slot = slot
        self._ended = ended
        self._freed = freed
        """Called when a stray ends and frees room."""
        self._idle_max = idle_max
        self._queue: deque[Attempt] = deque()
        self._wakes: SimpleQueue[None] = SimpleQueue()
        self._lock = threading.Lock()
        self._busy: dict[int, Attempt] = {}
        """Running attempts by identity."""
        # Its thread and `give_up` both pop it: the one that finds it there reports its end.
        self._strays = 0
        self._threads = 0
        self._idle = 0
        self._rousing = False
        self._closed = False

    @property
    def threads(self) -> int:
        return self._threads

    @property
    def running(self) -> int:
        return self._threads - self._idle

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def share(self) -> int:
        """How many of the waiting attempts one slot may take at once, so that some are left for the others."""
        return len(self._queue) // self.size.max

    @property
    def lost(self) -> int:
        return max(self._strays - self.size.max, 0)

    @property
    def strays(self) -> int:
        return self._strays

    def start(self, attempts: list[Attempt]) -> None:
        self._queue.extend(attempts)
        if not self._rousing:
            self._rouse()

    def withdraw(self) -> None:
        kept = []
        while (attempt := self._next()) is not None:
            if not attempt.stopping:
                kept.append(attempt)
                continue
            attempt.release()
            self._ended(attempt)
        self._queue.extend(kept)
        if kept:
            # Threads that found nothing in between have gone to rest.
            self._rouse()

    def interrupt(self, attempts: list[Attempt]) -> None:
        """Nothing can interrupt a thread; the handler sees `should_stop`, and a wait in it for another run ends."""
        for attempt in attempts:
            attempt.interrupted = True
        self._withdraw_unbegun(attempts)

    def suspend(self, attempts: list[Attempt]) -> None:
        """Handlers look for themselves."""
        self._withdraw_unbegun(attempts)

    def abandon(self, attempts: list[Attempt]) -> None:
        self.interrupt(attempts)

    def give_up(self, attempts: list[Attempt]) -> None:
        strays = sum(self._busy.pop(id(attempt), None) is not None for attempt in attempts)
        with self._lock:
            free = max(min(strays, self.size.max - self._strays), 0)
            self._strays += strays
            self._threads -= free
        if self._queue:
            self._rouse()

    def put_back(self, attempts: list[Attempt]) -> None:
        """Take in again, before all others, attempts that a slot had taken and not begun."""
        self._queue.extendleft(reversed(attempts))
        # Looked at once they are in the queue: a later stop finds them there.
        if any(attempt.stopping for attempt in attempts):
            self.withdraw()
        else:
            self._rouse()

    def close(self) -> None:
        self._closed = True
        with self._lock:
            for _ in range(self._threads):
                self._wakes.put(None)

    def _withdraw_unbegun(self, attempts: list[Attempt]) -> None:
        if not all(attempt.started for attempt in attempts):
            self.withdraw()

    def _rouse(self) -> None:
        """Wake or start one more thread for the queue, if the pool may have one."""
        with self._lock:
            if self._rousing or self._closed:
                return
            if self._idle:
                self._idle -= 1
                self._rousing = True
                self._wakes.put(None)
                return
            if self._threads >= self.size.max:
                return
            self._threads += 1
            self._rousing = True
        threading.Thread(target=self._serve, name=f"mainspring-{self.size.pool}", daemon=True).start()

    def _serve(self) -> None:
        slot = self._slot()
        self._rousing = False
        queue, take, run, ended, busy = self._queue, slot.next, slot.run, self._ended, self._busy
        while True:
            try:
                attempt = take(queue)
            except IndexError:
                if self._rest():
                    continue
                break
            if queue and not self._rousing and (self._idle or self._threads < self.size.max):
                self._rouse()
            busy[id(attempt)] = attempt
            run(attempt)
            if busy.pop(id(attempt), None) is None:
                self._come_home()
                break
            ended(attempt)
        slot.close()

    def _rest(self) -> bool:
        """Wait for a wake; return whether to go on."""
        with self._lock:
            self._idle += 1
        # Looked at again once counted as idle: a caller that filled the queue before that woke no thread.
        if self._queue and self._unrest():
            return True
        while not self._woken():
            if self._retire():
                return False
        self._rousing = False
        return not self._closed or self._leave()

    def _woken(self) -> bool:
        try:
            self._wakes.get(timeout=None if self._threads <= self.size.core else self._idle_max)
        except Empty:
            return False
        return True

    def _unrest(self) -> bool:
        """Stop being idle, unless a wake is on its way already."""
        with self._lock:
            if self._idle == 0:
                return False
            self._idle -= 1
            return True

    def _retire(self) -> bool:
        """End this thread if it is above the core and was not just woken."""
        with self._lock:
            if self._idle == 0 or self._threads <= self.size.core:
                return False
            self._idle -= 1
            self._threads -= 1
            return True

    def _come_home(self) -> None:
        """End a stray, and free the slot that it kept, if any."""
        with self._lock:
            if self._strays > self.size.max:
                self._threads -= 1
            self._strays -= 1
        if self._queue:
            self._rouse()
        self._freed()

    def _leave(self) -> bool:
        with self._lock:
            self._threads -= 1
        return False

    def _next(self) -> Attempt | None:
        try:
            return self._queue.popleft()
        except IndexError:
            return None
