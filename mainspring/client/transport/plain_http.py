"""Plain HTTP for plain code: the standard library's client, which costs a third of an HTTP toolkit's per call."""

import os
import select
import socket
from collections import deque
from collections.abc import Generator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, RemoteDisconnected
from urllib.parse import urlencode, urlsplit

import msgspec

from mainspring.client.transport.requests import Request, T, parse
from mainspring.client.transport.response import PlainResponse
from mainspring.client.transport.servers import TIMEOUT, headers, unreachable
from mainspring.client.transport.versions import Origin
from mainspring.client.transport.whole_response import SIZE, Resumed, WholeAnswer, whole_answer
from mainspring.client.values import check_params
from mainspring.client.waiting_in_handlers import HeededSocket
from mainspring.clock import SystemClock
from mainspring.domain.runs.current import is_in_attempt
from mainspring.settings import ClientSettings
from mainspring.settings.security import trust

IDLE_MAX = 20.0
"""Seconds after which an idle connection is not used again; servers close theirs after 30."""
BODILESS = frozenset({"GET", "HEAD", "DELETE"})
JSON = {"content-type": "application/json"}


class OneSend(HTTPConnection):
    """Sends a request's head and body at once: the server then wakes once for it, not twice.

    The standard library opens the connection and reads the body of an answer; writing a head of six lines by itself takes a
    tenth of the time that it would need.
    """

    def ask(self, method: str, path: str, body: bytes | None, fields: str) -> None:
        length = "" if body is None and method in BODILESS else f"content-length: {len(body or b'')}\r\n"
        head = f"{method} {path} HTTP/1.1\r\n{fields}{length}\r\n".encode("latin-1")
        self.sock.sendall(head + (body or b""))

    def hear(self, method: str) -> "WholeAnswer | HTTPResponse":
        """Mostly the answer is there with the first look, and needs no reader that knows how to wait for more of it."""
        came = self.sock.recv(SIZE)
        if not came:
            raise RemoteDisconnected("the connection was closed without an answer")
        return whole_answer(came) or self.hear_on(method, Resumed(came, self.sock))

    def hear_heeding(self, method: str) -> HTTPResponse:
        """An answer that is long in coming: a handler that waits for it hears that it is interrupted."""
        return self.hear_on(method, HeededSocket(self.sock) if is_in_attempt() else self.sock)

    def hear_on(self, method: str, sock: "socket.socket | Resumed | HeededSocket") -> HTTPResponse:
        """An answer that may come in parts."""
        answer = PlainResponse(sock, method=method)  # type: ignore[arg-type]
        answer.begin()
        if answer.will_close:
            # The answer holds the socket open until it has been read.
            self.close()
        return answer


class OneSendTls(OneSend, HTTPSConnection):
    """The same over TLS."""


class Idle(msgspec.Struct, frozen=True):
    """A connection that waits for its next call."""

    connection: OneSend
    since: float


class ServerCalls:
    """Calls of one server from any thread; connections are kept open and lent to one call at a time."""

    def __init__(self, url: str, settings: ClientSettings, connect_max: float) -> None:
        self._url = url
        self._connect_max = connect_max
        self._parts = urlsplit(url)
        self._path = self._parts.path.rstrip("/")
        self._fields = head_fields({"host": self._parts.netloc.rpartition("@")[2]} | headers(settings))
        self._idle: deque[Idle] = deque()
        self._process = os.getpid()
        self._clock = SystemClock()
        self._tls = trust(settings.ca_file) if self._parts.scheme == "https" else None

    def call(self, request: Request[T]) -> T:
        return self.finish(self.begin(request), request)

    def stream(self, request: Request[bytes]) -> Generator[str, None, None]:
        """The lines of an answer as they come, until the server ends it."""
        connection = self._new()
        try:
            self._ask(connection, request)
            answer = connection.hear_heeding(request.method)
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

    def begin(self, request: Request[T]) -> OneSend:
        """Send it; whoever begins a call finishes it."""
        connection = self._lend()
        try:
            self._ask(connection, request)
        except (OSError, HTTPException) as error:
            connection.close()
            # Nothing, or not all of it, has left: no server acts on half a request.
            raise unreachable(self._url, error, unsent=True) from error
        return connection

    def finish(self, connection: OneSend, request: Request[T]) -> T:
        try:
            answer = connection.hear_heeding(request.method) if request.wait else connection.hear(request.method)
            content = answer.read()
        except (OSError, HTTPException) as error:
            connection.close()
            raise unreachable(self._url, error) from error
        except BaseException:
            # Interrupted: the answer would be taken for that of the next call.
            connection.close()
            raise
        self._idle.append(Idle(connection, self._clock.monotonic()))
        return parse(request, answer.status, content, Origin(self._url, answer.headers))

    def _ask(self, connection: OneSend, request: Request[T]) -> None:
        path = self._path + request.path
        if request.params:
            check_params(request.params)
            path += "?" + urlencode(request.params, doseq=True)
        extra = {**request.headers, **JSON} if request.body is not None else request.headers
        if connection.sock is None:
            connection.connect()
        if connection.sock.gettimeout() != (patience := TIMEOUT + request.wait):
            connection.sock.settimeout(patience)
        connection.ask(request.method, path, request.body, self._fields + head_fields(extra))

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
            return OneSendTls(host, port, timeout=self._connect_max, context=self._tls)
        return OneSend(host, port, timeout=self._connect_max)


def head_fields(fields: Mapping[str, str]) -> str:
    """The lines of a head; raises ValueError if one of them would be two."""
    for name, value in fields.items():
        if "\r" in value or "\n" in value:
            raise ValueError(f"the header {name} has a line break")
    return "".join([f"{name}: {value}\r\n" for name, value in fields.items()])


def is_over(connection: HTTPConnection) -> bool:
    """Whether the other side has closed it: then there is something to read, namely the end."""
    if connection.sock is None:
        return True
    readable, _, _ = select.select([connection.sock], [], [], 0)
    return bool(readable)
