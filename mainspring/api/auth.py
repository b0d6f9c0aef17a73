"""Who may do what: every route names its permission, every caller shows a token."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from datetime import UTC, datetime
from typing import Any, TypeVar

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from mainspring.api.engine_gate import PLACE, Seat, asked_namespace, seat_of
from mainspring.api.http.disclosure import introduce
from mainspring.api.http.headers import header
from mainspring.api.http.paths import with_slashes
from mainspring.api.openapi.parameters import known_to, refuse_unknown
from mainspring.domain.access.permissions import NAMESPACE_ALL, Actor, Permission, Role
from mainspring.domain.access.token import AccessToken, Grant, check_permission, check_reach, digest_of
from mainspring.errors import AccessDeniedError, UnavailableError
from mainspring.settings import ServerSettings

__all__ = [
    "DirectRoute",
    "Doorkeeper",
    "GuardedRoute",
    "Permission",
    "actor_of",
    "fixed_grants",
    "grant_of",
    "permission_of",
    "require",
    "still_welcome",
]

Endpoint = TypeVar("Endpoint", bound=Callable[..., Awaitable[Any]])
Handler = Callable[[Request], Coroutine[Any, Any, Response]]

GRANT = "mainspring.grant"
"""Where a connection's scope holds what it was let in with."""
PLACELESS = frozenset(
    {Permission.NAMESPACES_READ, Permission.NAMESPACES_WRITE, Permission.AUDIT_READ, Permission.EXECUTORS_CONNECT}
)
"""What works whether or not the namespace that the caller names is there: making it, or reading what became of it."""


class Doorkeeper:
    """Lets callers in by their token: one from the settings, or one that the store knows."""

    def __init__(self, seat: Seat, fixed: Iterable[Grant]) -> None:
        self._seat = seat
        self._fixed = {grant.digest: grant for grant in fixed}

    async def admit(self, connection: HTTPConnection, permission: Permission) -> Grant:
        """Raises AccessDeniedError without a good token, ForbiddenError if it does not reach that far."""
        grant = await self._grant(bearer(connection))
        check_permission(grant.token, permission)
        connection.scope[GRANT] = grant
        connection.scope[PLACE] = await self._place(connection, grant, permission)
        introduce(connection)
        return grant

    async def recognise(self, connection: HTTPConnection) -> Grant | None:
        """What the caller of an open route was let in with, if it has shown a good token."""
        try:
            grant = await self._grant(bearer(connection))
        except (AccessDeniedError, UnavailableError):
            return None
        introduce(connection)
        return grant

    async def _grant(self, text: str) -> Grant:
        if self._fixed and (grant := self._fixed.get(digest_of(text))) is not None:
            return grant
        return await self._seat.engine().access.admit(text)

    async def _place(self, connection: HTTPConnection, grant: Grant, permission: Permission) -> str | None:
        """The namespace that the call is about; None if neither the caller nor the token names one."""
        asked = asked_namespace(connection)
        if asked is None:
            return None if grant.token.namespace == NAMESPACE_ALL else grant.token.namespace
        check_reach(grant.token, asked)
        if permission not in PLACELESS:
            await self._seat.engine().access.check_namespace(asked)
        return asked


def bearer(connection: HTTPConnection) -> str:
    """The token that the caller shows."""
    scheme, _, token = header(connection, b"authorization").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise AccessDeniedError("a token is needed: send 'Authorization: Bearer <token>'", code="token_missing")
    return token.strip()


def fixed_grants(settings: ServerSettings) -> list[Grant]:
    """What the tokens in the settings open."""
    given = [
        ("MAINSPRING_API_TOKEN", settings.api_token, Role.ADMIN),
        ("MAINSPRING_EXECUTOR_TOKEN", settings.executor_token, Role.EXECUTOR),
    ]
    return [fixed_grant(name, text, role) for name, text, role in given if text]


def fixed_grant(name: str, text: str, role: Role) -> Grant:
    """Everything that the role may, in all namespaces, for ever."""
    digest = digest_of(text)
    token = AccessToken(
        id=name,
        name=name,
        role=role,
        namespace=NAMESPACE_ALL,
        digest=digest,
        created_by="settings",
        created_at=datetime(1970, 1, 1, tzinfo=UTC),
    )
    return Grant(token, digest, fixed=True)


def grant_of(connection: HTTPConnection) -> Grant:
    """What the caller was let in with."""
    grant: Grant = connection.scope[GRANT]
    return grant


def actor_of(connection: HTTPConnection) -> Actor:
    """Who is asking, for the audit log."""
    return grant_of(connection).actor


def still_welcome(connection: HTTPConnection) -> bool:
    """Whether a caller who stays may stay: nothing was revoked and nothing has expired meanwhile."""
    return seat_of(connection).engine().access.denial(grant_of(connection)) is None


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

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        # Generated clients call their functions by it.
        super().__init__(path, endpoint, **{**options, "operation_id": endpoint.__name__})

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child_scope = super().matches(scope)
        if child_scope.get("path_params"):
            if scope["path"] in scope["app"].literal_paths:
                # Of its own, and not one in which a parameter happens to have that value.
                return Match.NONE, {}
            child_scope["path_params"] = with_slashes(child_scope["path_params"])
        return match, child_scope

    def get_route_handler(self) -> Handler:
        return guarded(super().get_route_handler(), permission_of(self.endpoint), known_to(self))


class DirectRoute(GuardedRoute):
    """A guarded route whose endpoint takes the bare request: nothing of it is parsed by FastAPI."""

    def get_route_handler(self) -> Handler:
        return guarded(self.endpoint, permission_of(self.endpoint), known_to(self))


def guarded(handler: Handler, permission: Permission, parameters: frozenset[str]) -> Handler:
    if permission is Permission.OPEN:
        return handler

    async def guard(request: Request) -> Response:
        await request.app.state.doorkeeper.admit(request, permission)
        if request.scope["query_string"]:
            refuse_unknown(request, parameters)
        return await handler(request)

    return guard
