"""HTTP for asyncio, to whichever of the servers takes the call."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from mainspring.client.calls import Request, T
from mainspring.client.transport.asyncio_server import AsyncServer
from mainspring.client.transport.endpoint import endpoints_of
from mainspring.client.transport.fail_over import Choice, none_left
from mainspring.client.transport.servers import Given, find_server
from mainspring.client.waiting_in_handlers import heeded
from mainspring.clock import SystemClock
from mainspring.domain.runs.current import has_to_look
from mainspring.errors import UnavailableError


class AsyncTransport:
    """Carries requests from one event loop."""

    def __init__(self, given: Given, ca_file: str | None = None) -> None:
        self._servers = [AsyncServer(each) for each in endpoints_of(find_server(given, ca_file=ca_file))]
        self._choice = Choice(len(self._servers))
        self._monotonic = SystemClock().monotonic

    async def call(self, request: Request[T]) -> T:
        if len(self._servers) == 1:
            return await self._call(0, request)
        errors: list[UnavailableError] = []
        for at in self._choice.order(self._monotonic()):
            try:
                answer = await self._call(at, request)
            except UnavailableError as error:
                self._choice.note_failure(at, request, error, self._monotonic())
                errors.append(error)
                continue
            self._choice.answered(at)
            return answer
        raise none_left(errors)

    async def stream(self, request: Request[bytes]) -> AsyncGenerator[str, None]:
        """The lines of an answer as they come, until the server ends it."""
        errors: list[UnavailableError] = []
        for at in self._choice.order(self._monotonic()):
            begun = False
            try:
                async with aclosing(self._servers[at].stream(request)) as lines:
                    async for line in lines:
                        begun = True
                        yield line
            except UnavailableError as error:
                self._choice.note_failure(at, request, error, self._monotonic())
                if begun:
                    # The caller knows how far it has read, and asks for the rest.
                    raise
                errors.append(error)
                continue
            self._choice.answered(at)
            return
        raise none_left(errors)

    async def close(self) -> None:
        for server in self._servers:
            server.close()

    async def _call(self, at: int, request: Request[T]) -> T:
        asking = self._servers[at].call(request)
        return await (heeded(asking) if request.wait and has_to_look() else asking)
