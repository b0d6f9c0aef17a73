"""Talks to a server from plain code: the same calls as `AsyncClient`, without await."""

import threading
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from mainspring.client import requests
from mainspring.client.connection import open_sync
from mainspring.client.handles import SyncRunHandle
from mainspring.client.requests import Enqueue, Request, T, new_enqueue
from mainspring.client.views import AttemptInfo, LogPage, RunInfo, RunPage
from mainspring.client.waiting import PAUSE, Patience, still_going
from mainspring.errors import UnavailableError

if TYPE_CHECKING:
    from mainspring.client.plain_transport import SyncTransport


class Client:
    """Enqueues runs and looks at them. Without arguments it finds its server as the command line does."""

    def __init__(self, url: str | None = None, *, token: str | None = None, namespace: str | None = None) -> None:
        self._given = (url, token, namespace)
        self._transport: SyncTransport | None = None

    def enqueue(
        self,
        job: str,
        input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
        *,
        queue: str | None = None,
        priority: int | None = None,
        due_at: datetime | None = None,
        delay: float | timedelta | None = None,
        key: str | None = None,
    ) -> SyncRunHandle:
        """Ask for a run; when this returns, it is durable."""
        return self.send(new_enqueue(job, input, queue=queue, priority=priority, due_at=due_at, delay=delay, key=key))

    def send(self, wanted: Enqueue) -> SyncRunHandle:
        accepted = self._call(requests.enqueue(wanted))
        return SyncRunHandle(self, accepted.id, existing=accepted.existing)

    def enqueue_many(self, wanted: Iterable[Enqueue]) -> tuple[SyncRunHandle, ...]:
        """Ask for many runs; each chunk of 5,000 is accepted whole or not at all."""
        accepted = [each for request in requests.enqueue_many(tuple(wanted)) for each in self._call(request)]
        return tuple(SyncRunHandle(self, each.id, existing=each.existing) for each in accepted)

    def get(self, run: str) -> RunInfo:
        return self._call(requests.get_run(run))

    def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo:
        """The run once it is final, whatever servers come and go meanwhile; raises TimeoutError."""
        patience = Patience(timeout)
        while True:
            try:
                found = self._call(requests.get_run(run, wait=patience.next_wait()))
            except UnavailableError:
                if patience.over:
                    raise
                threading.Event().wait(PAUSE)
                continue
            if found.final:
                return found
            if patience.over:
                raise still_going(run, found.state)

    def list(
        self,
        *,
        job: str | None = None,
        queue: str | None = None,
        states: Iterable[str] = (),
        limit: int = 50,
        cursor: str | None = None,
    ) -> RunPage:
        """Runs, newest first."""
        return self._call(requests.list_runs(job=job, queue=queue, states=tuple(states), limit=limit, cursor=cursor))

    def logs(self, run: str, *, after: int = 0) -> LogPage:
        return self._call(requests.list_logs(run, after=after))

    def attempts(self, run: str) -> tuple[AttemptInfo, ...]:
        return tuple(self._call(requests.list_attempts(run)).attempts)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        self._transport = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _call(self, request: Request[T]) -> T:
        if self._transport is None:
            self._transport = open_sync(self._given)
        return self._transport.call(request)
