"""Strangers and known callers: how many connections of strangers each address may have, and what only known callers are told.

Versions and counts would help an attacker.
"""

import logging
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Protocol

from starlette.requests import HTTPConnection
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from mainspring.api.http.fast_path import CYCLE
from mainspring.version import __version__

log = logging.getLogger("mainspring.api")

VERSION_HEADER = "Mainspring-Version"
VERSION = (VERSION_HEADER.lower().encode(), __version__.encode())
SERVERS_HEADER = b"mainspring-servers"
NO_STORE = (b"cache-control", b"no-store")
CALLER = "mainspring.caller"
"""Where a connection's scope holds its counter."""
HERE = ("127.0.0.0/8", "::1/128")
"""This machine, with proxies that run on it."""
# Below them, one caller may have any number of addresses.
PREFIX = 64
"""Bits of an IPv6 address that a provider gives out as one."""


class Ticket:
    """One connection's place among those of its address, until it is given back."""

    __slots__ = ("_callers", "_held", "_place")

    def __init__(self, callers: "Callers", place: str) -> None:
        self._callers = callers
        self._place = place
        self._held = True

    def give_back(self) -> None:
        """The connection has shown a good token, or is over; a second time does nothing."""
        if self._held:
            self._held = False
            self._callers.leave(self._place)


class Callers:
    """Counts strangers by address; those whom the operator trusts may be any number."""

    def __init__(self, most: int, trusted: Iterable[str] = HERE) -> None:
        self._most = most
        self._trusted = [ip_network(text, strict=False) for text in trusted]
        self._strangers: dict[str, int] = {}
        self._full: set[str] = set()

    def __getitem__(self, place: str) -> int:
        return self._strangers.get(place, 0)

    def enter(self, host: str) -> Ticket | None:
        """A place for a new connection; None if its address has as many strangers as it may."""
        place = self._place(host)
        if place is None:
            return Ticket(self, "")
        count = self[place]
        if count >= self._most:
            self._warn(place)
            return None
        self._strangers[place] = count + 1
        return Ticket(self, place)

    def leave(self, place: str) -> None:
        if not place:
            return
        if (count := self._strangers.pop(place) - 1) > 0:
            self._strangers[place] = count
        else:
            self._full.discard(place)

    def _place(self, host: str) -> str | None:
        """The caller's share of connections to count by; None for callers that are not counted."""
        address = ip_address(host.partition("%")[0])
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        if any(address in network for network in self._trusted):
            return None
        if isinstance(address, IPv6Address):
            return str(ip_network((address, PREFIX), strict=False))
        return str(address)

    def _warn(self, place: str) -> None:
        """Once, until all of them are gone."""
        if place not in self._full:
            self._full.add(place)
            log.warning(
                "%s has %d connections without a good token: more are refused (strangers_max, trusted_proxies)",
                place,
                self._most,
            )


class Counted(Protocol):
    """A connection that has a ticket."""

    def mark_known(self) -> None: ...


def mark_known(scope: Scope) -> None:
    """Marks the connection of an authenticated caller, which no longer counts as a stranger."""
    counted: Counted | None = scope.get(CALLER)
    if counted is not None:
        counted.mark_known()


def keep_out_of_caches(connection: HTTPConnection) -> None:
    """What is answered is one person's: neither that browser nor anything before it is to keep it."""
    cycle: RequestResponseCycle | None = connection.scope.get(CYCLE)
    if cycle is not None:
        cycle.default_headers = [*cycle.default_headers, NO_STORE]


def introduce(connection: HTTPConnection) -> None:
    """A good token was shown: the connection is no stranger's, and its answer names the version of this server."""
    scope: Scope = connection.scope
    mark_known(scope)
    cycle: RequestResponseCycle | None = scope.get(CYCLE)
    if cycle is None:
        return
    if not connection.app.state.public_details:
        cycle.default_headers = [*cycle.default_headers, VERSION]
    known = connection.app.state.gate.known_servers
    line: Any = cycle.transport  # Of `OneWrite`, which is who put the cycle there.
    if known is not None and known.version != line.told:
        # Once by each connection, and after each change: callers remember it.
        line.told = known.version
        cycle.default_headers = [*cycle.default_headers, (SERVERS_HEADER, known.text)]
