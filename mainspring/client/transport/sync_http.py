"""HTTP for plain code, to whichever of the servers takes the call."""

from collections import deque
from collections.abc import Generator, Iterable
from contextlib import closing, suppress

from mainspring.client.calls import Request, T
from mainspring.client.transport.fail_over import none_left
from mainspring.client.transport.route import Route
from mainspring.client.transport.servers import Given, find_server
from mainspring.client.transport.sync_server import Exchange, SyncServer
from mainspring.errors import MainspringError, UnavailableError

TOGETHER = 2
"""Calls of one caller that may be under way."""

Begun = tuple[SyncServer, Exchange]
"""Which server has got a request, and the way by which its answer comes."""


class SyncTransport:
    """Carries requests from any thread."""

    def __init__(self, given: Given, ca_file: str | None = None) -> None:
        self._route = Route(find_server(given, ca_file=ca_file), SyncServer)

    @property
    def pressure(self) -> float:
        return self._route.pressure

    def call(self, request: Request[T]) -> T:
        if (only := self._route.only) is not None:
            return only.call(request)
        return self._ask_in_turn(request, [])

    def call_each(self, requests: Iterable[Request[T]]) -> Generator[T, None, None]:
        """The answers in order. While one is waited for the next request is on its way, so that the server reads one and
        the database writes another at the same time."""
        under_way: deque[tuple[Begun, Request[T]]] = deque()
        try:
            for request in requests:
                under_way.append((self._begin(request), request))
                if len(under_way) == TOGETHER:
                    yield self._finish(*under_way.popleft())
            while under_way:
                yield self._finish(*under_way.popleft())
        finally:
            # One was refused: the other comes to its end too, so that it is not left open whether it was accepted.
            for begun, request in under_way:
                with suppress(MainspringError):
                    self._finish(begun, request)

    def stream(self, request: Request[bytes]) -> Generator[str, None, None]:
        """The lines of an answer as they come, until the server ends it."""
        errors: list[UnavailableError] = []
        for server in self._route.order():
            begun = False
            try:
                with closing(server.stream(request)) as lines:
                    for line in lines:
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

    def close(self) -> None:
        self._route.close()

    def _ask_in_turn(self, request: Request[T], errors: list[UnavailableError]) -> T:
        for server in self._route.order():
            try:
                answer = server.call(request)
            except UnavailableError as error:
                self._route.note_failure(server, request, error)
                errors.append(error)
                continue
            self._route.answered(server)
            return answer
        raise none_left(errors)

    def _begin(self, request: Request[T]) -> Begun:
        errors: list[UnavailableError] = []
        for server in self._route.order():
            try:
                return server, server.begin(request)
            except UnavailableError as error:
                self._route.note_failure(server, request, error)
                errors.append(error)
        raise none_left(errors)

    def _finish(self, begun: Begun, request: Request[T]) -> T:
        server, exchange = begun
        try:
            answer = server.finish(exchange, request)
        except UnavailableError as error:
            self._route.note_failure(server, request, error)
            if self._route.only is not None:
                raise
            return self._ask_in_turn(request, [error])
        self._route.answered(server)
        return answer
