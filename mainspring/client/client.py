"""Talks to a server from plain code: the same calls as `AsyncClient`, without await."""

import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, Unpack

from mainspring.client.feed import Change, WatchingChanges, WatchingRun, watch_sync
from mainspring.client.follow_logs import Following
from mainspring.client.handles import SyncRunHandle
from mainspring.client.lazy_nouns import Nouns
from mainspring.client.nouns import cancel as steering
from mainspring.client.nouns import events as told
from mainspring.client.nouns import suspension
from mainspring.client.nouns.events import Event
from mainspring.client.options import RunFilters, RunOptions
from mainspring.client.transport import requests
from mainspring.client.transport.connection import find_namespace, open_sync
from mainspring.client.transport.requests import Enqueue, Request, T, new_enqueue
from mainspring.client.waiting import PAUSE, RetryBudget, Waiting
from mainspring.client.waiting_in_handlers import in_slot, pause
from mainspring.contract.checkpoints import RunMemory
from mainspring.contract.events import EventTypePage, Published
from mainspring.contract.runs import AttemptInfo, CancelledRun, LogLine, LogPage, RunInfo, RunPage
from mainspring.domain.runs.current import heed_interruption
from mainspring.errors import OverBudgetError, UnavailableError

if TYPE_CHECKING:
    from mainspring.client.transport.servers import Urls
    from mainspring.client.transport.sync_http import SyncTransport


class Client(Nouns):
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
        accepted = self._call(requests.enqueue(wanted))
        return SyncRunHandle(self, accepted.id, existing=accepted.existing)

    def enqueue_many(self, wanted: Iterable[Enqueue]) -> tuple[SyncRunHandle[Any], ...]:
        """Ask for many runs; each chunk of 5,000 is accepted whole or not at all."""
        accepted = [each for chunk in self._call_each(requests.enqueue_many(tuple(wanted))) for each in chunk]
        return tuple(SyncRunHandle(self, each.id, existing=each.existing) for each in accepted)

    def get(self, run: str) -> RunInfo:
        return self._call(requests.get_run(run))

    def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo:
        """The run once it is final, whatever servers come and go meanwhile; raises TimeoutError.

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

    def list(self, *, limit: int = 50, cursor: str | None = None, **filters: Unpack[RunFilters]) -> RunPage:
        """A page of runs, newest first unless `oldest_first`; it may be short, and goes on as long as it has a `next`."""
        return self._call(requests.list_runs(limit=limit, cursor=cursor, **filters))

    def iterate(self, *, page: int = 100, **filters: Unpack[RunFilters]) -> Iterator[RunInfo]:
        """All runs that match, fetched so many at a time."""
        cursor: str | None = None
        while True:
            found = self.list(limit=page, cursor=cursor, **filters)
            yield from found.runs
            if (cursor := found.next) is None:
                return

    def logs(self, run: str, *, after: int = 0) -> LogPage:
        return self._call(requests.list_logs(run, after=after))

    def follow_logs(self, run: str, *, after: int = 0) -> Generator[LogLine, None, None]:
        """Log lines as they come, until the run is over, whatever servers come and go meanwhile."""
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
        """What happens in the namespace, as it happens, without end; one of kind `gap` says that some was missed."""
        return watch_sync(self._open, WatchingChanges(kinds, queue=queue, job=job))

    def publish(self, type: str, data: Any = None, *, id: str | None = None) -> Published:  # noqa: A002 the API's words
        """Tell that something has happened: each trigger that waits for it gets a run."""
        return self._call(told.publish(Event(type, {} if data is None else data, id)))

    def publish_many(self, events: Iterable[Event]) -> Published:
        """Tell up to 1,000 events, all of them or none."""
        return self._call(told.publish_many(tuple(events)))

    def event_types(self, *, limit: int = 50, cursor: str | None = None) -> EventTypePage:
        """The types of events that were told, and how often."""
        return self._call(told.list_types(limit=limit, cursor=cursor))

    def attempts(self, run: str) -> tuple[AttemptInfo, ...]:
        return tuple(self._call(requests.list_attempts(run)).attempts)

    def cancel(self, run: str, *, reason: str = "", children: bool = False) -> RunInfo:
        """Cancel a run; one that is running is still `running` in the answer, with the reason `cancelling`.

        With `children`, also what its handler asked for, and what theirs did. Raises ConflictError, without `children`, if it
        has ended otherwise before.
        """
        return self._call(steering.cancel_run(run, reason=reason, children=children))

    def cancel_many(self, runs: Iterable[str], *, reason: str = "") -> tuple[CancelledRun, ...]:
        """Cancel many, and say of each what became of it."""
        requested = steering.cancel_runs(tuple(runs), reason=reason)
        return tuple(each for request in requested for each in self._call(request))

    def retry(
        self,
        run: str,
        *,
        force: bool = False,
        reason: str = "",
        input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
    ) -> RunInfo:
        """Have a run that has ended run again, now, with another input if given; after a success only by force.

        Raises ConflictError.
        """
        return self._call(steering.retry_run(run, force=force, reason=reason, input=input))

    def suspend(self, run: str, *, reason: str = "", resume_at: datetime | None = None) -> RunInfo:
        """Set a run aside, until then or until somebody resumes it; one that is running yields at its next checkpoint or step.

        Raises ConflictError if it has ended.
        """
        return self._call(suspension.suspend_run(run, reason=reason, resume_at=resume_at))

    def resume(self, run: str, *, reason: str = "") -> RunInfo:
        """Let a suspended run go on from its checkpoint, behind its steps. Raises ConflictError if it is not suspended."""
        return self._call(suspension.resume_run(run, reason=reason))

    def memory(self, run: str) -> RunMemory:
        """What a run remembers: its checkpoint, the results of its steps, its effects."""
        return self._call(suspension.get_memory(run))

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
            # Whoever waits for room asks for one thing at a time.
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
