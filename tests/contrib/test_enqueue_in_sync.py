"""Enqueue in the caller's own transaction, from plain code: the run exists exactly if the commit does."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress

import psycopg
import pytest

from mainspring import App, ConfigError, ConflictError, InvalidInputError, NotFoundError
from mainspring.app.middleware import Middleware
from mainspring.client.transport.requests import Enqueue
from mainspring.errors import ForbiddenError, OverBudgetError, TooLargeError
from tests.architecture.source import ROOT
from tests.contrib.plain_ways import WAYS, Transaction
from tests.contrib.shop import Onlooker, Shop

pytestmark = pytest.mark.postgres

Way = Callable[[str], AbstractContextManager[Transaction]]
each_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


@each_way
def test_a_commit_brings_the_run_with_all_else(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    with way(shop_url) as transaction:
        transaction.order(1)
        handle = shop.pack.enqueue_in_sync(transaction.connection, order=1)
        before = onlooker.runs()

    assert (before, onlooker.runs()) == ([], [handle.id])
    assert onlooker.orders() == [1]
    assert not handle.existing


@each_way
def test_a_rollback_leaves_nothing(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    with suppress(ZeroDivisionError), way(shop_url) as transaction:
        transaction.order(1)
        shop.pack.options(key="k", tags=["t"], queue="new").enqueue_in_sync(transaction.connection, order=1)
        raise ZeroDivisionError

    assert (onlooker.runs(), onlooker.orders()) == ([], [])
    assert onlooker.all("SELECT key FROM mainspring.keys UNION ALL SELECT mark FROM mainspring.marks") == []


@each_way
def test_a_savepoint_undoes_only_what_came_after_it(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    with way(shop_url) as transaction:
        kept = shop.pack.enqueue_in_sync(transaction.connection, order=1)
        with suppress(ZeroDivisionError), transaction.savepoint():
            shop.pack.enqueue_in_sync(transaction.connection, order=2)
            raise ZeroDivisionError
        transaction.order(1)

    assert onlooker.runs() == [kept.id]
    assert onlooker.orders() == [1]


@each_way
def test_a_conflict_is_our_error_and_the_driver_decides_what_becomes_of_the_transaction(
    way: Way, shop_url: str, shop: Shop, onlooker: Onlooker
) -> None:
    keyed = shop.pack.options(key="order-1")
    with way(shop_url) as transaction:
        first = keyed.enqueue_in_sync(transaction.connection, order=1)
        again = keyed.enqueue_in_sync(transaction.connection, order=1)
        with pytest.raises(ConflictError) as conflict, transaction.savepoint():
            keyed.enqueue_in_sync(transaction.connection, order=2)
        transaction.order(1)
    with suppress(ConflictError), way(shop_url) as transaction:
        transaction.order(2)
        keyed.enqueue_in_sync(transaction.connection, order=2)

    assert (again.id, again.existing) == (first.id, True)
    assert (conflict.value.kind, conflict.value.key, conflict.value.code) == ("key", "order-1", "key_conflict")
    assert conflict.value.__cause__ is not None
    assert onlooker.runs() == [first.id]
    assert onlooker.orders() == [1]


@each_way
def test_many_are_enqueued_by_one_statement(way: Way, shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    calls = [shop.pack.options(priority=order % 10).call(order=order) for order in range(50)]
    with way(shop_url) as transaction:
        handles = shop.app.enqueue_many_in_sync(transaction.connection, [*calls, shop.bill.call(order=7)])
        none = shop.app.enqueue_many_in_sync(transaction.connection, [])

    assert [handle.id for handle in handles] == onlooker.runs()
    assert none == ()
    assert onlooker.all("SELECT convert_from(input, 'UTF8') FROM mainspring.runs ORDER BY id")[3] == ('{"order":3}',)


def test_what_the_server_refuses_comes_as_the_same_errors(shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    stranger = App("stranger")

    @stranger.job(name="pack")
    def pack(order: str, size: int = 0) -> None: ...

    @stranger.job
    def unknown() -> None: ...

    with psycopg.connect(shop_url, autocommit=True) as connection:
        with pytest.raises(NotFoundError, match="unknown job 'unknown': no executor has registered it") as missing:
            unknown.enqueue_in_sync(connection)
        with pytest.raises(InvalidInputError) as wrong:
            pack.enqueue_in_sync(connection, order="one")
        with pytest.raises(InvalidInputError) as many:
            stranger.enqueue_many_in_sync(connection, [shop.pack.call(order=1), pack.call(order="one")])
        with pytest.raises(InvalidInputError, match="NUL") as nul:
            shop.pack.enqueue_in_sync(connection, order=1, note="\0")
        with pytest.raises(TooLargeError):
            shop.app.send_in_sync(connection, Enqueue(job="pack", input={"order": 1, "note": "x" * 300_000}))
        onlooker.execute("INSERT INTO mainspring.queues (namespace, queue, max_queued) VALUES ('default', 'money', 0)")
        with pytest.raises(OverBudgetError, match="queue 'money' is over its budget: 0 of at most 0") as full:
            shop.bill.enqueue_in_sync(connection, order=1)
        onlooker.execute("DELETE FROM mainspring.queues")

    assert (missing.value.kind, missing.value.key, missing.value.code) == ("job", "unknown", "unknown_job")
    assert (wrong.value.field, wrong.value.code) == ("input.order", "bad_arguments")
    assert many.value.field == "runs[1].input.order"
    assert nul.value.code == "bad_input"
    assert (full.value.kind, full.value.key, full.value.limit) == ("queue", "money", 0)
    assert onlooker.runs() == []


def test_outside_a_transaction_the_run_is_stored_at_once_with_a_warning(
    shop_url: str, shop: Shop, onlooker: Onlooker
) -> None:
    with psycopg.connect(shop_url, autocommit=True) as connection:
        with pytest.warns(RuntimeWarning, match="outside a transaction: the run is stored already"):
            handle = shop.pack.enqueue_in_sync(connection, order=1)

        assert onlooker.runs() == [handle.id]


def test_a_database_without_the_function_or_the_right_is_named_as_the_reason(
    postgres_url: str, shop_url: str, shop: Shop, onlooker: Onlooker
) -> None:
    role = f"visitor_{os.getpid()}"
    onlooker.execute(f"CREATE ROLE {role} LOGIN")
    with psycopg.connect(postgres_url) as elsewhere, pytest.raises(ConfigError, match="has no function mainspring"):
        shop.pack.enqueue_in_sync(elsewhere, order=1)
    with psycopg.connect(shop_url, user=role) as visitor, pytest.raises(ForbiddenError, match="GRANT USAGE ON SCHEMA"):
        shop.pack.enqueue_in_sync(visitor, order=1)
    onlooker.execute(f"DROP ROLE {role}")


DYING = """
import os, sys, psycopg
from tests.contrib.shop import Shop
connection = psycopg.connect(sys.argv[1])
connection.execute("INSERT INTO orders (number) VALUES (1)")
Shop().pack.enqueue_in_sync(connection, order=1)
os._exit(9)
"""


def test_a_process_that_dies_before_its_commit_leaves_nothing(shop_url: str, onlooker: Onlooker) -> None:
    ended = subprocess.run([sys.executable, "-c", DYING, shop_url], cwd=ROOT, check=False)

    assert ended.returncode == 9
    assert (onlooker.runs(), onlooker.orders()) == ([], [])


def test_a_connection_that_breaks_before_its_commit_leaves_nothing(
    shop_url: str, shop: Shop, onlooker: Onlooker
) -> None:
    with suppress(psycopg.OperationalError), psycopg.connect(shop_url) as connection:
        shop.pack.enqueue_in_sync(connection, order=1)
        onlooker.all("SELECT pg_terminate_backend(%s)", connection.info.backend_pid)
        connection.execute("INSERT INTO orders (number) VALUES (1)")

    assert (onlooker.runs(), onlooker.orders()) == ([], [])


class Stamp(Middleware):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def before_enqueue(self, wanted: Enqueue) -> Enqueue:
        return wanted.replace(labels={"stamped": "yes"})

    def after_enqueue(self, wanted: Enqueue, handle: object) -> None:
        self.seen.append(wanted.job)


def test_middleware_has_its_say_as_with_enqueue(shop_url: str, shop: Shop, onlooker: Onlooker) -> None:
    stamp = Stamp()
    shop.app.use(stamp)
    with psycopg.connect(shop_url) as connection:
        shop.pack.enqueue_in_sync(connection, order=1)

    assert onlooker.all("SELECT mark FROM mainspring.marks") == [("stamped=yes",)]
    assert stamp.seen == ["pack"]
