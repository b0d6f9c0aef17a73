"""What a transaction has enqueued is run by a real executor as soon as it commits."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, suppress
from typing import Any

import psycopg
import pytest

from mainspring import ConflictError, NotFoundError
from tests.contrib import async_ways, plain_ways
from tests.contrib.live import NEVER, TOKEN, Live, live_executor, live_server
from tests.contrib.shop import Shop
from tests.support.processes import eventually

pytestmark = pytest.mark.postgres

Plain = Callable[[str], AbstractContextManager[plain_ways.Transaction]]
Async = Callable[[str], AbstractAsyncContextManager[async_ways.AsyncTransaction]]


@pytest.fixture(scope="module")
def live(shop_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """It polls once a minute: all that is quicker was woken by the commit."""
    queues = ("default", "money", "brand new")
    with (
        live_server(tmp_path_factory.mktemp("home"), shop_url, poll=NEVER) as started,
        live_executor(started, Shop().app.handlers, queues=queues),
    ):
        asyncio.run(eventually(lambda: registered(shop_url), "an executor"))
        yield started


def registered(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT 1 FROM mainspring.sessions WHERE state = 0").fetchone() is not None


@pytest.fixture
def connected(live: Live) -> Iterator[Shop]:
    shop = Shop(live.url, TOKEN)
    yield shop
    shop.app.sync_client.close()


@pytest.mark.parametrize("way", plain_ways.WAYS, ids=lambda way: way.__name__)
def test_a_committed_run_is_executed_at_once(way: Plain, shop_url: str, connected: Shop) -> None:
    with way(shop_url) as transaction:
        handle = connected.pack.enqueue_in_sync(transaction.connection, order=7)
        early = handle.exists()

    assert not early
    assert handle.result(timeout=NEVER / 2) == "packed 7"
    assert handle.get().created_by == "sql:postgres"


@pytest.mark.parametrize("way", async_ways.WAYS, ids=lambda way: way.__name__)
async def test_a_committed_run_is_executed_at_once_async(way: Async, shop_url: str, connected: Shop) -> None:
    async with way(shop_url) as transaction:
        handle = await connected.pack.enqueue_in(transaction.connection, order=7)
        early = await handle.exists()
    result = await handle.result(timeout=NEVER / 2)
    await connected.app.client.close()

    assert (early, result) == (False, "packed 7")


def test_a_run_that_was_rolled_back_never_runs(shop_url: str, connected: Shop) -> None:
    lost: list[Any] = []
    with suppress(ZeroDivisionError), psycopg.connect(shop_url) as connection:
        lost.append(connected.pack.enqueue_in_sync(connection, order=1))
        raise ZeroDivisionError
    with psycopg.connect(shop_url) as connection:
        connected.pack.enqueue_in_sync(connection, order=2)

    assert not lost[0].exists()
    with pytest.raises(NotFoundError):
        lost[0].get()


def test_a_queue_that_nobody_has_used_is_served_at_once(shop_url: str, connected: Shop) -> None:
    with psycopg.connect(shop_url) as connection:
        handle = connected.bill.options(queue="brand new").enqueue_in_sync(connection, order=3)

    assert handle.result(timeout=NEVER / 2) == 300


def test_a_run_for_a_moment_later_is_not_late(shop_url: str, connected: Shop) -> None:
    with psycopg.connect(shop_url) as connection:
        handle = connected.pack.options(delay=0.2).enqueue_in_sync(connection, order=3)

    assert handle.result(timeout=NEVER / 2) == "packed 3"


def test_one_key_is_one_run_whether_asked_for_by_sql_or_of_the_server(shop_url: str, connected: Shop) -> None:
    keyed = connected.pack.options(key="both ways")
    other = connected.pack.options(key="the other way round")
    with psycopg.connect(shop_url) as connection:
        by_sql = keyed.enqueue_in_sync(connection, order=5)
    by_server = keyed.enqueue_sync(order=5)
    first = other.enqueue_sync(order=6)
    with psycopg.connect(shop_url) as connection:
        second = other.enqueue_in_sync(connection, order=6)

    assert (by_server.id, by_server.existing) == (by_sql.id, True)
    assert (second.id, second.existing) == (first.id, True)


def test_what_sql_accepted_and_the_types_refuse_fails_at_its_start(shop_url: str, live: Live) -> None:
    with psycopg.connect(shop_url) as connection:
        row = connection.execute("SELECT mainspring.enqueue('ship', '{\"lines\": [\"one\"]}')").fetchone()
    assert row is not None
    client = live.client()
    run = client.wait(str(row[0]), timeout=NEVER / 2)
    client.close()

    assert run.state == "failed"
    assert run.error is not None
    assert (run.error.error, run.error.message) == ("bad_arguments", "input.lines[0]: Expected `int`, got `str`")


def test_a_server_does_not_wait_for_a_key_that_a_transaction_holds(shop_url: str, connected: Shop) -> None:
    keyed = connected.pack.options(key="held")
    with psycopg.connect(shop_url) as connection:
        held = keyed.enqueue_in_sync(connection, order=1)
        with pytest.raises(ConflictError, match="'held': is held by a transaction that has not ended yet") as busy:
            keyed.enqueue_sync(order=1)
        other = connected.pack.enqueue_sync(order=2)
        others_result = other.result(timeout=NEVER / 2)
    again = keyed.enqueue_sync(order=1)

    assert busy.value.code == "key_busy"
    assert others_result == "packed 2"
    assert (again.id, again.existing) == (held.id, True)
