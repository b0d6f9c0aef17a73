"""The slot of a plain function: the thread that runs it."""

from collections import deque
from contextvars import copy_context

import msgspec

from mainspring.clock import Clock
from mainspring.executor.attempts.attempt import Attempt, Journal, current
from mainspring.executor.link.lease import Lease


class ThreadSlot:
    """The handler runs in the thread itself."""

    waiting = 0

    def __init__(self, clock: Clock, journal: Journal, lease: Lease) -> None:
        self._monotonic = clock.monotonic
        self._journal = journal
        self._lease = lease

    def next(self, queue: deque[Attempt], /) -> Attempt:
        return queue.popleft()

    def run(self, attempt: Attempt) -> None:
        now = self._monotonic()
        # The link, which would stop it, may have had no turn since the lease lapsed.
        if attempt.stopping or now >= self._lease.ends:
            attempt.release()
            return
        # In a context of its own: what a handler leaves in context variables is not for the next one on this thread.
        copy_context().run(self._run, attempt, now)

    def _run(self, attempt: Attempt, now: float) -> None:
        current.set(attempt)
        attempt.begin(now)
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
