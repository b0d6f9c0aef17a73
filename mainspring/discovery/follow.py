"""Keeps a directory up to date with address books, and address books with a server."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import msgspec

from mainspring.clock import Clock
from mainspring.discovery.address import open_registry, parse_address
from mainspring.discovery.directory import Directory
from mainspring.discovery.interface import TTL, Entry, EntryKind, Registry, RegistryAwayError
from mainspring.domain.cluster.server import ServerAddress

log = logging.getLogger("mainspring.discovery")

QUIET = 60.0
"""Seconds between two log lines about one address book."""
AGAIN = 2.0
"""Seconds after which one that is away is asked again."""
CALM = 0.5
"""Seconds between two looks at least, however often a book says that it has changed."""
WITHDRAW_MAX = 2.0


class FollowedBook(msgspec.Struct):
    """One address book, and its last answer."""

    text: str
    registry: Registry
    entries: list[Entry] = []
    opened_at: float = 0.0
    at: float | None = None
    """When it last answered, on the monotonic clock."""
    trouble: str = ""
    logged_at: float = float("-inf")

    def is_away(self, reason: str, now: float) -> None:
        """Log at most one line a minute."""
        self.trouble = reason
        if now - self.logged_at >= QUIET:
            self.logged_at = now
            log.warning("the address book %s is away: %s; its last list counts", self.text, reason)

    @property
    def is_silent(self) -> bool:
        """Whether it did not answer when it was last asked, or was never asked."""
        return self.at is None or bool(self.trouble)

    def age(self, now: float) -> float:
        """Seconds since its last answer; of one that has never answered since it was first asked."""
        return now - (self.opened_at if self.at is None else self.at)

    def is_back(self, now: float) -> None:
        self.at = now
        if self.trouble:
            log.info("the address book %s is back", self.text)
            self.trouble = ""


async def follow(source: FollowedBook, directory: Directory, clock: Clock) -> None:
    """Put into the directory what the source says, for ever."""
    while True:
        try:
            answered = await look(source, directory, clock)
            if answered:
                await source.registry.changed()
                await clock.sleep(CALM)
        except Exception as error:  # noqa: BLE001 an adapter of others may fail in any way: its last list counts
            source.is_away(reason_of(error), clock.monotonic())
            answered = False
        if not answered:
            await clock.sleep(AGAIN)


async def look(source: FollowedBook, directory: Directory, clock: Clock) -> bool:
    """Ask once; False if the source is away, and nothing is changed."""
    try:
        source.entries = await source.registry.entries()
    except Exception as error:  # noqa: BLE001 an adapter of others may fail in any way
        source.is_away(reason_of(error), clock.monotonic())
        return False
    source.is_back(clock.monotonic())
    directory.learn(source.text, servers_in(source.entries), clock.monotonic())
    return True


def reason_of(error: Exception) -> str:
    """An adapter's own words; of an error that it was not to raise also its kind."""
    return str(error) if isinstance(error, RegistryAwayError) else f"{type(error).__name__}: {error}"


def open_sources(texts: Iterable[str], clock: Clock, setting: str) -> list[FollowedBook]:
    """Raises ConfigError that names the setting."""
    now = clock.monotonic()
    return [FollowedBook(text, open_registry(parse_address(text, setting), clock), opened_at=now) for text in texts]


def servers_in(entries: Sequence[Entry]) -> list[ServerAddress]:
    return [ServerAddress(one.url, one.zone) for one in entries if one.kind is EntryKind.SERVER and one.url]


async def announce(
    source: FollowedBook, entries: Callable[[], Sequence[Entry]], clock: Clock, stop: asyncio.Event
) -> None:
    """Keep these entries in an address book until `stop` is set, and take them out then."""
    known: dict[str, Entry] = {}
    while not stop.is_set():
        fresh = {one.id: one for one in entries()}
        try:
            for gone in known.keys() - fresh.keys():
                await source.registry.withdraw(known[gone])
            for one in fresh.values():
                await source.registry.announce(one, ttl=TTL)
            known = fresh
            source.is_back(clock.monotonic())
            pause = TTL / 3
        except Exception as error:  # noqa: BLE001 an adapter of others may fail in any way: it is tried again
            source.is_away(reason_of(error), clock.monotonic())
            pause = AGAIN
        await clock.wait(stop, pause)
    with suppress(Exception):
        async with asyncio.timeout(WITHDRAW_MAX):
            for one in known.values():
                await source.registry.withdraw(one)
    await source.registry.close()
