"""Talks to a server from asyncio."""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, Unpack

from mainspring.client.calls import Request, T
from mainspring.client.feed import Change, WatchingChanges, WatchingRun, watch_async
from mainspring.client.follow_logs import Following
from mainspring.client.handles import RunHandle
from mainspring.client.lazy_nouns import AsyncNouns
from mainspring.client.nouns.runs import AsyncRuns
from mainspring.client.options import RunOptions
from mainspring.client.transport import requests
from mainspring.client.transport.connection import find_namespace, open_async, open_batching, running_loop
from mainspring.client.transport.requests import Enqueue, new_enqueue
from mainspring.client.waiting import PAUSE, RetryBudget, Waiting
from mainspring.client.waiting_in_handlers import in_slot
from mainspring.clock import SystemClock
from mainspring.contract.runs import LogLine, RunInfo
from mainspring.domain.runs.current import heed_interruption
from mainspring.errors import OverBudgetError, UnavailableError
from mainspring.telemetry import names
from mainspring.telemetry.spans import enqueue_span, is_loaded

if TYPE_CHECKING:
    import asyncio

    from mainspring.client.batching import Batching
    from mainspring.client.transport.asyncio_http import AsyncTransport
    from mainspring.client.transport.servers import Urls


class AsyncClient(AsyncRuns, AsyncNouns):
    """Enqueues runs and looks at them. Without arguments it finds its server as the command line does.

    `url`: the server, or several that work on one database; a call that one cannot take goes to the next.
    `patience`: for how many seconds, in all, a call is repeated while a queue or the namespace is over its budget.
    `batching`: whether runs enqueued while a request is under way go together in the next one.
    """

    def __init__(
        self,
        url: "Urls" = None,
        *,
        token: str | None = None,
        namespace: str | None = None,
        ca_file: str | None = None,
        patience: float | timedelta = 0,
        batching: bool = False,
    ) -> None:
        self._given = (url, token, namespace)
        self._patience = patience
        self._ca_file = ca_file
        self._batching = batching
        self._batches: Batching | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._transport: AsyncTransport | None = None

    @cached_property
    def namespace(self) -> str:
        """The one that calls go to."""
        return find_namespace(self._given)

    async def enqueue(
        self,
        job: str,
        input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
        **options: Unpack[RunOptions],
    ) -> RunHandle[Any]:
        """Ask for a run; when this returns, it is durable."""
        return await self.send(new_enqueue(job, input, **options))

    async def send(self, wanted: Enqueue) -> RunHandle[Any]:
        if not is_loaded():
            return await self._send(wanted)
        with enqueue_span(wanted.job, queue=wanted.queue, key=wanted.key, count=1, namespace=self.namespace) as told:
            handle = await self._send(wanted)
            told(names.MESSAGE, handle.id)
            return handle

    async def _send(self, wanted: Enqueue) -> RunHandle[Any]:
        if self._batching:
            self._open()
        batches = self._batches
        accepted = await (self._call(requests.enqueue(wanted)) if batches is None else batches.send(wanted))
        return RunHandle(self, accepted.id, existing=accepted.existing)

    async def enqueue_many(self, wanted: Iterable[Enqueue]) -> tuple[RunHandle[Any], ...]:
        """Ask for many runs; each chunk of 5,000 is accepted whole or not at all."""
        runs = tuple(wanted)
        if not is_loaded() or not runs:
            return await self._enqueue_many(runs)
        with enqueue_span(runs[0].job, queue=runs[0].queue, key=None, count=len(runs), namespace=self.namespace):
            return await self._enqueue_many(runs)

    async def _enqueue_many(self, wanted: Sequence[Enqueue]) -> tuple[RunHandle[Any], ...]:
        handles: list[RunHandle[Any]] = []
        for request in requests.enqueue_many(wanted):
            accepted = await self._call(request)
            handles += [RunHandle(self, each.id, existing=each.existing) for each in accepted.runs]
        return tuple(handles)

    async def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo:
        """Wait for the end of a run, across restarts of servers; raises TimeoutError.

        In a handler it keeps the slot, and raises CancelledError when the attempt is to end.
        """
        with in_slot():
            waiting = Waiting(run, timeout)
            while True:
                heed_interruption()
                try:
                    found = await self._call(waiting.next_look())
                except UnavailableError:
                    if waiting.out_of_time:
                        raise
                    await SystemClock().sleep(PAUSE)
                    continue
                if waiting.is_over(found):
                    return found

    async def follow_logs(self, run: str, *, after: int = 0) -> AsyncGenerator[LogLine, None]:
        """Yield the log lines of a run until its end, across restarts of servers."""
        following = Following(run, after=after)
        while not following.over:
            try:
                async with aclosing(self._open().stream(following.request())) as texts:
                    async for text in texts:
                        if (line := following.take(text)) is not None:
                            yield line
            except UnavailableError:
                if not following.connected:
                    raise
            if not following.over:
                await SystemClock().sleep(PAUSE)

    def watch(self, run: str) -> AsyncGenerator[RunInfo, None]:
        """The run in each state that it is seen in, the last of which is final."""
        return watch_async(self._open, WatchingRun(run))

    def events(
        self, kinds: Iterable[str] = (), *, queue: str | None = None, job: str | None = None
    ) -> AsyncGenerator[Change, None]:
        """Yield the changes of the namespace, without end; a change of kind `gap` means that some were missed."""
        return watch_async(self._open, WatchingChanges(kinds, queue=queue, job=job))

    @property
    def pressure(self) -> float:
        """How full the place is that the last runs were enqueued in, from 0 to 1, as the server said; 0 without a budget."""
        return 0.0 if self._transport is None else self._transport.pressure

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.close()
        self._transport = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _call(self, request: Request[T]) -> T:
        try:
            return await self._open().call(request)
        except OverBudgetError as error:
            if not self._patience:
                raise
            return await self._call_again(request, error)

    async def _call_again(self, request: Request[T], refusal: OverBudgetError) -> T:
        """Until there is room, or as long as patience lasts."""
        budget = RetryBudget(self._patience)
        while True:
            await SystemClock().sleep(budget.pause_after(refusal))
            try:
                return await self._open().call(request)
            except OverBudgetError as error:
                refusal = error

    def _open(self) -> "AsyncTransport":
        # Connections belong to the loop that opened them; a script may run several loops, one after the other.
        loop = running_loop()
        if self._transport is None or self._loop is not loop:
            self._loop, self._transport = loop, open_async(self._given, self._ca_file)
            self._batches = open_batching(self._call) if self._batching else None
        return self._transport
