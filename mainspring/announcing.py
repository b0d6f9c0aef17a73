"""A running server in the address books of its settings."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

from mainspring.clock import Clock
from mainspring.discovery.address import NAMES_ONLY
from mainspring.discovery.follow import FollowedBook, announce, open_sources
from mainspring.discovery.interface import Entry, EntryKind
from mainspring.domain.cluster.server import AnnouncedBook
from mainspring.domain.ids import id_text
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Series
from mainspring.errors import ConfigError
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import ServerSettings
from mainspring.version import __version__


def open_books(texts: Sequence[str], clock: Clock) -> list[FollowedBook]:
    """Raises ConfigError for an address that is none, and for a book that others keep."""
    for text in texts:
        if text.partition("://")[0] in NAMES_ONLY:
            raise ConfigError(f"discovery: nothing can be announced in {text}: it is for executors and clients")
    return open_sources(texts, clock, "discovery")


@asynccontextmanager
async def announcing(
    sources: Sequence[FollowedBook], settings: ServerSettings, scheduler: Scheduler, clock: Clock, stop: asyncio.Event
) -> AsyncIterator[None]:
    """Keep the server, and its executors if asked to, in every address book; none is waited for."""

    def entries() -> list[Entry]:
        return entries_of(settings, scheduler)

    scheduler.metrics.include(lambda: series_of(sources, entries, clock))
    scheduler.servers.books = lambda: books_of(sources, entries, clock)
    announced = [asyncio.create_task(announce(each, entries, clock, stop), name=each.text) for each in sources]
    try:
        yield
    finally:
        await asyncio.gather(*announced, return_exceptions=True)


def series_of(sources: Sequence[FollowedBook], entries: Callable[[], Sequence[Entry]], clock: Clock) -> list[Series]:
    """How old each address book's last answer is, and how many entries this server has in it."""
    now, count = clock.monotonic(), len(entries())
    return [
        Series(declared.DISCOVERY_AGE, [((one.text,), one.age(now)) for one in sources]),
        Series(declared.DISCOVERY_ENTRIES, [((one.text,), 0 if one.is_silent else count) for one in sources]),
    ]


def books_of(
    sources: Sequence[FollowedBook], entries: Callable[[], Sequence[Entry]], clock: Clock
) -> list[AnnouncedBook]:
    """The address books as they took this server last."""
    now, count = clock.monotonic(), len(entries())
    return [
        AnnouncedBook(
            source=one.text,
            entries=0 if one.is_silent else count,
            answered_at=None if one.at is None else clock.now() - timedelta(seconds=now - one.at),
            trouble=one.trouble,
        )
        for one in sources
    ]


def entries_of(settings: ServerSettings, scheduler: Scheduler) -> list[Entry]:
    """The server while it takes work, and the executors connected to it if the settings want that."""
    mine = Entry(
        kind=EntryKind.SERVER,
        id=id_text(scheduler.server),
        name=settings.scheduler.name,
        url=settings.advertised,
        zone=settings.zone,
        version=__version__,
    )
    found = [mine] if scheduler.readiness().ready else []
    if not settings.discovery_executors:
        return found
    return found + [
        Entry(
            kind=EntryKind.EXECUTOR,
            id=id_text(one.id),
            name=one.name,
            namespace=one.session.namespace,
            zone=one.session.abilities.zone,
            labels=one.session.abilities.labels,
        )
        for one in scheduler.gateway.attached.values()
    ]
