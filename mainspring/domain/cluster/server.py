"""Servers as the cluster knows them, and the addresses that they tell executors and clients."""

import re
from collections.abc import Iterable
from datetime import datetime
from enum import IntEnum
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.ids import ServerId
from mainspring.errors import ConfigError

HOME = "home"
"""The one database that all namespaces live in, as metrics and log lines name it."""
TOLD_MAX = 16
"""Addresses in one message."""
URL_MAX = 500
ZONE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


class ServerState(IntEnum):
    LIVE = 0
    DRAINING = 1
    """At an operator's wish: it stays, and takes neither executors nor runs until that is taken back."""


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """One start of a server, as the store keeps it."""

    id: ServerId
    name: str
    lease_until: datetime
    url: str = ""
    """Where executors and clients reach it; empty: it is not told to them."""
    zone: str = ""
    version: str = ""
    protocol: int = 1
    joined_at: datetime | None = None
    """When it joined; None: it is of a version that did not say."""
    attached: int = 0
    """Executors that are connected to it."""
    state: ServerState = ServerState.LIVE
    commit_p99: float | None = None
    """Seconds within which 99 of 100 of its writes to the database were done lately; None: it made none, or does not say."""
    loop_delay: float | None = None
    """Seconds by which its event loop was late at worst lately; None: it does not say."""


class Vitals(msgspec.Struct, frozen=True):
    """How a server fares, as it tells with each renewal."""

    commit_p99: float | None = None
    loop_delay: float | None = None


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """What a server says of itself to the others."""

    url: str = ""
    zone: str = ""
    version: str = ""
    protocol: int = 1
    shares: bool = True
    """Whether it sends executors to servers that have fewer."""


class ServerAddress(msgspec.Struct, frozen=True, array_like=True):
    """A server as executors and clients are told of it."""

    url: Annotated[str, msgspec.Meta(max_length=URL_MAX)]
    zone: Annotated[str, msgspec.Meta(max_length=63)] = ""
    attached: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0


class AnnouncedBook(msgspec.Struct, frozen=True, kw_only=True):
    """An address book in which a server keeps itself."""

    source: str
    entries: int
    answered_at: datetime | None
    trouble: str


def addresses_for(zone: str, servers: Iterable[Server], *, but: ServerId | None = None) -> list[ServerAddress]:
    """The servers that one in this zone may go to: its own zone first, then those with the fewest executors."""
    open_ = [one for one in servers if one.url and one.state is ServerState.LIVE and one.id != but]
    open_.sort(key=lambda one: (one.zone != zone, one.attached, one.url))
    return [ServerAddress(one.url, one.zone, one.attached) for one in open_[:TOLD_MAX]]


def check_address(field: str, url: str) -> str:
    """The address of a server without a slash at its end; raises ConfigError that names the setting."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and len(url) <= URL_MAX
    except ValueError:
        good = False
    if not good:
        raise ConfigError(f"{field}: {url!r} is not the address of a server, such as https://s1.example:8484")
    if "@" in parts.netloc:
        raise ConfigError(f"{field}: leave the user and password out of the address: tokens have settings of their own")
    return url.rstrip("/")


def check_zone(field: str, zone: str) -> str:
    """Raises ConfigError unless it is empty or the name of a zone."""
    if zone and not ZONE.fullmatch(zone):
        raise ConfigError(f"{field}: {zone!r} is not a zone: 1 to 63 letters, digits, '.', '-' and '_'")
    return zone


def server_entry(server: Server, actor: Actor, *, act: str, reason: str, now: datetime) -> AuditEntry:
    """The audit log's entry for a server that was drained or resumed."""
    return audit_entry(act, "server", server.name, {"reason": reason}, namespace="", actor=actor, at=now)
