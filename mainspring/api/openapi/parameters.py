"""Query parameters: one that a route does not know is a mistake, not something to be passed over."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from fastapi import Request
from fastapi.routing import APIRoute

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

Endpoint = TypeVar("Endpoint", bound=Callable[..., Awaitable[Any]])

EVERYWHERE = frozenset({"namespace"})


def takes(*names: str) -> Callable[[Endpoint], Endpoint]:
    """Declare parameters that an endpoint reads by itself."""

    def declare(endpoint: Endpoint) -> Endpoint:
        endpoint.parameters = names  # type: ignore[attr-defined]
        return endpoint

    return declare


def known_to(route: APIRoute) -> frozenset[str]:
    declared = {field.alias for field in route.dependant.query_params}
    return EVERYWHERE.union(declared, getattr(route.endpoint, "parameters", ()))


def refuse_unknown(request: Request, known: frozenset[str]) -> None:
    for name in request.query_params:
        if name not in known:
            reason = f"is not known here{did_you_mean(name, known)}"
            raise InvalidInputError(name, reason, code="unknown_parameter")
