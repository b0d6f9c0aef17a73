"""Namespaces, access tokens, users, and the audit log."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict, Unpack

from mainspring.client.calls import AsyncCall, ask
from mainspring.client.values import instant_text, plain_seconds
from mainspring.contract.access import (
    AuditPage,
    InvitedUser,
    IssuedToken,
    NamespaceInfo,
    SignInInfo,
    TokenInfo,
    TokenPage,
    UserInfo,
    UserPage,
)
from mainspring.contract.insights import preferences
from mainspring.contract.insights.preferences import PreferencesInfo
from mainspring.contract.operations import access, users
from mainspring.domain.access.preferences import Density, Language, Range, Theme


class Choices(TypedDict, total=False):
    language: Language | None
    theme: Theme | None
    density: Density | None
    zone: str | None
    own_zone: str | None
    keys: bool | None
    range: Range | None


class AsyncNamespaces:
    """`client.namespaces` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> NamespaceInfo:
        return await self._call(ask(access.GET_NAMESPACE, name))

    async def create(self, name: str, *, description: str = "") -> NamespaceInfo:
        body = access.NewNamespaceBody(name=name, description=description)
        return await self._call(ask(access.CREATE_NAMESPACE, body=body))

    async def delete(self, name: str) -> None:
        """Delete a namespace; raises ConflictError if it is not empty."""
        await self._call(ask(access.DELETE_NAMESPACE, name))

    async def list(self) -> tuple[NamespaceInfo, ...]:
        """All namespaces that the token reaches."""
        return tuple((await self._call(ask(access.LIST_NAMESPACES))).namespaces)


class AsyncPreferences:
    """`client.preferences` of an `AsyncClient`: what the caller chose for the console."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self) -> PreferencesInfo:
        return await self._call(ask(preferences.GET_PREFERENCES))

    async def set(self, **chosen: Unpack[Choices]) -> PreferencesInfo:
        """Replaces all: what is left out is chosen no more."""
        return await self._call(ask(preferences.SET_PREFERENCES, body=preferences.PreferencesBody(**chosen)))


class AsyncAudit:
    """`client.audit` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(
        self,
        *,
        actor: str | None = None,
        kind: str | None = None,
        key: str | None = None,
        act: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> AuditPage:
        span = {"since": instant_text(since, "since"), "until": instant_text(until, "until")}
        query = access.AuditQuery(actor=actor, kind=kind, key=key, act=act, limit=limit, cursor=cursor, **span)
        return await self._call(ask(access.LIST_AUDIT, query=query))


class AsyncTokens:
    """`client.tokens` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(
        self,
        name: str,
        role: str,
        *,
        namespace: str | None = None,
        queues: Sequence[str] = (),
        expires_in: float | timedelta | None = None,
    ) -> IssuedToken:
        """Create a token for the client's namespace, another one, or all (`*`); `expires_in` is in seconds."""
        wanted: dict[str, Any] = {"name": name, "role": role, "namespace": namespace}
        wanted["expires_in"] = None if expires_in is None else plain_seconds(expires_in)
        body = wanted | ({"queues": list(queues)} if queues else {})
        return await self._call(ask(access.CREATE_TOKEN, body=body))

    async def get(self, token: str) -> TokenInfo:
        return await self._call(ask(access.GET_TOKEN, token))

    async def rotate(self, token: str, *, overlap: float | timedelta = 0) -> IssuedToken:
        """Give a token another secret; the old one stays valid for `overlap` seconds."""
        return await self._call(ask(access.ROTATE_TOKEN, token, body=access.RotateBody(overlap=plain_seconds(overlap))))

    async def revoke(self, token: str) -> TokenInfo:
        return await self._call(ask(access.REVOKE_TOKEN, token))

    async def list(
        self, *, role: str | None = None, active: bool = False, limit: int = 50, cursor: str | None = None
    ) -> TokenPage:
        query = access.TokenQuery(role=role, active=active, limit=limit, cursor=cursor)
        return await self._call(ask(access.LIST_TOKENS, query=query))


class AsyncUsers:
    """`client.users` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(self, name: str, roles: Mapping[str, str], *, display_name: str = "") -> InvitedUser:
        """Create a user with a role for each namespace (`*`: all); the answer has the code of an invitation."""
        body = {"name": name, "display_name": display_name, "roles": dict(roles)}
        return await self._call(ask(users.CREATE_USER, body=body))

    async def get(self, name: str) -> UserInfo:
        return await self._call(ask(users.GET_USER, name))

    async def change(
        self,
        name: str,
        *,
        roles: Mapping[str, str] | None = None,
        display_name: str | None = None,
        disabled: bool | None = None,
    ) -> UserInfo:
        """Change a user; what is None stays as it is. `roles` replaces all roles."""
        wanted = {"roles": None if roles is None else dict(roles), "display_name": display_name, "disabled": disabled}
        body = {field: value for field, value in wanted.items() if value is not None}
        return await self._call(ask(users.CHANGE_USER, name, body=body))

    async def invite(self, name: str) -> InvitedUser:
        """Make a new invitation, with which the user chooses a password."""
        return await self._call(ask(users.INVITE_USER, name))

    async def delete(self, name: str) -> None:
        await self._call(ask(users.DELETE_USER, name))

    async def sign_ins(self, name: str) -> tuple[SignInInfo, ...]:
        """The latest sign-ins of a user."""
        return tuple((await self._call(ask(users.LIST_SIGN_INS, name))).sign_ins)

    async def end_sign_ins(self, name: str) -> None:
        """End the sign-ins of a user on all servers."""
        await self._call(ask(users.END_SIGN_INS, name))

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> UserPage:
        return await self._call(ask(users.LIST_USERS, query=users.UserQuery(limit=limit, cursor=cursor)))
