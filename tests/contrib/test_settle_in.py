"""Settle a run in the handler's own transaction: what it writes and the run's success come to pass together."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, closing, suppress
from typing import Any

import asyncpg
import msgspec
import psycopg
import pytest

from mainspring import ConfigError, Context, InvalidInputError
from mainspring.clock import SystemClock
from mainspring.domain.cluster.session import Session
from mainspring.domain.ids import Ids
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.attempt import Outcome
from mainspring.errors import ForbiddenError, LeaseLostError
from mainspring.executor.attempts.attempt import Attempt
from mainspring.store import open_store
from mainspring.store.interface import Store
from mainspring.testing.silence import NoTelemetry
from tests import factories
from tests.contrib import async_ways, plain_ways
from tests.contrib.async_ways import AsyncTransaction
from tests.contrib.plain_ways import Transaction
from tests.contrib.shop import Onlooker, Shop

pytestmark = pytest.mark.postgres

AsyncWay = Callable[[str], AbstractAsyncContextManager[AsyncTransaction]]
Way = Callable[[str], AbstractContextManager[Transaction]]
each_async_way = pytest.mark.parametrize("way", async_ways.WAYS, ids=lambda way: way.__name__)
each_way = pytest.mark.parametrize("way", plain_ways.WAYS, ids=lambda way: way.__name__)
ids = Ids()


async def claim(store: Store) -> tuple[bytes, bytes]:
    """One run under way, and the token of its attempt."""
    now = SystemClock().now()
    await store.cluster.prepare_history(now=now, days=1)
    session: Session = factories.session(lease_until=now + factories.LEASE)
    await store.cluster.open_session(session, now=now)
    [job] = [one for one in await store.jobs.all() if one.name == "pack"]
    [line] = await store.jobs.lines([Line("default", "default", "pack")])
    run = factories.new_run(job.id, line, now=now)
    await store.runs.create("default", [run], now=now)
    token = ids.token()
    await store.runs.claim([line], [session.id], token=token, now=now)
    return run.id, token


@pytest.fixture
def context(shop_url: str, shop: Shop, onlooker: Onlooker) -> Iterator[Context]:
    async def prepare() -> tuple[bytes, bytes]:
        store = await open_store(shop_url)
        try:
            return await claim(store)
        finally:
            await store.close()

    run, token = asyncio.run(prepare())
    handler = shop.app.handlers.get("pack")
    assert handler is not None
    yield Context(Attempt(run, token, 1, b"{}", handler, 0.0), NoTelemetry())  # type: ignore[arg-type]
    onlooker.execute("DELETE FROM mainspring.history")


def settled(onlooker: Onlooker) -> list[tuple[int, Any]]:
    rows = onlooker.all("SELECT state, result FROM mainspring.history")
    return [(state, msgspec.json.decode(bytes(result))) for state, result in rows]


def attempt_of(context: Context) -> Attempt:
    return context._attempt


@each_way
def test_a_commit_settles_the_run_with_all_else(way: Way, shop_url: str, context: Context, onlooker: Onlooker) -> None:
    with way(shop_url) as transaction:
        transaction.order(1)
        context.settle_in_sync(transaction.connection, {"packed": 1})
        before = (onlooker.runs(), settled(onlooker))

    assert before == ([context.run], [])
    assert (onlooker.runs(), settled(onlooker), onlooker.orders()) == ([], [(3, {"packed": 1})], [1])


@each_way
def test_a_rollback_leaves_the_run_as_it_was(way: Way, shop_url: str, context: Context, onlooker: Onlooker) -> None:
    with suppress(ZeroDivisionError), way(shop_url) as transaction:
        transaction.order(1)
        context.settle_in_sync(transaction.connection)
        raise ZeroDivisionError

    assert (onlooker.runs(), settled(onlooker), onlooker.orders()) == ([context.run], [], [])


@each_async_way
async def test_the_same_from_async_code(way: AsyncWay, shop_url: str, context: Context, onlooker: Onlooker) -> None:
    with suppress(ZeroDivisionError):
        async with way(shop_url) as transaction:
            await transaction.order(1)
            await context.settle_in(transaction.connection)
            raise ZeroDivisionError
    between = (onlooker.runs(), onlooker.orders())
    async with way(shop_url) as transaction:
        await transaction.order(2)
        await context.settle_in(transaction.connection, "packed")

    assert between == ([context.run], [])
    assert (onlooker.runs(), settled(onlooker), onlooker.orders()) == ([], [(3, "packed")], [2])


def test_an_attempt_that_was_given_up_settles_nothing(shop_url: str, context: Context, onlooker: Onlooker) -> None:
    attempt_of(context).token = ids.token()
    with psycopg.connect(shop_url) as connection:
        connection.execute("INSERT INTO orders (number) VALUES (1)")
        with pytest.raises(LeaseLostError):
            context.settle_in_sync(connection)
        connection.rollback()

    assert (onlooker.runs(), settled(onlooker), onlooker.orders()) == ([context.run], [], [])


def test_whoever_returns_behind_it_is_believed_only_if_it_was_committed(
    shop_url: str, context: Context, onlooker: Onlooker
) -> None:
    attempt = attempt_of(context)
    with psycopg.connect(shop_url) as connection:
        context.settle_in_sync(connection)
        connection.rollback()
    attempt.succeed("all is well")

    assert attempt.failure is not None
    assert (attempt.outcome, attempt.failure.code) == (Outcome.FAILED, "not_committed")
    assert onlooker.runs() == [context.run]


def test_outside_a_transaction_there_is_a_warning(shop_url: str, context: Context, onlooker: Onlooker) -> None:
    with (
        psycopg.connect(shop_url, autocommit=True) as connection,
        pytest.warns(RuntimeWarning, match="outside a transaction"),
    ):
        context.settle_in_sync(connection)

    assert settled(onlooker) == [(3, None)]


@pytest.mark.parametrize(("result", "code"), [("x" * 1_048_577, "result_too_large"), (object(), "bad_result")])
def test_a_result_that_cannot_be_kept_is_refused(
    shop_url: str, context: Context, onlooker: Onlooker, result: object, code: str
) -> None:
    with psycopg.connect(shop_url) as connection, pytest.raises(InvalidInputError) as refused:
        context.settle_in_sync(connection, result)

    assert (refused.value.field, refused.value.code) == ("result", code)
    assert (onlooker.runs(), settled(onlooker)) == ([context.run], [])


def test_a_role_of_its_own_needs_the_right_and_nothing_else(
    shop_url: str, context: Context, onlooker: Onlooker
) -> None:
    onlooker.execute("CREATE ROLE packer")
    with psycopg.connect(shop_url) as connection:
        connection.execute("SET ROLE packer")
        with pytest.raises(ForbiddenError, match="GRANT"):
            context.settle_in_sync(connection)
        connection.rollback()
    onlooker.execute("GRANT USAGE ON SCHEMA mainspring TO packer")
    onlooker.execute("GRANT EXECUTE ON FUNCTION mainspring.settle TO packer")
    with psycopg.connect(shop_url) as connection:
        connection.execute("SET ROLE packer")
        context.settle_in_sync(connection)
    onlooker.execute("DROP OWNED BY packer")
    onlooker.execute("DROP ROLE packer")

    assert settled(onlooker) == [(3, None)]


async def test_other_connections_are_refused(shop_url: str, context: Context) -> None:
    with closing(sqlite3.connect(":memory:")) as other, pytest.raises(ConfigError, match="PostgreSQL"):
        context.settle_in_sync(other)
    connection = await asyncpg.connect(shop_url)
    with pytest.raises(ConfigError, match="await settle_in"):
        context.settle_in_sync(connection)
    await connection.close()
    with psycopg.connect(shop_url) as plain, pytest.raises(ConfigError, match="settle_in_sync"):
        await context.settle_in(plain)
