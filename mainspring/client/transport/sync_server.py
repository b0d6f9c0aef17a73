"""Calls of one server from any thread."""

import os
from collections import deque
from collections.abc import Generator

import msgspec

from mainspring.client.calls import Request, T
from mainspring.client.transport.endpoint import Endpoint
from mainspring.client.transport.fail_over import may_resend
from mainspring.client.transport.http11.errors import ResponseError
from mainspring.client.transport.http11.lines import Lines
from mainspring.client.transport.http11.response import ResponseReader
from mainspring.client.transport.idle import IDLE_COUNT, IDLE_MAX, is_over
from mainspring.client.transport.servers import TIMEOUT, unreachable
from mainspring.client.transport.sync_connection import SyncConnection, connect
from mainspring.clock import SystemClock
from mainspring.domain.runs.current import is_in_attempt

FAILURES = (OSError, ResponseError)


class Exchange(msgspec.Struct):
    """A request that was sent, and the connection that its answer comes by."""

    connection: SyncConnection
    reused: bool


class SyncServer:
    """Connections are kept open and lent to one call at a time."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._idle: deque[SyncConnection] = deque()
        self._process = os.getpid()
        self._monotonic = SystemClock().monotonic

    def call(self, request: Request[T]) -> T:
        return self.finish(self.begin(request), request)

    def begin(self, request: Request[T]) -> Exchange:
        """Sends a call; the thread that begins it finishes it."""
        data = self.endpoint.encode(request)
        connection = self._lend()
        return self._send(data, request, connection, reused=connection is not None)

    def finish(self, exchange: Exchange, request: Request[T]) -> T:
        connection, response = exchange.connection, ResponseReader(request.method)
        try:
            connection.read(response, heeding=bool(request.wait) and is_in_attempt())
        except FAILURES as error:
            connection.close()
            if exchange.reused and may_resend(request, error):
                return self.finish(self._send(self.endpoint.encode(request), request, None), request)
            raise unreachable(self.endpoint.url, error) from error
        except BaseException:
            # Interrupted: the answer would be taken for that of the next call.
            connection.close()
            raise
        self._keep(connection, response)
        return self.endpoint.read(request, response, response.take())

    def stream(self, request: Request[bytes]) -> Generator[str, None, None]:
        """The lines of an answer as they come, until the server ends it."""
        connection = self._send(self.endpoint.encode(request), request, None).connection
        try:
            yield from self._lines(connection, request)
        except FAILURES as error:
            raise unreachable(self.endpoint.url, error) from error
        finally:
            connection.close()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _lines(self, connection: SyncConnection, request: Request[bytes]) -> Generator[str, None, None]:
        response, lines, heeding = ResponseReader(request.method), Lines(), is_in_attempt()
        while not response.status:
            connection.read_more(response, heeding=heeding)
        if response.status >= 300:
            connection.read(response)
            self.endpoint.read(request, response, response.take())
        yield from lines.feed(response.take())
        while not response.complete:
            connection.read_more(response, heeding=heeding)
            yield from lines.feed(response.take())
        yield from lines.close()

    def _send(
        self, data: bytes, request: Request[T], connection: SyncConnection | None, *, reused: bool = False
    ) -> Exchange:
        try:
            connection = connection or connect(self.endpoint)
            connection.send(data, TIMEOUT + request.wait)
        except FAILURES as error:
            if connection is not None:
                connection.close()
            if reused:
                return self._send(data, request, None)
            # Nothing, or not all of it, has left: no server acts on half a request.
            raise unreachable(self.endpoint.url, error, unsent=True) from error
        return Exchange(connection, reused)

    def _keep(self, connection: SyncConnection, response: ResponseReader) -> None:
        if not response.keep_alive or len(self._idle) >= IDLE_COUNT:
            connection.close()
            return
        connection.idle_since = self._monotonic()
        self._idle.append(connection)

    def _lend(self) -> SyncConnection | None:
        """The connection used last that is still good, if there is one."""
        if self._process != os.getpid():
            # Forked, as by a server that loads first: two processes on one connection would read each other's answers.
            self._process = os.getpid()
            self.close()
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                break
            if self._monotonic() - connection.idle_since < IDLE_MAX and not is_over(connection.sock):
                return connection
            connection.close()
        return None
