"""A running server in the address books of its settings."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from mainspring.clock import Clock
from mainspring.discovery.follow import FollowedBook, announce
from mainspring.discovery.interface import Entry, EntryKind
from mainspring.domain.ids import id_text
from mainspring.domain.metrics import declared
from mainspring.domain.metrics.family import Series
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import ServerSettings
from mainspring.version import __version__


@asynccontextmanager
async def announcing(
    sources: Sequence[FollowedBook], settings: ServerSettings, scheduler: Scheduler, clock: Clock, stop: asyncio.Event
) -> AsyncIterator[None]:
    """Keep the server, and its executors if asked to, in every address book; none is waited for."""

    def entries() -> list[Entry]:
        return entries_of(settings, scheduler)

    scheduler.metrics.include(lambda: series_of(sources, entries, clock))
    announced = [asyncio.create_task(announce(each, entries, clock, stop), name=each.text) for each in sources]
    try:
        yield
    finally:
        await asyncio.gather(*announced, return_exceptions=True)


def series_of(sources: Sequence[FollowedBook], entries: Callable[[], Sequence[Entry]], clock: Clock) -> list[Series]:
    """How old each address book's last answer is, and how many entries this server has in it."""
    now, count = clock.monotonic(), len(entries())
    ages = [((one.text,), now - one.at) for one in sources if one.at is not None]
    return [
        Series(declared.DISCOVERY_AGE, ages),
        Series(declared.DISCOVERY_ENTRIES, [(labels, count) for labels, _ in ages]),
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
