"""Clients that reach a server inside this process: the real API, without a socket."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from mainspring.api.app import Api
from mainspring.client.async_client import AsyncClient
from mainspring.client.calls import Request, T, parse
from mainspring.client.client import Client
from mainspring.client.transport.requests import get_run
from mainspring.client.waiting import Deadline, still_going
from mainspring.client.waiting_in_handlers import pause
from mainspring.clock import SystemClock
from mainspring.contract.runs import RunInfo
from mainspring.testing.portal import Portal

Message = dict[str, Any]

STEP = 0.002
"""Real seconds from one look at a run to the next."""


class Inside:
    """Carries a client's requests to an API on a portal's loop."""

    def __init__(self, api: Api, portal: Portal, *, token: str, namespace: str, moves: Callable[[], bool]) -> None:
        self._api = api
        self.portal = portal
        self.moves = moves
        """Whether waiting makes sense: enqueued runs are being run."""
        self._namespace = namespace
        self._headers = [
            (b"authorization", f"Bearer {token}".encode()),
            (b"mainspring-namespace", namespace.encode()),
            (b"content-type", b"application/json"),
        ]

    def with_token(self, token: str) -> "Inside":
        """The same way in for another caller."""
        return Inside(self._api, self.portal, token=token, namespace=self._namespace, moves=self.moves)

    async def call(self, request: Request[T]) -> T:
        status, content = await InsideExchange(request.body or b"").run(self._api, self._scope(request))
        return parse(request, status, content)

    def _scope(self, request: Request[Any]) -> Message:
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "http",
            "path": request.path,
            "raw_path": request.path.encode(),
            "query_string": urlencode(request.params, doseq=True).encode(),
            "headers": [*self._headers, *((name.encode(), value.encode()) for name, value in request.headers.items())],
            "client": ("inside", 0),
            "server": ("inside", 80),
        }


class InsideExchange:
    """One request and its answer."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._status = 500
        self._content = bytearray()

    async def run(self, api: Api, scope: Message) -> tuple[int, bytes]:
        await api(scope, self._receive, self._send)  # type: ignore[arg-type]
        return self._status, bytes(self._content)

    async def _receive(self) -> Message:
        return {"type": "http.request", "body": self._body, "more_body": False}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
        else:
            self._content += message.get("body", b"")


class InsideWaiting:
    """Waits for a run by looking at it again and again: a server would wait by the clock that stands still."""

    def __init__(self, inside: Inside, run: str, timeout: float | timedelta | None) -> None:
        self._inside = inside
        self._run = run
        self._patience = Deadline(timeout)

    async def look(self) -> RunInfo | None:
        """The run if it is final; raises TimeoutError if there is no more time, or nothing will ever change."""
        # Asked before the run is looked at, which may end together with what moves it.
        moves = self._inside.moves()
        run = await self._inside.call(get_run(self._run))
        if run.final:
            return run
        if not moves:
            raise TimeoutError(
                f"run {run.id} is still {run.state}, and in a test kit nothing runs by itself: drain() or advance() moves it"
            )
        if self._patience.over:
            raise still_going(run.id, run.state)
        return None


class InsideAsyncClient(AsyncClient):
    """An `AsyncClient` of a server in this process."""

    def __init__(self, inside: Inside) -> None:
        super().__init__()
        self._inside = inside

    async def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo:
        """As elsewhere while jobs run; otherwise raises TimeoutError at once, for the clock stands still."""
        waiting = InsideWaiting(self._inside, run, timeout)
        while (found := await self._inside.portal.acall(waiting.look())) is None:
            await SystemClock().sleep(STEP)
        return found

    async def _call(self, request: Request[T]) -> T:
        return await self._inside.portal.acall(self._inside.call(request))


class InsideClient(Client):
    """A `Client` of a server in this process."""

    def __init__(self, inside: Inside) -> None:
        super().__init__()
        self._inside = inside

    def wait(self, run: str, *, timeout: float | timedelta | None = None) -> RunInfo:
        """As elsewhere while jobs run; otherwise raises TimeoutError at once, for the clock stands still."""
        waiting = InsideWaiting(self._inside, run, timeout)
        while (found := self._inside.portal.call(waiting.look())) is None:
            pause(STEP)
        return found

    def _call(self, request: Request[T]) -> T:
        return self._inside.portal.call(self._inside.call(request))
