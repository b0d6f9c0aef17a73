"""The state of a server, and the invariants of its store."""

from datetime import datetime

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
    durability: str | None = None
    """What a commit of the database survives: sync, async, single or unsafe; for the same callers, once it is measured."""


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


class ServerInfo(View, frozen=True, kw_only=True):
    """A server that is alive."""

    name: str
    url: str
    """Where executors and clients reach it; empty: it is not told to them."""
    zone: str
    version: str
    protocol: int
    executors: int
    """Connected to it."""
    joined_at: datetime | None
    """When it was started; null: it is of a version that does not say."""
    lease_until: datetime
    state: str
    """live or draining."""


class ServerList(View, frozen=True):
    servers: list[ServerInfo]


class AddressBookInfo(View, frozen=True, kw_only=True):
    """An address book in which the server that answers makes itself known."""

    source: str
    entries: int
    """That the server keeps there: itself while it takes work, and its executors if it lists these."""
    answered_at: datetime | None
    """When it last took them; null: not yet."""
    trouble: str
    """Why it does not take them now; empty if it does."""


class AddressBookList(View, frozen=True):
    server: str
    """The name of the server that answers; each knows its own address books only."""
    books: list[AddressBookInfo]
