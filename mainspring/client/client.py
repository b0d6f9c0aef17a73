"""Talks to a server from plain code: the same calls as `AsyncClient`, without await."""

import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, Unpack

from mainspring.client.calls import Request, T
from mainspring.client.feed import Change, WatchingChanges, WatchingRun, watch_sync
from mainspring.client.follow_logs import Following
from mainspring.client.options import RunOptions
from mainspring.client.sync.handles import SyncRunHandle
from mainspring.client.sync.lazy_nouns import Nouns
from mainspring.client.sync.runs import Runs
from mainspring.client.transport import requests
from mainspring.client.transport.connection import find_namespace, open_sync
from mainspring.client.transport.requests import Enqueue, new_enqueue
from mainspring.client.waiting import PAUSE, RetryBudget, Waiting
from mainspring.client.waiting_in_handlers import in_slot, pause
from mainspring.contract.runs import LogLine, RunInfo
from mainspring.domain.runs.current import heed_interruption
from mainspring.errors import OverBudgetError, UnavailableError
from mainspring.telemetry import names
from mainspring.telemetry.spans import enqueue_span, is_loaded

if TYPE_CHECKING:
    from mainspring.client.transport.servers import Urls
    from mainspring.client.transport.sync_http import SyncTransport


class Client(Runs, Nouns):
    """Enqueues runs and looks at them. Without arguments it finds its server as the command line does.

    `url`: the server, or several that work on one database; a call that one cannot take goes to the next.
    `patience`: for how many seconds, in all, a call is repeated while a queue or the namespace is over its budget.
    """

    def __init__(
        self,
        url: "Urls" = None,
        *,
        token: str | None = None,
        namespace: str | None = None,
        ca_file: str | None = None,
        patience: float | timedelta = 0,
    ) -> None:
        self._given = (url, token, namespace)
        self._patience = patience
        self._ca_file = ca_file
        self._transport: SyncTransport | None = None
        self._opening = threading.Lock()

    @cached_property
    def namespace(self) -> str:
        """The one that calls go to."""
        return find_namespace(self._given)

    def enqueue(
        self,
        job: str,
        input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
        **options: Unpack[RunOptions],
    ) -> SyncRunHandle[Any]:
        """Ask for a run; when this returns, it is durable."""
        return self.send(new_enqueue(job, input, **options))

    def send(self, wanted: Enqueue) -> SyncRunHandle[Any]:
        if not is_loaded():
            return self._send(wanted)
        with enqueue_span(wanted.job, queue=wanted.queue, key=wanted.key, count=1, namespace=self.namespace) as told:
            handle = self._send(wanted)
            told(names.MESSAGE, handle.id)
            return handle

    def _send(self, wanted: Enqueue) -> SyncRunHandle[Any]:
        accepted = self._call(requests.enqueue(wanted))
        return SyncRunHandle(self, accepted.id, existing=accepted.existing)

    def enqueue_many(self, wanted: Iterable[Enqueue]) -> tuple[SyncRunHandle[Any], ...]:
        """Ask for many runs; each chunk of 5,000 is accepted whole or not at all."""
        runs = tuple(wanted)
        if not is_loaded() or not runs:
            return self._enqueue_many(runs)
        with enqueue_span(runs[0].job, queue=runs[0].queue, key=None, count=len(runs), namespace=self.namespace):
            return self._enqueue_many(runs)

    def _enqueue_many(self, wanted: Sequence[Enqueue]) -> tuple[SyncRunHandle[Any], ...]:
        accepted = [each for chunk in self._call_each(requests.enqueue_many(wanted)) for each in chunk.runs]
        return tuple(SyncRunHandle(self, each.id, existing=each.existing) for each in accepted)

    def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo:
        """Wait for the end of a run, across restarts of servers; raises TimeoutError.

        In a handler it keeps the slot, and raises CancelledError when the attempt is to end.
        """
        with in_slot():
            waiting = Waiting(run, timeout)
            while True:
                heed_interruption()
                try:
                    found = self._call(waiting.next_look())
                except UnavailableError:
                    if waiting.out_of_time:
                        raise
                    pause(PAUSE)
                    continue
                if waiting.is_over(found):
                    return found

    def follow_logs(self, run: str, *, after: int = 0) -> Generator[LogLine, None, None]:
        """Yield the log lines of a run until its end, across restarts of servers."""
        following = Following(run, after=after)
        while not following.over:
            try:
                with closing((self._transport or self._open()).stream(following.request())) as texts:
                    yield from (line for text in texts if (line := following.take(text)) is not None)
            except UnavailableError:
                if not following.connected:
                    raise
            if not following.over:
                pause(PAUSE)

    def watch(self, run: str) -> Generator[RunInfo, None, None]:
        """The run in each state that it is seen in, the last of which is final."""
        return watch_sync(self._open, WatchingRun(run))

    def events(
        self, kinds: Iterable[str] = (), *, queue: str | None = None, job: str | None = None
    ) -> Generator[Change, None, None]:
        """Yield the changes of the namespace, without end; a change of kind `gap` means that some were missed."""
        return watch_sync(self._open, WatchingChanges(kinds, queue=queue, job=job))

    @property
    def pressure(self) -> float:
        """How full the place is that the last runs were enqueued in, from 0 to 1, as the server said; 0 without a budget."""
        return 0.0 if self._transport is None else self._transport.pressure

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        self._transport = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _call(self, request: Request[T]) -> T:
        try:
            return (self._transport or self._open()).call(request)
        except OverBudgetError as error:
            if not self._patience:
                raise
            return self._call_again(request, error)

    def _call_each(self, requested: Iterable[Request[T]]) -> Iterator[T]:
        if self._patience:
            # A caller that waits for room asks for one thing at a time.
            return map(self._call, requested)
        return (self._transport or self._open()).call_each(requested)

    def _call_again(self, request: Request[T], refusal: OverBudgetError) -> T:
        """Until there is room, or as long as patience lasts."""
        budget = RetryBudget(self._patience)
        while True:
            pause(budget.pause_after(refusal))
            try:
                return self._open().call(request)
            except OverBudgetError as error:
                refusal = error

    def _open(self) -> "SyncTransport":
        """One for all threads, also for those that come here at the same moment."""
        with self._opening:
            if self._transport is None:
                self._transport = open_sync(self._given, self._ca_file)
            return self._transport
