"""Access: namespaces, tokens, users and the audit log."""

from datetime import datetime
from typing import Annotated, Any

from mainspring.contract.base.view import View, one_of
from mainspring.domain.access.permissions import Role

RoleText = Annotated[str, one_of(Role)]


class ActorInfo(View, frozen=True):
    name: str
    token: str = ""
    """The id of the token or of the sign-in; empty for Mainspring itself."""


class AuditEntryInfo(View, frozen=True, kw_only=True):
    """One change."""

    position: int
    at: datetime
    actor: ActorInfo
    namespace: str
    """Empty: of the whole cluster."""
    act: str
    kind: str
    key: str
    details: Any = {}
    """An object: what it was before, the reason given, how many."""


class AuditPage(View, frozen=True):
    """A page, newest first; `next` is the cursor of the next one."""

    entries: list[AuditEntryInfo]
    next: str | None


class NamespaceInfo(View, frozen=True):
    name: str
    description: str
    created_at: datetime | None = None
    """None: it has been there since the beginning."""
    weight: float | None = None
    """How often its runs are claimed beside those of other namespaces; null: 1."""


class NamespacePage(View, frozen=True):
    """All that the token reaches, by name."""

    namespaces: list[NamespaceInfo]


class TokenInfo(View, frozen=True, kw_only=True):
    """A token without its secret, which is shown only once."""

    id: str
    name: str
    role: RoleText
    namespace: str
    queues: tuple[str, ...] = ()
    state: str
    created_by: str
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    """To the minute."""
    rotated_at: datetime | None = None
    overlap_until: datetime | None = None
    revoked_at: datetime | None = None


class IssuedToken(View, frozen=True):
    """`text` is the secret; it is shown only once."""

    text: str
    token: TokenInfo


class TokenPage(View, frozen=True):
    """A page; `next` is the cursor of the next one."""

    tokens: list[TokenInfo]
    next: str | None


class WhoamiInfo(View, frozen=True, kw_only=True):
    """The caller: a token, or a user who is signed in."""

    id: str
    """Of the token, or of the sign-in."""
    name: str
    role: RoleText
    """In the namespace that the call is about."""
    namespace: str
    """`*`: all of them."""
    permissions: list[str]
    expires_at: datetime | None
    """When what was shown ends: with the token, with the overlap of a rotation, or with the sign-in."""
    roles: dict[str, RoleText] = {}
    """Of a user: by namespace."""
    csrf: str = ""
    """Of a sign-in: the value of the header `Mainspring-Csrf`, which its changes need."""


class SignedInInfo(View, frozen=True):
    """A sign-in that has begun; its secret is in the cookie."""

    name: str
    csrf: str
    expires_at: datetime


class ProviderInfo(View, frozen=True):
    """An identity provider where people may sign in: `/api/v1/sign-in/providers/<name>` in the browser."""

    name: str
    title: str
    """Text of the button."""


class ProviderList(View, frozen=True):
    providers: list[ProviderInfo]


class InvitationInfo(View, frozen=True):
    """An invitation that can be accepted."""

    name: str
    """The user's name; empty: the first admin chooses one."""
    expires_at: datetime


class UserInfo(View, frozen=True, kw_only=True):
    """A user without the password."""

    name: str
    display_name: str
    roles: dict[str, RoleText]
    has_password: bool
    is_external: bool
    """Signs in at an identity provider."""
    created_by: str
    created_at: datetime
    password_at: datetime | None = None
    disabled_at: datetime | None = None


class InvitedUser(View, frozen=True):
    """A user, and the code of an invitation: `/console/start#<code>` in the browser. It is shown only once."""

    user: UserInfo
    code: str
    expires_at: datetime


class UserPage(View, frozen=True):
    """A page by name; `next` is the cursor of the next one."""

    users: list[UserInfo]
    next: str | None


class SignInInfo(View, frozen=True, kw_only=True):
    """A browser in which a user is or was signed in."""

    id: str
    state: Annotated[str, one_of(("active", "ended", "expired"))]
    address: str
    browser: str
    created_at: datetime
    seen_at: datetime
    """To the minute."""
    expires_at: datetime
    is_own: bool
    """The one that asks."""


class SignInPage(View, frozen=True):
    """The latest, newest first."""

    sign_ins: list[SignInInfo]
