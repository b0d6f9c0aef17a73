"""Permissions of roles, and the audit log's entries."""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

import msgspec

from mainspring.errors import ConflictError, InvalidInputError

NAMESPACE_ALL = "*"
"""The reach of a token that is bound to no namespace."""
NAMESPACE_DEFAULT = "default"
NAMESPACE = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
DESCRIPTION_MAX = 500
PLAIN = re.compile(r"[^\x00-\x1f\x7f-\x9f]*")
"""Text without control characters."""


class Role(StrEnum):
    """The rights of a token or a user, each including the one before; `executor` stands apart."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    EDITOR = "editor"
    ADMIN = "admin"
    EXECUTOR = "executor"


class Permission(StrEnum):
    OPEN = "open"
    """No token needed."""
    DOCUMENT_READ = "document:read"
    RUNS_READ = "runs:read"
    RUNS_WRITE = "runs:write"
    RUNS_STEER = "runs:steer"
    """Cancel, retry, suspend."""
    RUNS_APPROVE = "runs:approve"
    """Approve or reject what steps of workflows wait for."""
    VIEWS_WRITE = "views:write"
    """Keep queries of runs under names, and choices for the console, of one's own."""
    VIEWS_SHARE = "views:share"
    """The same for all of a namespace."""
    JOBS_READ = "jobs:read"
    JOBS_WRITE = "jobs:write"
    QUEUES_READ = "queues:read"
    SCALING_READ = "scaling:read"
    """How many executors queues want."""
    QUEUES_STEER = "queues:steer"
    """Pause, resume."""
    QUEUES_WRITE = "queues:write"
    """Budgets."""
    TRIGGERS_READ = "triggers:read"
    TRIGGERS_STEER = "triggers:steer"
    """Pause, resume, skip, fire."""
    TRIGGERS_WRITE = "triggers:write"
    EXECUTORS_READ = "executors:read"
    EXECUTORS_STEER = "executors:steer"
    """Cordon, drain."""
    SERVERS_READ = "servers:read"
    SERVERS_STEER = "servers:steer"
    """Drain, resume."""
    EVENTS_READ = "events:read"
    NAMESPACES_READ = "namespaces:read"
    NAMESPACES_WRITE = "namespaces:write"
    TOKENS_READ = "tokens:read"
    TOKENS_WRITE = "tokens:write"
    USERS_READ = "users:read"
    USERS_WRITE = "users:write"
    AUDIT_READ = "audit:read"
    INVARIANTS_READ = "invariants:read"
    """Whether the store is what it always has to be."""
    DATABASE_READ = "database:read"
    """How the database is, and what the doctor finds."""
    SETTINGS_READ = "settings:read"
    """How a server is set up."""
    METRICS_READ = "metrics:read"
    ALERTS_READ = "alerts:read"
    ALERTS_STEER = "alerts:steer"
    """Acknowledge, silence, test."""
    ALERTS_WRITE = "alerts:write"
    """Rules and channels."""
    EXECUTORS_CONNECT = "executors:connect"


NEW_IN_ROLE: dict[Role, frozenset[Permission]] = {
    Role.VIEWER: frozenset(
        {
            Permission.DOCUMENT_READ,
            Permission.RUNS_READ,
            Permission.VIEWS_WRITE,
            Permission.JOBS_READ,
            Permission.QUEUES_READ,
            Permission.SCALING_READ,
            Permission.TRIGGERS_READ,
            Permission.EXECUTORS_READ,
            Permission.SERVERS_READ,
            Permission.EVENTS_READ,
            Permission.NAMESPACES_READ,
            Permission.METRICS_READ,
            Permission.ALERTS_READ,
        }
    ),
    Role.OPERATOR: frozenset(
        {
            Permission.RUNS_WRITE,
            Permission.RUNS_STEER,
            Permission.RUNS_APPROVE,
            Permission.VIEWS_SHARE,
            Permission.QUEUES_STEER,
            Permission.TRIGGERS_STEER,
            Permission.EXECUTORS_STEER,
            Permission.SERVERS_STEER,
            Permission.ALERTS_STEER,
        }
    ),
    Role.EDITOR: frozenset(
        {Permission.JOBS_WRITE, Permission.QUEUES_WRITE, Permission.TRIGGERS_WRITE, Permission.ALERTS_WRITE}
    ),
    Role.ADMIN: frozenset(
        {
            Permission.NAMESPACES_WRITE,
            Permission.TOKENS_READ,
            Permission.TOKENS_WRITE,
            Permission.USERS_READ,
            Permission.USERS_WRITE,
            Permission.AUDIT_READ,
            Permission.INVARIANTS_READ,
            Permission.DATABASE_READ,
            Permission.SETTINGS_READ,
        }
    ),
}
LADDER = tuple(NEW_IN_ROLE)
"""From the least to the most that people may do."""

PERMISSIONS: dict[Role, frozenset[Permission]] = {
    role: frozenset().union(*(NEW_IN_ROLE[lower] for lower in LADDER[: LADDER.index(role) + 1])) for role in LADDER
} | {Role.EXECUTOR: frozenset({Permission.EXECUTORS_CONNECT, Permission.SCALING_READ})}

CLUSTER_WIDE = frozenset(
    {
        Permission.NAMESPACES_WRITE,
        Permission.INVARIANTS_READ,
        Permission.DATABASE_READ,
        Permission.SETTINGS_READ,
        Permission.SERVERS_STEER,
        Permission.USERS_READ,
        Permission.USERS_WRITE,
    }
)
"""Only for tokens and users that are bound to no namespace."""


def role_for(permission: Permission) -> Role:
    """The least role that has the permission."""
    return next(role for role, granted in PERMISSIONS.items() if permission in granted)


class Namespace(msgspec.Struct, frozen=True, kw_only=True):
    """A tenant: everything belongs to one."""

    name: str
    description: str = ""
    created_at: datetime | None = None
    """None: it has been there since the schema has."""


@lru_cache(maxsize=1024)
def check_namespace_name(name: str) -> str:
    if not NAMESPACE.fullmatch(name):
        raise InvalidInputError("namespace", "is 1 to 63 of a-z, 0-9, '-', '_'", code="bad_namespace")
    return name


def check_empty(name: str, held: Mapping[str, object]) -> None:
    """Raises ConflictError if the namespace holds something of any kind."""
    if kinds := [kind for kind, there in held.items() if there]:
        raise ConflictError("namespace", name, f"is not empty: it holds {', '.join(kinds)}")


class Actor(msgspec.Struct, frozen=True):
    """Who acts: the name of the user or of the token that was shown, or of a part of ours."""

    name: str
    token: str = ""
    """The id of the token or of the sign-in; empty for ourselves."""


SYSTEM = Actor("mainspring")


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One change that an operator made."""

    at: datetime
    actor: Actor
    namespace: str
    """Empty: of the whole cluster."""
    act: str
    """Noun and verb, such as `queue.pause`."""
    kind: str
    key: str
    """What was changed: a job, a queue, a run ..., and its name."""
    details: bytes = b"{}"
    """JSON: the reason given, what it was before, how many."""


def audit_entry(
    act: str, kind: str, key: str, details: Mapping[str, object], *, namespace: str, actor: Actor, at: datetime
) -> AuditEntry:
    said = msgspec.json.encode(details)
    return AuditEntry(at=at, actor=actor, namespace=namespace, act=act, kind=kind, key=key, details=said)
