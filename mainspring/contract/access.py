"""Access: namespaces, tokens and the audit log."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from mainspring.contract.view import View, one_of
from mainspring.domain.access.permissions import DESCRIPTION_MAX, NAMESPACE, PLAIN, Role
from mainspring.domain.access.token import LIFE_MAX, NAME, OVERLAP_MAX, QUEUES_MAX

Queue = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=f"^{PLAIN.pattern}$")]
Queues = Annotated[tuple[Queue, ...], msgspec.Meta(max_length=QUEUES_MAX)]


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


class NewNamespaceBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A namespace to make."""

    name: Annotated[str, msgspec.Meta(pattern=f"^{NAMESPACE.pattern}$")]
    description: Annotated[str, msgspec.Meta(max_length=DESCRIPTION_MAX, pattern=f"^{PLAIN.pattern}$")] = ""


class NamespaceInfo(View, frozen=True):
    name: str
    description: str
    created_at: datetime | None = None
    """None: it has been there since the beginning."""


class NamespacePage(View, frozen=True):
    """All that the token reaches, by name."""

    namespaces: list[NamespaceInfo]


class TokenFields(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=100, pattern=f"^{NAME.pattern}$")]
    namespace: Annotated[str, msgspec.Meta(pattern=rf"^(\*|{NAMESPACE.pattern})$")] | None = None
    """`*`: all of them; left out: the one that the call is about."""
    expires_in: Annotated[float, msgspec.Meta(ge=1, le=LIFE_MAX.total_seconds(), description="Seconds.")] | None = None


class NewTokenBody(TokenFields, kw_only=True, forbid_unknown_fields=True):
    """A token to make, for people and programs."""

    role: Literal["viewer", "operator", "editor", "admin"]


class NewExecutorTokenBody(TokenFields, kw_only=True, forbid_unknown_fields=True):
    """A token to make, for executors."""

    role: Literal["executor"]
    queues: Queues = ()
    """Those that an executor may listen to; empty: all of the namespace."""


class AnyTokenBody(TokenFields, kw_only=True, forbid_unknown_fields=True):
    """Both at once, for reading: what does not go together is found by the rules."""

    role: Role
    queues: Queues = ()


class RotateBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    overlap: Annotated[float, msgspec.Meta(ge=0, le=OVERLAP_MAX.total_seconds())] = 0
    """Seconds for which the old secret stays good."""


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
