"""Talks to a server from asyncio."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from mainspring.client import requests
from mainspring.client.connection import open_async
from mainspring.client.handles import RunHandle
from mainspring.client.requests import Enqueue, Request, T, new_enqueue
from mainspring.client.views import AttemptInfo, LogPage, RunInfo, RunPage
from mainspring.client.waiting import PAUSE, Patience, still_going
from mainspring.clock import SystemClock
from mainspring.errors import UnavailableError

if TYPE_CHECKING:
    from mainspring.client.transport import AsyncTransport


class AsyncClient:
    """Enqueues runs and looks at them. Without arguments it finds its server as the command line does."""

    def __init__(self, url: str | None = None, *, token: str | None = None, namespace: str | None = None) -> None:
        self._given = (url, token, namespace)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._transport: AsyncTransport | None = None

    async def enqueue(
        self,
        job: str,
        input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
        *,
        queue: str | None = None,
        priority: int | None = None,
        due_at: datetime | None = None,
        delay: float | timedelta | None = None,
        key: str | None = None,
    ) -> RunHandle:
        """Ask for a run; when this returns, it is durable."""
        wanted = new_enqueue(job, input, queue=queue, priority=priority, due_at=due_at, delay=delay, key=key)
        return await self.send(wanted)

    async def send(self, wanted: Enqueue) -> RunHandle:
        accepted = await self._call(requests.enqueue(wanted))
        return RunHandle(self, accepted.id, existing=accepted.existing)

    async def enqueue_many(self, wanted: Iterable[Enqueue]) -> tuple[RunHandle, ...]:
        """Ask for many runs; each chunk of 5,000 is accepted whole or not at all."""
        handles: list[RunHandle] = []
        for request in requests.enqueue_many(tuple(wanted)):
            accepted = await self._call(request)
            handles += [RunHandle(self, each.id, existing=each.existing) for each in accepted]
        return tuple(handles)

    async def get(self, run: str) -> RunInfo:
        return await self._call(requests.get_run(run))

    async def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo:
        """The run once it is final, whatever servers come and go meanwhile; raises TimeoutError."""
        patience = Patience(timeout)
        while True:
            try:
                found = await self._call(requests.get_run(run, wait=patience.next_wait()))
            except UnavailableError:
                if patience.over:
                    raise
                await SystemClock().sleep(PAUSE)
                continue
            if found.final:
                return found
            if patience.over:
                raise still_going(run, found.state)

    async def list(
        self,
        *,
        job: str | None = None,
        queue: str | None = None,
        states: Iterable[str] = (),
        limit: int = 50,
        cursor: str | None = None,
    ) -> RunPage:
        """Runs, newest first."""
        return await self._call(
            requests.list_runs(job=job, queue=queue, states=tuple(states), limit=limit, cursor=cursor)
        )

    async def logs(self, run: str, *, after: int = 0) -> LogPage:
        return await self._call(requests.list_logs(run, after=after))

    async def attempts(self, run: str) -> tuple[AttemptInfo, ...]:
        return tuple((await self._call(requests.list_attempts(run))).attempts)

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.close()
        self._transport = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def _call(self, request: Request[T]) -> T:
        # Connections belong to the loop that opened them; a script may run several loops, one after the other.
        loop = asyncio.get_running_loop()
        if self._transport is None or self._loop is not loop:
            self._loop, self._transport = loop, open_async(self._given)
        return await self._transport.call(request)
