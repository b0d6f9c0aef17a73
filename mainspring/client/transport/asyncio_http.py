"""HTTP for asyncio, to whichever of the servers takes the call."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from mainspring.client.calls import Request, T
from mainspring.client.transport.asyncio_server import AsyncServer
from mainspring.client.transport.fail_over import none_left
from mainspring.client.transport.route import Route
from mainspring.client.transport.servers import Given, find_server
from mainspring.client.waiting_in_handlers import heeded
from mainspring.domain.runs.current import has_to_look
from mainspring.errors import UnavailableError


class AsyncTransport:
    """Carries requests from one event loop."""

    def __init__(self, given: Given, ca_file: str | None = None) -> None:
        self._route = Route(find_server(given, ca_file=ca_file), AsyncServer)

    @property
    def pressure(self) -> float:
        return self._route.pressure

    async def call(self, request: Request[T]) -> T:
        if (only := self._route.only) is not None:
            return await _ask(only, request)
        errors: list[UnavailableError] = []
        for server in self._route.order():
            try:
                answer = await _ask(server, request)
            except UnavailableError as error:
                self._route.note_failure(server, request, error)
                errors.append(error)
                continue
            self._route.answered(server)
            return answer
        raise none_left(errors)

    async def stream(self, request: Request[bytes]) -> AsyncGenerator[str, None]:
        """The lines of an answer as they come, until the server ends it."""
        errors: list[UnavailableError] = []
        for server in self._route.order():
            begun = False
            try:
                async with aclosing(server.stream(request)) as lines:
                    async for line in lines:
                        begun = True
                        yield line
            except UnavailableError as error:
                self._route.note_failure(server, request, error)
                if begun:
                    # The caller knows how far it has read, and asks for the rest.
                    raise
                errors.append(error)
                continue
            self._route.answered(server)
            return
        raise none_left(errors)

    async def close(self) -> None:
        self._route.close()


async def _ask(server: AsyncServer, request: Request[T]) -> T:
    asking = server.call(request)
    return await (heeded(asking) if request.wait and has_to_look() else asking)
