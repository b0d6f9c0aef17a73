"""Generated from mainspring/client/nouns/access.py by `make client-sync`: do not edit."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Unpack

from mainspring.client.calls import SyncCall, ask
from mainspring.client.nouns.access import Choices
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


class Namespaces:
    """`client.namespaces` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> NamespaceInfo:
        return self._call(ask(access.GET_NAMESPACE, name))

    def create(self, name: str, *, description: str = "") -> NamespaceInfo:
        body = access.NewNamespaceBody(name=name, description=description)
        return self._call(ask(access.CREATE_NAMESPACE, body=body))

    def delete(self, name: str) -> None:
        """Delete a namespace; raises ConflictError if it is not empty."""
        self._call(ask(access.DELETE_NAMESPACE, name))

    def list(self) -> tuple[NamespaceInfo, ...]:
        """All namespaces that the token reaches."""
        return tuple((self._call(ask(access.LIST_NAMESPACES))).namespaces)


class Preferences:
    """`client.preferences` of a `Client`: what the caller chose for the console."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self) -> PreferencesInfo:
        return self._call(ask(preferences.GET_PREFERENCES))

    def set(self, **chosen: Unpack[Choices]) -> PreferencesInfo:
        """Replaces all: what is left out is chosen no more."""
        return self._call(ask(preferences.SET_PREFERENCES, body=preferences.PreferencesBody(**chosen)))


class Audit:
    """`client.audit` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def list(
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
        return self._call(ask(access.LIST_AUDIT, query=query))


class Tokens:
    """`client.tokens` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def create(
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
        return self._call(ask(access.CREATE_TOKEN, body=body))

    def get(self, token: str) -> TokenInfo:
        return self._call(ask(access.GET_TOKEN, token))

    def rotate(self, token: str, *, overlap: float | timedelta = 0) -> IssuedToken:
        """Give a token another secret; the old one stays valid for `overlap` seconds."""
        return self._call(ask(access.ROTATE_TOKEN, token, body=access.RotateBody(overlap=plain_seconds(overlap))))

    def revoke(self, token: str) -> TokenInfo:
        return self._call(ask(access.REVOKE_TOKEN, token))

    def list(
        self, *, role: str | None = None, active: bool = False, limit: int = 50, cursor: str | None = None
    ) -> TokenPage:
        query = access.TokenQuery(role=role, active=active, limit=limit, cursor=cursor)
        return self._call(ask(access.LIST_TOKENS, query=query))


class Users:
    """`client.users` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def create(self, name: str, roles: Mapping[str, str], *, display_name: str = "") -> InvitedUser:
        """Create a user with a role for each namespace (`*`: all); the answer has the code of an invitation."""
        body = {"name": name, "display_name": display_name, "roles": dict(roles)}
        return self._call(ask(users.CREATE_USER, body=body))

    def get(self, name: str) -> UserInfo:
        return self._call(ask(users.GET_USER, name))

    def change(
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
        return self._call(ask(users.CHANGE_USER, name, body=body))

    def invite(self, name: str) -> InvitedUser:
        """Make a new invitation, with which the user chooses a password."""
        return self._call(ask(users.INVITE_USER, name))

    def delete(self, name: str) -> None:
        self._call(ask(users.DELETE_USER, name))

    def sign_ins(self, name: str) -> tuple[SignInInfo, ...]:
        """The latest sign-ins of a user."""
        return tuple((self._call(ask(users.LIST_SIGN_INS, name))).sign_ins)

    def end_sign_ins(self, name: str) -> None:
        """End the sign-ins of a user on all servers."""
        self._call(ask(users.END_SIGN_INS, name))

    def list(self, *, limit: int = 50, cursor: str | None = None) -> UserPage:
        return self._call(ask(users.LIST_USERS, query=users.UserQuery(limit=limit, cursor=cursor)))
