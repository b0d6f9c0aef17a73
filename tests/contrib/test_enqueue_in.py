"""Enqueue in the caller's own transaction, from async code: the run exists exactly if the commit does."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing, suppress

import asyncpg
import psycopg
import pytest
from sqlalchemy import NullPool, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from mainspring import ConfigError, ConflictError, NotFoundError
from mainspring.client.transport.requests import Enqueue
from tests.contrib.async_ways import WAYS, AsyncTransaction
from tests.contrib.shop import Onlooker, Shop

pytestmark = pytest.mark.postgres

Way = Callable[[str], AbstractAsyncContextManager[AsyncTransaction]]
each_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


@each_way
async def test_a_commit_brings_the_run_with_all_else(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    async with way(shop_url) as transaction:
        await transaction.order(1)
        handle = await shop.pack.enqueue_in(transaction.connection, order=1)
        before = onlooker.runs()

    assert (before, onlooker.runs()) == ([], [handle.id])
    assert onlooker.orders() == [1]
    assert not handle.existing


@each_way
async def test_a_rollback_leaves_nothing(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    with suppress(ZeroDivisionError):
        async with way(shop_url) as transaction:
            await transaction.order(1)
            await shop.pack.options(key="k", tags=["t"], queue="new").enqueue_in(transaction.connection, order=1)
            raise ZeroDivisionError

    assert (onlooker.runs(), onlooker.orders()) == ([], [])
    assert onlooker.all("SELECT key FROM mainspring.keys UNION ALL SELECT mark FROM mainspring.marks") == []


@each_way
async def test_a_savepoint_undoes_only_what_came_after_it(
    way: Way, shop_url: str, shop: Shop, onlooker: Onlooker
) -> None:
    async with way(shop_url) as transaction:
        kept = await shop.pack.enqueue_in(transaction.connection, order=1)
        with suppress(ZeroDivisionError):
            async with transaction.savepoint():
                await shop.pack.enqueue_in(transaction.connection, order=2)
                raise ZeroDivisionError
        await transaction.order(1)

    assert onlooker.runs() == [kept.id]
    assert onlooker.orders() == [1]


@each_way
async def test_a_conflict_is_our_error_and_the_driver_decides_what_becomes_of_the_transaction(
    way: Way, shop_url: str, shop: Shop, onlooker: Onlooker
) -> None:
    keyed = shop.pack.options(key="order-1")
    async with way(shop_url) as transaction:
        first = await keyed.enqueue_in(transaction.connection, order=1)
        again = await keyed.enqueue_in(transaction.connection, order=1)
        with pytest.raises(ConflictError) as conflict:
            async with transaction.savepoint():
                await keyed.enqueue_in(transaction.connection, order=2)
        await transaction.order(1)
    with suppress(ConflictError):
        async with way(shop_url) as transaction:
            await transaction.order(2)
            await keyed.enqueue_in(transaction.connection, order=2)

    assert (again.id, again.existing) == (first.id, True)
    assert (conflict.value.kind, conflict.value.key, conflict.value.code) == ("key", "order-1", "key_conflict")
    assert onlooker.runs() == [first.id]
    assert onlooker.orders() == [1]


@each_way
async def test_many_are_enqueued_by_one_statement(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    calls = [shop.pack.options(priority=order % 10).call(order=order) for order in range(50)]
    async with way(shop_url) as transaction:
        handles = await shop.app.enqueue_many_in(transaction.connection, [*calls, shop.bill.call(order=7)])
        none = await shop.app.enqueue_many_in(transaction.connection, [])

    assert [handle.id for handle in handles] == onlooker.runs()
    assert none == ()


@each_way
async def test_what_the_function_refuses_is_our_error(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    with pytest.raises(NotFoundError, match="unknown job 'nope'"):
        async with way(shop_url) as transaction:
            await shop.app.send_in(transaction.connection, Enqueue(job="nope"))

    assert onlooker.runs() == []


async def test_outside_a_transaction_the_run_is_stored_at_once_with_a_warning(
    shop_url: str, shop: Shop, onlooker: Onlooker
) -> None:
    connection = await asyncpg.connect(shop_url)
    with pytest.warns(RuntimeWarning, match="outside a transaction: the run is stored already"):
        handle = await shop.pack.enqueue_in(connection, order=1)
    place = make_url(shop_url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(place, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    async with engine.connect() as plain:
        with pytest.warns(RuntimeWarning, match="outside a transaction"):
            other = await shop.pack.enqueue_in(plain, order=2)
    await connection.close()

    assert onlooker.runs() == [handle.id, other.id]


async def test_each_call_takes_the_connections_of_its_kind_and_says_what_to_do_with_others(
    shop_url: str, shop: Shop
) -> None:
    plain = await psycopg.AsyncConnection.connect(shop_url)
    with pytest.raises(ConfigError, match=r"psycopg\.AsyncConnection is for async code: await enqueue_in"):
        shop.pack.enqueue_in_sync(plain, order=1)
    await plain.close()
    with psycopg.connect(shop_url) as connection, pytest.raises(ConfigError, match="plain code: use enqueue_in_sync"):
        await shop.pack.enqueue_in(connection, order=1)
    async with asyncpg.create_pool(shop_url, min_size=0) as pool:
        with pytest.raises(ConfigError, match=r"asyncpg\.pool\.Pool is not a connection to PostgreSQL by asyncpg"):
            await shop.pack.enqueue_in(pool, order=1)
    with pytest.raises(ConfigError, match=r"builtins\.str is not a connection"):
        shop.pack.enqueue_in_sync(shop_url, order=1)


async def test_another_database_is_refused_with_what_to_do_instead(shop: Shop) -> None:
    refused = "has to be in one PostgreSQL, and this is sqlite: go through the server instead"
    with closing(sqlite3.connect(":memory:")) as connection, pytest.raises(ConfigError, match=refused):
        shop.pack.enqueue_in_sync(connection, order=1)
    engine = create_engine("sqlite://")
    with engine.connect() as through_sqlalchemy, pytest.raises(ConfigError, match=refused):
        shop.pack.enqueue_in_sync(through_sqlalchemy, order=1)
    engine.dispose()


async def test_the_namespace_is_that_of_the_client(shop_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAINSPRING_NAMESPACE", "elsewhere")
    with psycopg.connect(shop_url) as connection, pytest.raises(NotFoundError) as missing:
        Shop().pack.enqueue_in_sync(connection, order=1)

    assert "namespace 'elsewhere'" in str(missing.value.__cause__)
