"""Async handlers: one asyncio task per attempt, on the user's loop."""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from mainspring.clock import Clock
from mainspring.domain.session import PoolSize
from mainspring.executor.attempt import Attempt, Journal, current
from mainspring.executor.handover import Handover


class LoopPool:
    """Slots on an event loop. `start`, `withdraw` and `abandon` may be called from another thread."""

    def __init__(
        self,
        size: PoolSize,
        *,
        loop: asyncio.AbstractEventLoop,
        clock: Clock,
        journal: Journal,
        ended: Callable[[list[Attempt]], None],
    ) -> None:
        self.size = size
        self._loop = loop
        self._monotonic = clock.monotonic
        self._journal = journal
        self._ended = ended
        self._running = 0
        self._queue: deque[Attempt] = deque()
        self._done: list[Attempt] = []
        self._inbox: Handover[Attempt] = Handover(loop, self._admit)

    @property
    def running(self) -> int:
        return self._running

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def start(self, attempts: list[Attempt]) -> None:
        self._inbox.put_all(attempts)

    def withdraw(self) -> None:
        self._loop.call_soon_threadsafe(self._sweep)

    def abandon(self, attempts: list[Attempt]) -> None:
        self._loop.call_soon_threadsafe(self._cancel, attempts)

    def close(self) -> None:
        pass

    def _admit(self, attempts: list[Attempt]) -> None:
        self._queue.extend(attempts)
        self._fill()

    def _fill(self) -> None:
        queue, create_task = self._queue, self._loop.create_task
        while queue and self._running < self.size.max:
            attempt = queue.popleft()
            if attempt.stopping:
                attempt.release()
                self._report(attempt)
                continue
            self._running += 1
            attempt.task = create_task(self._run(attempt))

    async def _run(self, attempt: Attempt) -> None:
        current.set(attempt)
        attempt.begin(self._monotonic())
        try:
            values = attempt.handler.bind(attempt, self._journal)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            attempt.fail("bad_arguments", str(error))
        else:
            try:
                attempt.succeed(await attempt.handler.call(*values))
            except GeneratorExit:
                raise
            except BaseException as error:  # noqa: BLE001 a handler may raise anything, SystemExit included
                attempt.fail_by(error)
        self._finish(attempt)

    def _finish(self, attempt: Attempt) -> None:
        attempt.close(self._monotonic())
        self._running -= 1
        if self._queue:
            self._fill()
        self._report(attempt)

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
                self._end_unbegun(attempt)

    def _end_unbegun(self, attempt: Attempt) -> None:
        # A task cancelled before its first step never enters the coroutine, so nobody else would report it.
        if not attempt.started:
            attempt.release()
            self._finish(attempt)
