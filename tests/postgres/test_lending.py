"""Connections to a real PostgreSQL that are lent and given back."""

import asyncio
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlsplit

import asyncpg
import pytest

from mainspring.errors import StoreUnavailableError
from mainspring.store.postgres.connection import Database
from mainspring.store.postgres.pool import Connection, Lending
from tests.support.postgres import Postgres

Lend = Callable[..., Lending]


@pytest.fixture
async def lend(postgres: Postgres) -> AsyncIterator[Lend]:
    url = postgres.url
    made: list[Lending] = []

    async def connect() -> Connection:
        return await asyncpg.connect(url)

    def new(size: int, *, patience: float = 30.0) -> Lending:
        made.append(Lending(connect, size=size, patience=patience))
        return made[-1]

    yield new
    for lending in made:
        lending.close()


async def test_what_was_given_back_last_is_lent_first(lend: Lend) -> None:
    lending = lend(3)
    first, second = await lending.borrow(), await lending.borrow()
    lending.give_back(first)
    lending.give_back(second)

    assert await lending.borrow() is second
    assert await lending.borrow() is first


async def test_whoever_finds_none_free_gets_the_next_in_turn(lend: Lend) -> None:
    lending = lend(1)
    only = await lending.borrow()
    one, other = asyncio.create_task(lending.borrow()), asyncio.create_task(lending.borrow())
    await asyncio.sleep(0)

    lending.give_back(only)
    assert await one is only
    assert not other.done()
    lending.give_back(only)
    assert await other is only


async def test_a_connection_that_broke_makes_room_for_a_new_one(lend: Lend) -> None:
    lending = lend(1)
    broken = await lending.borrow()
    waiting = asyncio.create_task(lending.borrow())
    await asyncio.sleep(0)
    broken.terminate()
    lending.give_back(broken)

    fresh = await waiting
    assert fresh is not broken
    assert await fresh.fetchval("SELECT 1") == 1


async def test_one_that_broke_while_it_lay_idle_is_not_lent(lend: Lend) -> None:
    lending = lend(1)
    broken = await lending.borrow()
    lending.give_back(broken)
    broken.terminate()

    assert await (await lending.borrow()).fetchval("SELECT 1") == 1


async def test_who_waited_too_long_leaves_the_line(lend: Lend) -> None:
    lending = lend(1, patience=0.0)
    only = await lending.borrow()
    with pytest.raises(TimeoutError):
        await lending.borrow()
    lending.give_back(only)

    assert await lending.borrow() is only


async def test_one_given_to_somebody_who_was_just_cancelled_goes_to_the_next(lend: Lend) -> None:
    lending = lend(1)
    only = await lending.borrow()
    gone, next_one = asyncio.create_task(lending.borrow()), asyncio.create_task(lending.borrow())
    await asyncio.sleep(0)
    lending.give_back(only)
    gone.cancel()

    assert await next_one is only


async def test_a_database_that_refuses_costs_no_place(postgres: Postgres) -> None:
    async def connect() -> Connection:
        return await asyncpg.connect(missing(postgres))

    lending = Lending(connect, size=1, patience=30.0)
    for _ in range(3):
        with pytest.raises(asyncpg.InvalidCatalogNameError):
            await lending.borrow()


async def test_closing_ends_what_is_lent_and_who_waits(lend: Lend) -> None:
    lending = lend(1)
    only = await lending.borrow()
    waiting = asyncio.create_task(lending.borrow())
    await asyncio.sleep(0)
    lending.close()

    assert only.is_closed()
    with pytest.raises(asyncpg.InterfaceError):
        await waiting


async def test_a_connection_left_in_the_middle_is_never_lent_again(postgres: Postgres) -> None:
    database = Database(postgres.url, size=1, application="testing")

    async def backend() -> int:
        return int(await database.fetchval("SELECT pg_backend_pid()"))

    async def leave_it_open(connection: Connection) -> None:
        await connection.execute("BEGIN")

    one = await backend()
    assert await backend() == one

    asleep = asyncio.create_task(database.fetchval("SELECT pg_sleep(600)"))
    watcher = Database(postgres.url, size=1, application="watching")
    while not await watcher.fetchval("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)'"):
        pass
    asleep.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asleep
    other = await backend()
    assert other != one

    await database.run(leave_it_open)
    assert await backend() not in {one, other}
    await database.close()
    await watcher.close()


async def test_no_connection_in_time_is_an_outage(postgres: Postgres) -> None:
    database = Database(missing(postgres), size=1, application="testing")
    with pytest.raises(StoreUnavailableError):
        await database.fetchval("SELECT 1")


def missing(postgres: Postgres) -> str:
    """The address of a database that is not there."""
    return urlsplit(postgres.url)._replace(path="/no_such_database").geturl()
