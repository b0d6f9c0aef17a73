"""Operations of access, and their bodies."""

from types import NoneType
from typing import Annotated, Literal

import msgspec

from mainspring.contract.access import (
    AuditPage,
    IssuedToken,
    NamespaceInfo,
    NamespacePage,
    RoleText,
    TokenInfo,
    TokenPage,
    WhoamiInfo,
)
from mainspring.contract.base.fields import InstantText, NamespaceName, PageLimit, like
from mainspring.contract.base.operation import Operation, Query
from mainspring.domain.access.permissions import DESCRIPTION_MAX, NAMESPACE, PLAIN, Permission, Role
from mainspring.domain.access.token import LIFE_MAX, NAME, OVERLAP_MAX, QUEUES_MAX

Queue = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=f"^{PLAIN.pattern}$")]
Queues = Annotated[tuple[Queue, ...], msgspec.Meta(max_length=QUEUES_MAX)]


class NewNamespaceBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A namespace to make."""

    name: Annotated[str, msgspec.Meta(pattern=f"^{NAMESPACE.pattern}$")]
    description: Annotated[str, msgspec.Meta(max_length=DESCRIPTION_MAX, pattern=f"^{PLAIN.pattern}$")] = ""


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
    """Both kinds of token, for reading; the domain checks that the fields go together."""

    role: Role
    queues: Queues = ()


class RotateBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    overlap: Annotated[float, msgspec.Meta(ge=0, le=OVERLAP_MAX.total_seconds())] = 0
    """Seconds for which the old secret stays good."""


TokenId = Annotated[str, msgspec.Meta(description="The part between `ms_` and the secret.")]
TokenCursor = Annotated[str, like("^[0-9]{1,17}\\.[a-z2-7]{13}$")]
AuditText = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=f"^{PLAIN.pattern}$")]
AuditCursor = Annotated[str, like("^[0-9]{1,17}\\.[0-9]{1,18}$")]


class TokenQuery(Query):
    role: RoleText | None = None
    active: bool = False
    limit: PageLimit = 50
    cursor: TokenCursor | None = None


class AuditQuery(Query):
    actor: AuditText | None = None
    kind: AuditText | None = None
    key: AuditText | None = None
    act: AuditText | None = None
    since: InstantText | None = None
    until: InstantText | None = None
    limit: PageLimit = 50
    cursor: AuditCursor | None = None


LIST_NAMESPACES = Operation(
    "list_namespaces",
    "GET /api/v1/namespaces",
    Permission.NAMESPACES_READ,
    "List the namespaces that the caller's token reaches.",
    NamespacePage,
)
CREATE_NAMESPACE = Operation(
    "create_namespace",
    "POST /api/v1/namespaces",
    Permission.NAMESPACES_WRITE,
    "Create a namespace.",
    NamespaceInfo,
    status=201,
    body=NewNamespaceBody,
)
GET_NAMESPACE = Operation(
    "get_namespace",
    "GET /api/v1/namespaces/{name}",
    Permission.NAMESPACES_READ,
    "Get a namespace.",
    NamespaceInfo,
    parts={"name": NamespaceName},
)
DELETE_NAMESPACE = Operation(
    "delete_namespace",
    "DELETE /api/v1/namespaces/{name}",
    Permission.NAMESPACES_WRITE,
    "Delete a namespace that holds no jobs, live runs, executors or active tokens.",
    NoneType,
    parts={"name": NamespaceName},
)
LIST_TOKENS = Operation(
    "list_tokens",
    "GET /api/v1/tokens",
    Permission.TOKENS_READ,
    "List the tokens of the namespace, or of all namespaces, newest first.",
    TokenPage,
    query=TokenQuery,
)
CREATE_TOKEN = Operation(
    "create_token",
    "POST /api/v1/tokens",
    Permission.TOKENS_WRITE,
    "Create a token. Only this answer contains its text.",
    IssuedToken,
    status=201,
    body=NewTokenBody | NewExecutorTokenBody,
)
GET_TOKEN = Operation(
    "get_token",
    "GET /api/v1/tokens/{id}",
    Permission.TOKENS_READ,
    "Get a token without its secret.",
    TokenInfo,
    parts={"id": TokenId},
)
ROTATE_TOKEN = Operation(
    "rotate_token",
    "POST /api/v1/tokens/{id}/rotate",
    Permission.TOKENS_WRITE,
    "Give a token a new secret. The old secret ends now, or after an overlap.",
    IssuedToken,
    body=RotateBody,
    body_optional=True,
    parts={"id": TokenId},
)
REVOKE_TOKEN = Operation(
    "revoke_token",
    "POST /api/v1/tokens/{id}/revoke",
    Permission.TOKENS_WRITE,
    "Revoke a token, at once and for good.",
    TokenInfo,
    parts={"id": TokenId},
)
WHOAMI = Operation(
    "whoami",
    "GET /api/v1/whoami",
    Permission.NAMESPACES_READ,
    "Get the caller's own token.",
    WhoamiInfo,
    tag="tokens",
)
LIST_AUDIT = Operation(
    "list_audit",
    "GET /api/v1/audit",
    Permission.AUDIT_READ,
    "List the changes in the namespace, or in all namespaces, newest first.",
    AuditPage,
    query=AuditQuery,
)
