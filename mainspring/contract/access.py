"""Access: namespaces, tokens and the audit log."""

from datetime import datetime
from typing import Annotated, Any

from mainspring.contract.base.view import View, one_of
from mainspring.domain.access.permissions import Role

RoleText = Annotated[str, one_of(Role)]


class ActorInfo(View, frozen=True):
    name: str
    token: str = ""
    """The token's id; empty for Mainspring itself."""


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
    """The token that was shown."""

    id: str
    name: str
    role: RoleText
    namespace: str
    """`*`: all of them."""
    permissions: list[str]
    expires_at: datetime | None
    """When what was shown ends: with the token, or with the overlap of a rotation."""
