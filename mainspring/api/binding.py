"""Binds handlers to the operations of the contract: reads their arguments, and writes their answers."""

import functools
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.auth import BoundRoute, Endpoint
from mainspring.api.call import Call
from mainspring.api.http.json_io import read_struct, respond
from mainspring.api.input.parameters import path_reader, query_reader
from mainspring.api.input.unknown_fields import unknown_fields
from mainspring.contract.base.operation import BODY_MAX, Operation

A = TypeVar("A")
Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Any]])


class Routes:
    """The routes of a module, in the order in which they are matched."""

    def __init__(self) -> None:
        self.routes: list[BoundRoute] = []

    def bind(
        self, operation: Operation[Any], *, body: Any = None, reads_body: bool = False
    ) -> Callable[[Handler], Handler]:
        """Serve the operation by this handler: `handler(call, *parts of the path, query, body)`.

        The handler returns the answer, or a response of its own. Its body is read as `body` if that is given, and not at all
        with `reads_body`: then the handler reads it.
        """
        kind = None if reads_body else body or operation.body

        def register(handler: Handler) -> Handler:
            self.routes.append(BoundRoute(operation, endpoint_of(operation, handler, kind)))
            return handler

        return register

    def bind_direct(self, operation: Operation[Any]) -> Callable[[Endpoint], Endpoint]:
        """Serve the operation by an endpoint that gets the bare request, on the path without middleware."""

        def register(endpoint: Endpoint) -> Endpoint:
            self.routes.append(BoundRoute(operation, endpoint, direct=True))
            return endpoint

        return register


def endpoint_of(operation: Operation[Any], handler: Callable[..., Awaitable[Any]], kind: Any) -> Endpoint:
    parts, query = path_reader(operation), query_reader(operation)
    body = None if kind is None else body_reader(operation, kind)

    @functools.wraps(handler)
    async def endpoint(request: Request) -> Response:
        arguments = parts(request)
        if query is not None:
            arguments.append(query(request))
        if body is None:
            return response_of(operation, await handler(Call(request), *arguments))
        with request.app.state.intake.hold() as held:
            arguments.append(await body(request, held))
            return response_of(operation, await handler(Call(request), *arguments))

    return endpoint


def response_of(operation: Operation[Any], answer: msgspec.Struct | Response | None) -> Response:
    if isinstance(answer, Response):
        return answer
    return Response(status_code=204) if answer is None else respond(answer, status=operation.status)


def body_reader(operation: Operation[Any], kind: Any) -> Callable[..., Awaitable[Any]]:
    decoder, check = msgspec.json.Decoder(kind), unknown_fields(kind)
    most, is_large = operation.body_max, operation.body_max > BODY_MAX

    async def read(request: Request, held: Any) -> Any:
        # Small bodies take nothing from the room for large ones.
        return await read_struct(
            request, decoder, optional=operation.body_optional, most=most, held=held if is_large else None, check=check
        )

    return read
