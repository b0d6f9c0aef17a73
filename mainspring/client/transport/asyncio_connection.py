"""One connection of an event loop to a server."""

import asyncio
from contextlib import suppress
from typing import Any, cast

from mainspring.client.transport.endpoint import Endpoint, check_tunnel
from mainspring.client.transport.http11.errors import NoAnswerError, ResponseError
from mainspring.client.transport.http11.response import ResponseReader
from mainspring.client.transport.idle import is_over

HELD_MAX = 1024 * 1024
"""Bytes of a stream that may wait for their reader; then the server waits."""


class AsyncConnection(asyncio.Protocol):
    """Carries one request at a time."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport = cast("asyncio.Transport", None)
        self._response: ResponseReader | None = None
        self._streamed = False
        self._wanted: asyncio.Future[None] | None = None
        """Done when the response is complete; of a stream, when some of it has come."""
        self._failure: Exception | None = None
        self._held = 0
        self._patience = self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.idle_since = 0.0

    @property
    def usable(self) -> bool:
        """Whether a request can be sent, as far as anyone can know before."""
        return not self._transport.is_closing() and not is_over(self._transport.get_extra_info("socket"))

    async def ask(self, request: bytes, response: ResponseReader, patience: float) -> None:
        """Send a request and read its response. A caller that is interrupted meanwhile leaves no connection to others."""
        self._begin(request, response, patience)
        try:
            await self._more()
        except BaseException:
            self.abort()
            raise
        finally:
            self._response = None

    async def begin_stream(self, request: bytes, response: ResponseReader, patience: float) -> None:
        """Send a request; return when its response has begun."""
        self._streamed = True
        self._begin(request, response, patience)
        while not response.status:
            await self._more()

    async def go_on(self, response: ResponseReader) -> bytes:
        """The next content of a stream; empty at its end."""
        while not (content := response.take()) and not response.complete:
            await self._more()
        if self._held > HELD_MAX:
            self._transport.resume_reading()
        self._held = 0
        return content

    def abort(self) -> None:
        self._transport.abort()

    def close(self) -> None:
        self._transport.close()

    async def secure(self, endpoint: Endpoint) -> None:
        """Open the way through a proxy, and speak TLS from then on."""
        assert endpoint.tls is not None
        response = ResponseReader("CONNECT")
        await self.ask(endpoint.tunnel, response, endpoint.connect_max)
        check_tunnel(response)
        secured = await self._loop.start_tls(self._transport, self, endpoint.tls, server_hostname=endpoint.host)
        assert secured is not None
        self._transport = secured

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        response = self._response
        if response is None:
            # Nobody asked for anything.
            self._transport.abort()
            return
        try:
            response.feed(data)
        except ResponseError as error:
            self._fail(error)
            self._transport.abort()
            return
        if self._streamed:
            self._hold(len(data))
        if response.complete or self._streamed:
            self._wake()
        else:
            self._deadline = self._loop.time() + self._patience

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            if self._response is not None:
                self._response.close()
        except OSError as error:
            self._fail(exc or error)
        else:
            self._failure = self._failure or NoAnswerError("the connection was closed")
            self._wake()

    def _begin(self, request: bytes, response: ResponseReader, patience: float) -> None:
        self._response = response
        self._patience = patience
        self._transport.write(request)

    async def _more(self) -> None:
        response = self._response
        if response is not None and response.complete:
            return
        if self._failure is not None:
            raise self._failure
        self._set_timer()
        self._wanted = self._loop.create_future()
        try:
            await self._wanted
        finally:
            self._wanted = None

    def _set_timer(self) -> None:
        """One for the connection and not for each call: a call is usually over before it rings."""
        self._deadline = self._loop.time() + self._patience
        if self._timer is not None and self._timer.when() > self._deadline:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self._loop.call_at(self._deadline, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._wanted is None:
            # Idle, or its reader is busy elsewhere.
            return
        if self._loop.time() < self._deadline:
            self._timer = self._loop.call_at(self._deadline, self._ring)
            return
        self._fail(TimeoutError("no answer in time"))
        self._transport.abort()

    def _hold(self, size: int) -> None:
        self._held += size
        if self._held > HELD_MAX:
            self._transport.pause_reading()

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_exception(self._failure)

    def _wake(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)


async def connect(endpoint: Endpoint) -> AsyncConnection:
    async with asyncio.timeout(endpoint.connect_max):
        host, port = endpoint.address
        loop = asyncio.get_running_loop()
        if not endpoint.tunnel:
            named: dict[str, Any] = {} if endpoint.tls is None else {"server_hostname": endpoint.host}
            _, connection = await loop.create_connection(AsyncConnection, host, port, ssl=endpoint.tls, **named)
            return connection
        _, connection = await loop.create_connection(AsyncConnection, host, port)
        try:
            await connection.secure(endpoint)
        except BaseException:
            with suppress(OSError):
                connection.abort()
            raise
        return connection
