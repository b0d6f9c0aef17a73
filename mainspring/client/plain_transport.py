"""Plain HTTP for plain code: the standard library's client, which costs a third of an HTTP toolkit's per call."""

import os
import select
from collections import deque
from collections.abc import Generator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from mainspring.client.plain_response import PlainResponse
from mainspring.client.requests import Request, T, parse
from mainspring.client.servers import TIMEOUT, Given, find_server, headers, unreachable
from mainspring.client.versions import Headers, Origin
from mainspring.clock import SystemClock
from mainspring.settings.security import trust

IDLE_MAX = 20.0
"""Seconds after which an idle connection is not used again; servers close theirs after 30."""


class OneSend(HTTPConnection):
    """Sends a request's head and body at once: the server then wakes once for it, not twice."""

    response_class = PlainResponse
    _held: list[bytes] | None = None

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> None:
        self._held = []
        try:
            self.request(method, path, body=body, headers=headers)
            whole = b"".join(self._held)
        finally:
            self._held = None
        self.send(whole)

    def send(self, data: Any) -> None:
        if self._held is None:
            super().send(data)
        else:
            self._held.append(data)


class OneSendTls(OneSend, HTTPSConnection):
    """The same over TLS."""


class Idle(msgspec.Struct, frozen=True):
    """A connection that waits for its next call."""

    connection: OneSend
    since: float


class SyncTransport:
    """Carries requests from any thread; connections are kept open and lent to one call at a time."""

    def __init__(self, given: Given, ca_file: str | None = None) -> None:
        settings = find_server(given, ca_file=ca_file)
        self._url = settings.url
        self._parts = urlsplit(settings.url)
        self._headers = headers(settings)
        self._idle: deque[Idle] = deque()
        self._process = os.getpid()
        self._clock = SystemClock()
        self._tls = trust(settings.ca_file) if self._parts.scheme == "https" else None

    def call(self, request: Request[T]) -> T:
        connection = self._lend()
        try:
            status, content, answered = self._exchange(connection, request)
        except (OSError, HTTPException) as error:
            connection.close()
            raise unreachable(self._url, error) from error
        self._idle.append(Idle(connection, self._clock.monotonic()))
        return parse(request, status, content, Origin(self._url, answered))

    def stream(self, request: Request[bytes]) -> Generator[str, None, None]:
        """The lines of an answer as they come, until the server ends it."""
        connection = self._new()
        try:
            answer = self._ask(connection, request)
            if answer.status >= 300:
                parse(request, answer.status, answer.read(), Origin(self._url, answer.headers))
            while line := answer.readline():
                yield line.decode().rstrip("\r\n")
        except (OSError, HTTPException) as error:
            raise unreachable(self._url, error) from error
        finally:
            connection.close()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().connection.close()

    def _exchange(self, connection: OneSend, request: Request[T]) -> tuple[int, bytes, Headers]:
        answer = self._ask(connection, request)
        return answer.status, answer.read(), answer.headers

    def _ask(self, connection: OneSend, request: Request[T]) -> HTTPResponse:
        path = self._parts.path.rstrip("/") + request.path
        if request.params:
            path += "?" + urlencode(request.params, doseq=True)
        extra = {"content-type": "application/json"} if request.body is not None else {}
        if connection.sock is None:
            connection.connect()
        connection.sock.settimeout(TIMEOUT + request.wait)
        connection.ask(request.method, path, request.body, {**self._headers, **request.headers, **extra})
        return connection.getresponse()

    def _lend(self) -> OneSend:
        """The connection used last, if it is still good; else a new one."""
        if self._process != os.getpid():
            # Forked, as by a server that loads first: two processes on one connection would read each other's answers.
            self._process = os.getpid()
            self.close()
        while self._idle:
            try:
                idle = self._idle.pop()
            except IndexError:
                break
            if self._clock.monotonic() - idle.since < IDLE_MAX and not is_over(idle.connection):
                return idle.connection
            idle.connection.close()
        return self._new()

    def _new(self) -> OneSend:
        host, port = self._parts.hostname or "", self._parts.port
        if self._tls is not None:
            return OneSendTls(host, port, timeout=TIMEOUT, context=self._tls)
        return OneSend(host, port, timeout=TIMEOUT)


def is_over(connection: HTTPConnection) -> bool:
    """Whether the other side has closed it: then there is something to read, namely the end."""
    if connection.sock is None:
        return True
    readable, _, _ = select.select([connection.sock], [], [], 0)
    return bool(readable)
