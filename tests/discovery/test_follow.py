"""Following an address book through its absence: what is known stays, little is logged, and it is soon back."""

import asyncio
import logging

import pytest

from mainspring.announcing import series_of
from mainspring.discovery.directory import Directory
from mainspring.discovery.follow import FollowedBook, announce, follow
from mainspring.discovery.interface import Entry, EntryKind, RegistryAwayError
from mainspring.testing.clock import FakeClock

SEED = "https://s0.example"
TEN_MINUTES = 600.0
STEP = 0.25


class ScriptedBook:
    """An address book that is there or away as a test says."""

    unreadable = 0

    def __init__(self, clock: FakeClock) -> None:
        self.is_away = False
        self.failure: Exception = RegistryAwayError("connection refused")
        self.servers = ["https://s1.example"]
        self.announced: dict[str, float] = {}
        """By id, when it was announced last."""
        self._clock = clock

    async def announce(self, entry: Entry, *, ttl: float) -> None:
        self._answer()
        self.announced[entry.id] = self._clock.monotonic()

    async def withdraw(self, entry: Entry) -> None:
        self._answer()
        self.announced.pop(entry.id, None)

    async def entries(self) -> list[Entry]:
        self._answer()
        return [Entry(kind=EntryKind.SERVER, id=url, name=url, url=url) for url in self.servers]

    async def changed(self) -> None:
        await self._clock.sleep(1.0)
        self._answer()

    async def close(self) -> None:
        """Nothing is open."""

    def _answer(self) -> None:
        if self.is_away:
            raise self.failure


async def pass_time(clock: FakeClock, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        clock.advance(STEP)
        for _ in range(5):
            await asyncio.sleep(0)


def known(directory: Directory) -> set[str]:
    return {one.url for one in directory}


async def test_ten_minutes_without_its_address_book_cost_an_executor_ten_lines_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, logger="mainspring.discovery")
    clock = FakeClock()
    book, directory = ScriptedBook(clock), Directory([SEED])
    following = asyncio.create_task(follow(FollowedBook("book://", book), directory, clock))
    await pass_time(clock, 2.0)
    assert known(directory) == {SEED, "https://s1.example"}

    book.is_away = True
    await pass_time(clock, TEN_MINUTES)
    lines = [one for one in caplog.records if "is away" in one.message]
    assert 1 <= len(lines) <= TEN_MINUTES / 60
    assert known(directory) == {SEED, "https://s1.example"}

    book.is_away, book.servers = False, ["https://s1.example", "https://s2.example"]
    await pass_time(clock, 5.0)
    assert "https://s2.example" in known(directory)
    assert caplog.records[-1].message.endswith("is back")
    following.cancel()


async def test_a_server_is_announced_again_within_five_seconds_of_its_book_being_back() -> None:
    clock = FakeClock()
    book, stop = ScriptedBook(clock), asyncio.Event()
    mine = Entry(kind=EntryKind.SERVER, id="me", name="me", url="https://me.example")
    announcing = asyncio.create_task(announce(FollowedBook("book://", book), lambda: [mine], clock, stop))
    await pass_time(clock, 6.0)
    book.is_away = True
    await pass_time(clock, TEN_MINUTES)
    book.announced.clear()
    book.is_away = False
    back = clock.monotonic()
    await pass_time(clock, 5.0)

    assert back <= book.announced["me"] <= back + 5.0
    stop.set()
    await announcing
    assert book.announced == {}


async def test_an_adapter_of_others_may_fail_in_any_way_and_the_server_is_announced_all_the_same() -> None:
    clock = FakeClock()
    book, stop = ScriptedBook(clock), asyncio.Event()
    book.failure = KeyError("lease")
    mine = Entry(kind=EntryKind.SERVER, id="me", name="me", url="https://me.example")
    announced = FollowedBook("book://", book)
    announcing = asyncio.create_task(announce(announced, lambda: [mine], clock, stop))
    book.is_away = True
    await pass_time(clock, 60.0)
    assert announced.trouble == "KeyError: 'lease'"

    book.is_away = False
    await pass_time(clock, 5.0)
    assert book.announced.keys() == {"me"}
    book.is_away = True
    stop.set()
    await announcing


async def test_metrics_say_how_old_the_answer_of_an_address_book_is() -> None:
    clock = FakeClock()
    started = clock.monotonic()
    book = FollowedBook("etcd://books.example", ScriptedBook(clock), opened_at=started)
    silent = FollowedBook("consul://never.example", ScriptedBook(clock), opened_at=started)
    mine = Entry(kind=EntryKind.SERVER, id="s1", name="s1", url=SEED)
    clock.advance(2)
    book.is_back(clock.monotonic())
    clock.advance(7)
    ages, entries = series_of([book, silent], lambda: [mine], clock)

    assert ages.values == [(("etcd://books.example",), 7.0), (("consul://never.example",), 9.0)]
    assert entries.values == [(("etcd://books.example",), 1), (("consul://never.example",), 0)]
