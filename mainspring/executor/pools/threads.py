"""Plain functions: threads of our own, fed from one queue that they share."""

import threading
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Protocol

from mainspring.domain.cluster.session import PoolSize
from mainspring.executor.attempts.attempt import Attempt

IDLE_MAX = 30.0
"""Seconds that a thread above the core waits for something to do before it ends."""


class Slot(Protocol):
    """Where one thread runs its attempts, one at a time."""

    @property
    def waiting(self) -> int:
        """Attempts that it has at hand and that no other slot can take."""

    def next(self, queue: deque[Attempt], /) -> Attempt:
        """The attempt to run next; IndexError if there is none."""

    def run(self, attempt: Attempt) -> None:
        """Run it to its end and write the outcome into it; one that is stopping is released instead."""

    def close(self) -> None: ...


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
        self.lost = 0
        """Strays that keep their slots."""
        self._threads = 0
        self._idle = 0
        self._rousing = False
        self._shrunk = False
        """Whether it ever had more slots: only then may threads be too many."""
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
        return 0 if self._is_surplus() else len(self._queue) // self.size.max

    @property
    def strays(self) -> int:
        return self._strays

    def resize(self, size: PoolSize) -> None:
        with self._lock:
            self._shrunk |= size.max < self.size.max
            self.size = size
            self._free_slots(self.lost)
        if self._queue:
            self._rouse()

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
            self._strays += strays
            self.lost += strays
            self._free_slots(strays)
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

    def _free_slots(self, strays: int) -> None:
        """Count out so many of the strays that keep their slots, as far as others may take these."""
        free = max(min(strays, self.size.max - (self._strays - self.lost)), 0)
        self.lost -= free
        self._threads -= free

    def _is_surplus(self) -> bool:
        """Whether more threads are at work than the pool has slots since it was resized."""
        return self._threads - self._idle > self.size.max

    def _rouse(self) -> None:
        """Wake or start one more thread for the queue, if the pool may have one."""
        with self._lock:
            if self._rousing or self._closed or self._threads - self._idle >= self.size.max:
                return
            if self._idle:
                self._idle -= 1
                self._rousing = True
                self._wakes.put(None)
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
            # One that its slot has at hand is for no other: it is run first.
            if self._shrunk and self._is_surplus() and not slot.waiting and not self._rest():
                break
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
            if self._idle == 0 or self._threads - self._idle >= self.size.max:
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
            if self.lost:
                self.lost -= 1
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
