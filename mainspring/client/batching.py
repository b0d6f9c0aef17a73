"""Single enqueues of one event loop that share requests: those asked for while one is under way go together in the next."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextvars import Context

import msgspec

from mainspring.client.calls import AsyncCall
from mainspring.client.transport.problems import unreadable
from mainspring.client.transport.requests import Enqueue, enqueue, enqueue_many, with_origin
from mainspring.contract.runs import AcceptedRun
from mainspring.errors import MainspringError, OverBudgetError, UnavailableError

TOGETHER_MAX = 400
"""Runs of one shared request."""
UNDER_WAY_MAX = 3
"""Requests under way at a time: the server works on one while the client writes and reads others ..."""
ENOUGH = 100
"""... if so many runs wait for each of them."""


class BatchedRun(msgspec.Struct):
    """A run that waits for the next request, and the future of its caller."""

    wanted: Enqueue
    answer: "asyncio.Future[AcceptedRun]"


class Batching:
    """Runs with keys and runs without share no request: only one whose runs all have keys may be sent twice."""

    def __init__(self, call: AsyncCall) -> None:
        self._lanes = {keyed: BatchLane(call) for keyed in (False, True)}

    async def send(self, wanted: Enqueue) -> AcceptedRun:
        # Whose child it is, and of which span, only the task that asks knows.
        return await self._lanes[wanted.key is not None].send(with_origin(wanted))


class BatchLane:
    """One request at a time, and more where many wait. Each run has its own answer or its own error."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call
        self._waiting: deque[BatchedRun] = deque()
        self._under_way = 0
        self._senders: set[asyncio.Task[None]] = set()
        """Kept here because a loop keeps no task alive."""

    async def send(self, wanted: Enqueue) -> AcceptedRun:
        waiting = BatchedRun(wanted, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._under_way < UNDER_WAY_MAX and len(self._waiting) > self._under_way * ENOUGH:
            self._under_way += 1
            # In a context of its own: else all runs would be children of the run whose handler asked first.
            sender = asyncio.create_task(self._send_all(), context=Context())
            self._senders.add(sender)
            sender.add_done_callback(self._senders.discard)
        return await waiting.answer

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                count = min(len(self._waiting), TOGETHER_MAX)
                together = [self._waiting.popleft() for _ in range(count)]
                # Those whose callers have gone were never sent.
                await self._send([each for each in together if not each.answer.done()])
        finally:
            # At once, not when the loop comes to it: a run that is asked for in between needs a sender of its own.
            self._under_way -= 1

    async def _send(self, together: Sequence[BatchedRun]) -> None:
        try:
            await self._send_some(together)
        except BaseException:
            for each in (*together, *self._waiting):
                each.answer.cancel()
            raise

    async def _send_some(self, some: Sequence[BatchedRun]) -> None:
        if len(some) > 1:
            await self._send_together(some)
        elif some:
            await self._send_alone(some[0])

    async def _send_together(self, together: Sequence[BatchedRun]) -> None:
        [request] = enqueue_many([each.wanted for each in together])
        try:
            accepted = (await self._call(request)).runs
            if len(accepted) != len(together):
                raise unreadable("it answered for another number of runs", None)
        except MainspringError as error:
            if isinstance(error, UnavailableError) and not isinstance(error, OverBudgetError):
                fail(together, error)
            else:
                # All were refused for the sake of some. Each of these is alone in the end, and hears its own reason.
                middle = len(together) // 2
                await self._send_some(together[:middle])
                await self._send_some(together[middle:])
            return
        for each, run in zip(together, accepted, strict=True):
            if not each.answer.done():
                each.answer.set_result(run)

    async def _send_alone(self, one: BatchedRun) -> None:
        try:
            run = await self._call(enqueue(one.wanted))
        except MainspringError as error:
            fail([one], error)
            return
        if not one.answer.done():
            one.answer.set_result(run)


def fail(together: Sequence[BatchedRun], error: MainspringError) -> None:
    for each in together:
        if not each.answer.done():
            each.answer.set_exception(error)
