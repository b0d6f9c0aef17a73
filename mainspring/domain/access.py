"""Who may do what, and the record of what they did."""

from datetime import datetime
from enum import StrEnum

import msgspec

NAMESPACE_ALL = "*"
"""The reach of a token that is bound to no namespace."""


class Role(StrEnum):
    """What a token may do, each including the one before; `executor` stands apart."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    EDITOR = "editor"
    ADMIN = "admin"
    EXECUTOR = "executor"


class Actor(msgspec.Struct, frozen=True):
    """Who acts: the name of the token that was shown, or of a part of ours."""

    name: str
    token: str = ""
    """The token's id; empty for ourselves."""


SYSTEM = Actor("mainspring")


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One change that somebody made."""

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
