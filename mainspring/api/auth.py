"""Who may do what: every route names its permission, every caller shows a token."""

import hmac
from collections.abc import Awaitable, Callable, Coroutine
from enum import StrEnum
from typing import Any, TypeVar

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection
from starlette.responses import Response

from mainspring.api.headers import header
from mainspring.domain.access import Actor
from mainspring.errors import AccessDeniedError

Endpoint = TypeVar("Endpoint", bound=Callable[..., Awaitable[Any]])
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Permission(StrEnum):
    OPEN = "open"
    """No token needed."""
    DOCUMENT_READ = "document:read"
    RUNS_READ = "runs:read"
    RUNS_WRITE = "runs:write"
    RUNS_STEER = "runs:steer"
    """Cancel, retry, suspend."""
    JOBS_READ = "jobs:read"
    JOBS_WRITE = "jobs:write"
    QUEUES_READ = "queues:read"
    QUEUES_STEER = "queues:steer"
    """Pause, resume."""
    QUEUES_WRITE = "queues:write"
    """Budgets."""
    EXECUTORS_READ = "executors:read"
    EXECUTORS_STEER = "executors:steer"
    """Cordon, drain."""
    EVENTS_READ = "events:read"
    NAMESPACES_READ = "namespaces:read"
    NAMESPACES_WRITE = "namespaces:write"
    TOKENS_READ = "tokens:read"
    TOKENS_WRITE = "tokens:write"
    AUDIT_READ = "audit:read"
    EXECUTORS_CONNECT = "executors:connect"


EXECUTOR_PERMISSIONS = frozenset({Permission.EXECUTORS_CONNECT})
API_PERMISSIONS = frozenset(Permission) - EXECUTOR_PERMISSIONS


class Doorkeeper:
    """Knows the tokens and what each of them opens."""

    def __init__(self, *, api_token: str, executor_token: str) -> None:
        grants = [(api_token.encode(), API_PERMISSIONS), (executor_token.encode(), EXECUTOR_PERMISSIONS)]
        self._grants = [(token, granted) for token, granted in grants if token]

    def check(self, connection: HTTPConnection, permission: Permission) -> None:
        """Raises AccessDeniedError unless the caller's token reaches that far."""
        scheme, _, token = header(connection, b"authorization").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise AccessDeniedError("a bearer token is needed: send 'Authorization: Bearer <token>'")
        if not self.permits(token.strip().encode(), permission):
            raise AccessDeniedError(f"this token does not allow {permission.value}")

    def permits(self, token: bytes, permission: Permission) -> bool:
        # All are compared, whichever matches: the time taken must not tell how far a guess came.
        matches = [hmac.compare_digest(token, known) and permission in granted for known, granted in self._grants]
        return any(matches)


def actor_of(_connection: HTTPConnection) -> Actor:
    """Who is asking, for the audit log."""
    return Actor("api token")


def require(permission: Permission) -> Callable[[Endpoint], Endpoint]:
    """Declare what a caller of this endpoint must be allowed to do."""

    def declare(endpoint: Endpoint) -> Endpoint:
        endpoint.permission = permission  # type: ignore[attr-defined]
        return endpoint

    return declare


def permission_of(endpoint: Callable[..., Any]) -> Permission:
    permission = getattr(endpoint, "permission", None)
    if not isinstance(permission, Permission):
        raise TypeError(f"endpoint {endpoint.__qualname__} declares no permission")
    return permission


class GuardedRoute(APIRoute):
    """A route that lets nobody through to its endpoint without the permission that it declares."""

    def get_route_handler(self) -> Handler:
        return guarded(super().get_route_handler(), permission_of(self.endpoint))


class DirectRoute(GuardedRoute):
    """A guarded route whose endpoint takes the bare request: nothing of it is parsed by FastAPI."""

    def get_route_handler(self) -> Handler:
        return guarded(self.endpoint, permission_of(self.endpoint))


def guarded(handler: Handler, permission: Permission) -> Handler:
    if permission is Permission.OPEN:
        return handler

    async def guard(request: Request) -> Response:
        request.app.state.doorkeeper.check(request, permission)
        return await handler(request)

    return guard
