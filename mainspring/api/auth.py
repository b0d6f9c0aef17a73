"""Authentication and permissions: every route names its permission, every caller shows a token or a cookie."""

import functools
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from mainspring.api.engine_gate import NAMESPACE_KEY, EngineGate, asked_namespace, gate_of
from mainspring.api.http.connections import introduce, keep_out_of_caches
from mainspring.api.http.cookies import check_change, cookie_of
from mainspring.api.http.headers import header
from mainspring.api.http.paths import SLASH, with_slashes
from mainspring.api.input.parameters import EVERYWHERE, refuse_unknown
from mainspring.api.traffic import bounded, counted
from mainspring.contract.base.operation import Operation
from mainspring.domain.access.permissions import NAMESPACE_ALL, Actor, Permission, Role
from mainspring.domain.access.token import AccessToken, Grant, check_permission, check_reach, digest_of
from mainspring.errors import AccessDeniedError, ForbiddenError, UnavailableError
from mainspring.settings import ServerSettings

__all__ = [
    "Authenticator",
    "BoundRoute",
    "Permission",
    "actor_of",
    "fixed_grants",
    "grant_of",
    "is_still_authorized",
    "permission_of",
    "require",
]

E = TypeVar("E", bound=Callable[..., Awaitable[Any]])
Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]

GRANT = "mainspring.grant"
"""The key of the grant in a connection's scope."""
PLACELESS = frozenset(
    {Permission.NAMESPACES_READ, Permission.NAMESPACES_WRITE, Permission.AUDIT_READ, Permission.EXECUTORS_CONNECT}
)
"""Permissions for calls that work whether or not the named namespace exists."""


class Authenticator:
    """Authenticates callers by a token, from the settings or the store, or by the cookie of a sign-in."""

    def __init__(self, gate: EngineGate, fixed: Iterable[Grant]) -> None:
        self._gate = gate
        self._fixed = {grant.digest: grant for grant in fixed}

    async def admit(self, connection: HTTPConnection, permission: Permission) -> Grant:
        """Raises AccessDeniedError without a good token, ForbiddenError if it does not reach that far."""
        grant = await self._caller(connection)
        check_permission(grant.token, permission)
        connection.scope[GRANT] = grant
        connection.scope[NAMESPACE_KEY] = await self._place(connection, grant, permission)
        introduce(connection)
        return grant

    async def recognise(self, connection: HTTPConnection) -> Grant | None:
        """The grant of an open route's caller, if it shows a valid token."""
        try:
            grant = await self._caller(connection)
        except (AccessDeniedError, ForbiddenError, UnavailableError):
            return None
        introduce(connection)
        return grant

    async def _caller(self, connection: HTTPConnection) -> Grant:
        shown = header(connection, b"authorization")
        # Only browsers send cookies: programs, with every enqueue, are through here.
        cookie = cookie_of(connection) if header(connection, b"cookie") else ""
        if not cookie:
            return await self.find(bearer(shown))
        if shown:
            raise AccessDeniedError("show a token or a cookie, not both", code="two_credentials")
        check_change(connection, cookie)
        keep_out_of_caches(connection)
        access = self._gate.engine().access
        sign_in = await access.admit_sign_in(cookie)
        if sign_in.token and (fixed := self._fixed.get(sign_in.token)) is not None:
            return msgspec.structs.replace(fixed, sign_in=sign_in.digest)
        return access.grant_of_sign_in(sign_in, asked=asked_namespace(connection))

    async def find(self, text: str) -> Grant:
        """The grant of a token; raises AccessDeniedError."""
        if self._fixed and (grant := self._fixed.get(digest_of(text))) is not None:
            return grant
        return await self._gate.engine().access.admit(text)

    async def _place(self, connection: HTTPConnection, grant: Grant, permission: Permission) -> str | None:
        """The namespace that the call is about; None if neither the caller nor the token names one."""
        asked = asked_namespace(connection)
        if asked is None:
            return None if grant.token.namespace == NAMESPACE_ALL else grant.token.namespace
        check_reach(grant.token, asked)
        if permission not in PLACELESS:
            await self._gate.engine().access.check_namespace(asked)
        return asked


def bearer(shown: str) -> str:
    """The token in the header `Authorization`."""
    scheme, _, token = shown.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise AccessDeniedError("a token is needed: send 'Authorization: Bearer <token>'", code="token_missing")
    return token.strip()


def fixed_grants(settings: ServerSettings) -> list[Grant]:
    """The grants of the tokens in the settings."""
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
    """The grant that the caller was admitted with."""
    grant: Grant = connection.scope[GRANT]
    return grant


def actor_of(connection: HTTPConnection) -> Actor:
    """The caller, for the audit log."""
    return grant_of(connection).actor


def is_still_authorized(connection: HTTPConnection) -> bool:
    """Whether the token of a long call is still valid."""
    return gate_of(connection).engine().access.denial(grant_of(connection)) is None


def require(permission: Permission) -> Callable[[E], E]:
    """Declare the permission of an endpoint that is no operation: the executors' WebSocket."""

    def declare(endpoint: E) -> E:
        endpoint.permission = permission  # type: ignore[attr-defined]
        return endpoint

    return declare


def permission_of(route: BaseRoute) -> Permission:
    """The permission that a route asks for; raises TypeError if it declares none."""
    if isinstance(route, BoundRoute):
        return route.operation.permission
    endpoint = getattr(route, "endpoint", None)
    permission = getattr(endpoint, "permission", None)
    if not isinstance(permission, Permission):
        raise TypeError(f"{endpoint!r} declares no permission")
    return permission


class BoundRoute(Route):
    """The route of an operation: only callers with its permission reach the endpoint.

    `direct`: the endpoint is reached without middleware.
    """

    def __init__(self, operation: Operation[Any], endpoint: Endpoint, *, direct: bool = False) -> None:
        self.operation, self.is_direct = operation, direct
        self.handler = guarded(endpoint, operation)
        super().__init__(operation.path, self.handler, methods=[operation.method], name=operation.name)
        # Starlette serves HEAD wherever it serves GET.
        self.methods = {operation.method}

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child_scope = super().matches(scope)
        if child_scope.get("path_params"):
            if scope["path"] in scope["app"].literal_paths:
                # The path has a route of its own; here a parameter would happen to have that value.
                return Match.NONE, {}
            if SLASH in scope["path"]:
                child_scope["path_params"] = with_slashes(child_scope["path_params"])
        return match, child_scope


def guarded(endpoint: Endpoint, operation: Operation[Any]) -> Endpoint:
    """The endpoint for callers that have the operation's permission and send only parameters that it knows."""
    permission, query = operation.permission, operation.query
    if permission is Permission.OPEN:
        return counted(endpoint, operation)
    names = [] if query is None else [field.encode_name for field in msgspec.structs.fields(query)]
    known = EVERYWHERE.union(names)

    @functools.wraps(endpoint)
    async def guard(request: Request) -> Response:
        await request.app.state.authenticator.admit(request, permission)
        if request.scope["query_string"]:
            refuse_unknown(request, known)
        return await endpoint(request)

    return counted(bounded(guard, operation), operation)
