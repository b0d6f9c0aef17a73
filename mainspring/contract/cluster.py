"""The state of a server, and the invariants of its store."""

from mainspring.contract.base.view import View


class LivenessInfo(View, frozen=True):
    alive: bool


class ReadinessInfo(View, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the server takes work."""

    ready: bool
    reason: str
    """Why not; for callers with a token with what the database said."""
    executors: int | None = None
    """Connected to this server; for callers whose token is for all namespaces."""


class VersionInfo(View, frozen=True, kw_only=True, omit_defaults=True):
    """The product; for callers with a token also its version."""

    product: str
    version: str | None = None
    protocol: int | None = None
    python: str | None = None


class InvariantInfo(View, frozen=True, kw_only=True):
    name: str
    says: str
    holds: bool
    examples: list[str]
    """Some of what breaks it."""


class InvariantsInfo(View, frozen=True):
    invariants: list[InvariantInfo]
