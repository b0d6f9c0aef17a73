"""Async handlers on the user's loop.

Each slot is one asyncio task that runs attempt after attempt: making a task costs more than a short handler does. A slot
whose handler left something behind (a context variable, a cancellation) ends with it, so no attempt sees another's traces.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from types import FrameType

import msgspec

from mainspring.clock import Clock
from mainspring.domain.cluster.session import PoolSize
from mainspring.executor.attempts.attempt import Attempt, Journal, current
from mainspring.executor.link.inbox import Inbox
from mainspring.executor.link.lease import Lease
from mainspring.executor.pools.attempt_of import AnyTask, attempt_of, frame_of

TURN = 0.002
"""Seconds that one slot may go from attempt to attempt before it lets the loop look at others."""
IDLE_MAX = 256
"""Slots that are kept for the next burst."""


class LoopPool:
    """Slots on an event loop. All that a runner calls may be called from another thread."""

    lost = strays = 0
    """A coroutine that will not end costs the others nothing."""

    def __init__(
        self,
        size: PoolSize,
        *,
        loop: asyncio.AbstractEventLoop,
        clock: Clock,
        journal: Journal,
        lease: Lease,
        ended: Callable[[list[Attempt]], None],
    ) -> None:
        self.size = size
        self._loop = loop
        self._monotonic = clock.monotonic
        self._journal = journal
        self._lease = lease
        self._ended = ended
        self._context = copy_context()
        self._running = 0
        self._slots = 0
        """That are not idle."""
        self._idle: list[asyncio.Future[None]] = []
        self._burst = 1
        self._spreading = False
        self._queue: deque[Attempt] = deque()
        self._done: list[Attempt] = []
        self._inbox: Inbox[Attempt] = Inbox(loop, self._admit)

    @property
    def running(self) -> int:
        return self._running

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def resize(self, size: PoolSize) -> None:
        self.size = size
        self._loop.call_soon_threadsafe(self._recount)

    def start(self, attempts: list[Attempt]) -> None:
        self._inbox.put_all(attempts)

    def withdraw(self) -> None:
        self._loop.call_soon_threadsafe(self._sweep)

    def interrupt(self, attempts: list[Attempt]) -> None:
        # Seen at once by a plain wait that blocks the loop, and so keeps it from cancelling anything.
        for attempt in attempts:
            attempt.interrupted = True
        self._loop.call_soon_threadsafe(self._cancel, attempts)

    def suspend(self, attempts: list[Attempt]) -> None:  # noqa: ARG002 handlers look for themselves
        self.withdraw()

    def abandon(self, attempts: list[Attempt]) -> None:
        self.interrupt(attempts)

    def give_up(self, attempts: list[Attempt]) -> None:
        self._loop.call_soon_threadsafe(self._drop, attempts)

    def close(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._dismiss)

    def _dismiss(self) -> None:
        """Let the slots go that wait for work: none will come."""
        idle, self._idle = self._idle, []
        for waiter in idle:
            waiter.cancel()

    def _admit(self, attempts: list[Attempt]) -> None:
        self._queue.extend(attempts)
        self._burst = 1
        if not self._spreading:
            self._spread()

    def _recount(self) -> None:
        # Slots at work hold the queue by its old name: they find it empty and look whether they are too many. So none of
        # them has to ask after each attempt.
        waiting, self._queue = self._queue, deque(self._queue)
        waiting.clear()
        if self._queue and not self._spreading:
            self._spread()

    def _spread(self) -> None:
        """Wake one slot, then two, four ... while those before are held up: the first alone may be enough for all."""
        count = min(self._burst, len(self._queue), self.size.max - self._slots)
        for _ in range(count):
            self._wake_slot()
        self._burst *= 2
        self._spreading = bool(self._queue) and self._slots < self.size.max
        if self._spreading:
            self._loop.call_soon(self._spread)

    def _wake_slot(self) -> None:
        self._slots += 1
        if self._idle:
            self._idle.pop().set_result(None)
        else:
            # Not the context of the handler that may just be running.
            self._loop.create_task(self._serve(), context=self._context.copy())

    async def _serve(self) -> None:
        """Serve one slot: run waiting attempts, then wait."""
        clean = True
        while clean:
            clean = await self._work()
            if clean and (not self._queue or self._slots > self.size.max):
                if len(self._idle) >= IDLE_MAX:
                    break
                self._slots -= 1
                self._idle.append(waiter := self._loop.create_future())
                await waiter
        self._slots -= 1
        if self._queue and not self._spreading:
            self._spread()

    async def _work(self) -> bool:
        """Run waiting attempts for one turn; False if a handler left context variables or a cancellation."""
        queue, slot = self._queue, asyncio.current_task(self._loop)
        assert slot is not None
        take, monotonic, journal, enter = queue.popleft, self._monotonic, self._journal, current.set
        lease, now = self._lease, monotonic()
        began = now
        while queue:
            attempt = take()
            # The link, which would stop it, may have had no turn since the lease lapsed.
            if attempt.stopping or now >= lease.ends:
                attempt.release()
                self._report(attempt)
                continue
            attempt.task = slot
            enter(attempt)
            before = copy_context()
            attempt.begin(now)
            self._running += 1
            handler = attempt.handler
            try:
                values = handler.bind(attempt, journal)
            except (msgspec.DecodeError, ValueError, RecursionError) as error:
                attempt.refuse(error)
            else:
                try:
                    attempt.succeed(await handler.call(*values))
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001 a handler may raise anything, SystemExit included
                    attempt.fail_by(error)
            now = monotonic()
            if was_dropped(attempt):
                # This slot was counted out then, and its end is nobody's business.
                self._slots += 1
                return False
            attempt.close(now)
            self._running -= 1
            self._report(attempt)
            if slot.cancelling() or copy_context() != before:
                return False
            if now - began > TURN and queue:
                await asyncio.sleep(0)
                now = began = monotonic()
        return True

    def _report(self, attempt: Attempt) -> None:
        self._done.append(attempt)
        if len(self._done) == 1:
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        done, self._done = self._done, []
        self._ended(done)

    def _sweep(self) -> None:
        queue = self._queue
        for _ in range(len(queue)):
            attempt = queue.popleft()
            if attempt.stopping:
                attempt.release()
                self._report(attempt)
            else:
                queue.append(attempt)

    def _cancel(self, attempts: list[Attempt]) -> None:
        self._sweep()
        for attempt in attempts:
            if attempt.task is not None:
                attempt.task.cancel()

    def _drop(self, attempts: list[Attempt]) -> None:
        """Count out the slots of handlers that would not be cancelled; those that ended meanwhile have reported it."""
        for attempt in attempts:
            if attempt.task is not None:
                attempt.task = None
                self._running -= 1
                self._slots -= 1
        if self._queue and not self._spreading:
            self._spread()


def was_dropped(attempt: Attempt) -> bool:
    return attempt.task is None


def attempt_in(frame: FrameType, task: AnyTask | None = None) -> tuple[Attempt | None, list[tuple[FrameType, int]]]:
    """Which attempt a thread is in that is at this frame, and the frames of its handler with their lines, the outermost first.

    A handler is called by its slot, so it stands right below that in the stack; or the task that runs there is one of its own.
    """
    inner: list[tuple[FrameType, int]] = []
    attempt, outermost = (None, None) if task is None else (attempt_of(task), frame_of(task))
    at: FrameType | None = frame
    while at is not None:
        if at.f_code is LoopPool._work.__code__:  # noqa: SLF001 its own module
            return at.f_locals.get("attempt"), inner[::-1]
        inner.append((at, at.f_lineno))
        if attempt is not None and at is outermost:
            break
        at = at.f_back
    return attempt, inner[::-1]
