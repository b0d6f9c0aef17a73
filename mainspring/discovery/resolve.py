"""Asks address books once, for clients and the command line."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import msgspec

from mainspring.clock import SystemClock
from mainspring.discovery.address import split_sources
from mainspring.discovery.directory import Directory
from mainspring.discovery.follow import FollowedBook, look, open_sources
from mainspring.discovery.rules import AddressRules, address_rules
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings


class ListedServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that a source names."""

    source: str
    url: str
    zone: str = ""
    ignored: str = ""
    """Why it is not dialled."""


class SourceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One source's answer; `trouble` if it gave none."""

    source: str
    servers: Sequence[ListedServer] = ()
    trouble: str = ""
    unreadable: int = 0
    at: datetime | None = None
    """When it last answered; None: never."""
    kept_by: str = ""
    """The server that makes itself known there and says so; empty: it was asked from here."""
    entries: int = 0
    """Of that server."""


def servers_of(settings: ClientSettings) -> tuple[str, ...]:
    """The servers of the settings and of their address books, the best first; raises UnavailableError if there are none."""
    seeds, _ = split_sources(settings.url)
    directory, sources = _asked(settings)
    found = tuple(directory.order(SystemClock().monotonic()))
    if not found and not seeds:
        reasons = "; ".join(f"{one.text}: {one.trouble or 'it names no server that may be dialled'}" for one in sources)
        raise UnavailableError(f"no server is known: {reasons}")
    return found


def answers_of(settings: ClientSettings) -> list[SourceAnswer]:
    """What each address book of the settings says now."""
    _, sources = _asked(settings)
    rules, now = rules_of(settings), SystemClock().now()
    return [
        SourceAnswer(
            source=each.text,
            trouble=each.trouble,
            unreadable=each.registry.unreadable,
            at=None if each.at is None else now,
            servers=[
                ListedServer(source=each.text, url=one.url, zone=one.zone, ignored=rules.objection(one.url))
                for one in each.entries
                if one.url
            ],
        )
        for each in sources
    ]


def rules_of(settings: ClientSettings) -> AddressRules:
    return address_rules(settings.discovery_hosts, settings.discovery_networks)


def _asked(settings: ClientSettings) -> tuple[Directory, list[FollowedBook]]:
    seeds, books = split_sources(settings.url)
    clock = SystemClock()
    directory = Directory(seeds, zone=settings.zone, rules=rules_of(settings))
    sources = open_sources(books, clock, "url")

    async def ask_all() -> None:
        await asyncio.gather(*(look(each, directory, clock) for each in sources))
        await asyncio.gather(*(each.registry.close() for each in sources))

    # In a thread: the caller may be on an event loop of its own.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(ask_all())).result()
    return directory, sources
