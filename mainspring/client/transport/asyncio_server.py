"""Calls of one server from one event loop."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator

from mainspring.client.calls import Request, T
from mainspring.client.transport.asyncio_connection import AsyncConnection, connect
from mainspring.client.transport.endpoint import Endpoint
from mainspring.client.transport.fail_over import may_resend
from mainspring.client.transport.http11.errors import ResponseError
from mainspring.client.transport.http11.lines import Lines
from mainspring.client.transport.http11.response import ResponseReader
from mainspring.client.transport.idle import IDLE_COUNT, IDLE_MAX
from mainspring.client.transport.servers import TIMEOUT, unreachable
from mainspring.clock import SystemClock

CALLS_MAX = 20
"""Connections for calls that are answered at once."""
WAITS_MAX = 100
"""Connections for calls that the server holds on to, so that these never keep the others from being made."""
FAILURES = (OSError, ResponseError)


class AsyncServer:
    """Connections are kept open and lent to one call at a time; callers for whom there is none wait in turn."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._idle: deque[AsyncConnection] = deque()
        self._calls = asyncio.Semaphore(CALLS_MAX)
        self._waits = asyncio.Semaphore(WAITS_MAX)
        self._monotonic = SystemClock().monotonic

    async def call(self, request: Request[T]) -> T:
        data, response = self.endpoint.encode(request), ResponseReader(request.method)
        places = self._waits if request.wait else self._calls
        patience = TIMEOUT + request.wait
        if places.locked():
            await self._enter(places, patience)
        else:
            await places.acquire()
        try:
            connection = self._lend()
            if connection is None:
                await self._ask(await self._connect(), data, response, patience)
            else:
                response = await self._ask_idle(connection, data, request, patience)
        finally:
            places.release()
        return self.endpoint.read(request, response, response.take())

    async def stream(self, request: Request[bytes]) -> AsyncGenerator[str, None]:
        """The lines of an answer as they come, until the server ends it."""
        data, response, lines = self.endpoint.encode(request), ResponseReader(request.method), Lines()
        connection = await self._connect()
        try:
            await connection.begin_stream(data, response, TIMEOUT + request.wait)
            if response.status >= 300:
                refusal = b""
                while content := await connection.go_on(response):
                    refusal += content
                self.endpoint.read(request, response, refusal)
            while content := await connection.go_on(response):
                for line in lines.feed(content):
                    yield line
            for line in lines.close():
                yield line
        except FAILURES as error:
            raise unreachable(self.endpoint.url, error) from error
        finally:
            connection.abort()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    async def _ask_idle(
        self, connection: AsyncConnection, data: bytes, request: Request[T], patience: float
    ) -> ResponseReader:
        """The response by a connection that was used before, which the server may be closing at this moment."""
        response = ResponseReader(request.method)
        try:
            await connection.ask(data, response, patience)
        except FAILURES as error:
            if not may_resend(request, error):
                raise unreachable(self.endpoint.url, error) from error
        else:
            self._keep(connection, response)
            return response
        response = ResponseReader(request.method)
        await self._ask(await self._connect(), data, response, patience)
        return response

    async def _ask(self, connection: AsyncConnection, data: bytes, response: ResponseReader, patience: float) -> None:
        try:
            await connection.ask(data, response, patience)
        except FAILURES as error:
            raise unreachable(self.endpoint.url, error) from error
        self._keep(connection, response)

    async def _connect(self) -> AsyncConnection:
        try:
            return await connect(self.endpoint)
        except FAILURES as error:
            raise unreachable(self.endpoint.url, error, unsent=True) from error

    async def _enter(self, places: asyncio.Semaphore, patience: float) -> None:
        try:
            async with asyncio.timeout(patience):
                await places.acquire()
        except TimeoutError as error:
            raise unreachable(self.endpoint.url, error, unsent=True) from error

    def _keep(self, connection: AsyncConnection, response: ResponseReader) -> None:
        if not response.keep_alive or len(self._idle) >= IDLE_COUNT:
            connection.close()
            return
        connection.idle_since = self._monotonic()
        self._idle.append(connection)

    def _lend(self) -> AsyncConnection | None:
        """The connection used last that is still good, if there is one."""
        while self._idle:
            connection = self._idle.pop()
            if self._monotonic() - connection.idle_since < IDLE_MAX and connection.usable:
                return connection
            connection.close()
        return None
