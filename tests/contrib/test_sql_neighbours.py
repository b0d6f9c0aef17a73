"""What enqueueing by SQL means for everybody else: lines, hints, budgets, rights and servers that must not wait."""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psycopg
import pytest
from psycopg import errors

from mainspring.domain.queues.line import Line
from mainspring.store import open_store
from mainspring.store.postgres.connection import read_url
from tests.contrib.shop import Onlooker, Shop
from tests.contrib.sql import Connection, enqueue, enqueue_many
from tests.support.limits import HANG
from tests.support.pgbouncer import PgBouncer

pytestmark = pytest.mark.postgres

CHANNEL = "mainspring_wake"


def lines(onlooker: Onlooker, queue: str) -> list[int]:
    return [line for (line,) in onlooker.all("SELECT id FROM mainspring.lines WHERE queue = %s", queue)]


def lines_of_runs(onlooker: Onlooker) -> set[int]:
    return {line for (line,) in onlooker.all("SELECT line FROM mainspring.runs")}


def test_a_line_is_made_by_the_commit_that_needs_it_first(connection: Connection, onlooker: Onlooker) -> None:
    enqueue(connection, queue="first")
    enqueue(connection, queue="first")
    before = lines(onlooker, "first")
    connection.commit()

    assert before == []
    assert lines(onlooker, "first") == list(lines_of_runs(onlooker))
    assert onlooker.all("SELECT 1 FROM mainspring.lines_to_make") == []


def test_a_line_goes_with_the_transaction_or_the_savepoint_that_needed_it(
    connection: Connection, onlooker: Onlooker
) -> None:
    with connection.transaction():
        with suppress(ZeroDivisionError), connection.transaction():
            enqueue(connection, queue="undone")
            raise ZeroDivisionError
        enqueue(connection, queue="kept")

    assert (lines(onlooker, "undone"), len(lines(onlooker, "kept"))) == ([], 1)
    assert len(onlooker.runs()) == 1


def test_a_server_does_not_wait_for_a_transaction_that_needs_the_same_line(
    shop_url: str, connection: Connection, onlooker: Onlooker
) -> None:
    async def by_server() -> int:
        store = await open_store(shop_url)
        try:
            async with asyncio.timeout(HANG):
                [number] = await store.jobs.lines([Line("default", "shared", "pack")])
        finally:
            await store.close()
        return number

    run = enqueue(connection, queue="shared")
    number = asyncio.run(by_server())
    connection.commit()

    assert lines(onlooker, "shared") == [number]
    assert onlooker.all("SELECT id, line FROM mainspring.runs") == [(run, number)]


PAUSE = """
CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1);
  RETURN NULL;
END $$;
CREATE TRIGGER pause AFTER INSERT ON mainspring.keys FOR EACH STATEMENT EXECUTE FUNCTION pause();
"""
PAUSED = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def test_a_key_that_is_pruned_while_somebody_asks_for_it_is_theirs(
    shop_url: str, connection: Connection, onlooker: Onlooker
) -> None:
    before = enqueue(connection, key="order-1")
    connection.commit()
    with psycopg.connect(shop_url) as other, ThreadPoolExecutor(1) as threads:
        other.execute(PAUSE)
        other.commit()
        other.execute("SELECT pg_advisory_xact_lock(1)")
        asked = threads.submit(enqueue, connection, key="order-1")
        while not onlooker.all(PAUSED):
            pass
        other.execute("DELETE FROM mainspring.keys")
        other.commit()
        after = asked.result()
    connection.commit()

    assert after != before
    assert onlooker.all("SELECT run FROM mainspring.keys") == [(after,)]


def test_transactions_that_need_lines_in_any_order_do_not_deadlock(
    shop_url: str, connection: Connection, onlooker: Onlooker
) -> None:
    with psycopg.connect(shop_url) as other:
        enqueue(connection, queue="left")
        enqueue(other, queue="right")
        enqueue(connection, queue="right")
        enqueue(other, queue="left")
        connection.commit()
        other.commit()

    assert [len(lines(onlooker, queue)) for queue in ("left", "right")] == [1, 1]
    assert lines_of_runs(onlooker) == {*lines(onlooker, "left"), *lines(onlooker, "right")}


def test_a_line_that_exists_costs_no_number(connection: Connection, onlooker: Onlooker) -> None:
    enqueue(connection)
    connection.commit()
    before = onlooker.all("SELECT last_value FROM mainspring.lines_id_seq")
    for _ in range(5):
        enqueue(connection)
    connection.commit()

    assert onlooker.all("SELECT last_value FROM mainspring.lines_id_seq") == before


@pytest.fixture
def heard(shop_url: str) -> Iterator[Connection]:
    with psycopg.connect(shop_url, autocommit=True) as listening:
        listening.execute(f"LISTEN {CHANNEL}")
        yield listening


def hints(heard: Connection) -> list[str]:
    """What was said so far: a word of our own comes last."""
    heard.execute("SELECT pg_notify(%s, 'over')", [CHANNEL])
    said: list[str] = []
    for notify in heard.notifies(stop_after=None, timeout=HANG):
        if notify.payload == "over":
            break
        said.append(notify.payload)
    return said


def test_servers_are_woken_by_the_commit_once_and_with_the_line(
    connection: Connection, onlooker: Onlooker, heard: Connection
) -> None:
    for _ in range(3):
        enqueue(connection)
    before = hints(heard)
    connection.commit()
    [line] = lines_of_runs(onlooker)

    assert before == []
    assert hints(heard) == [f"sql:{line}"]


def test_a_rollback_wakes_nobody_and_neither_does_a_run_for_later(connection: Connection, heard: Connection) -> None:
    enqueue(connection)
    connection.rollback()
    enqueue_many(connection, [{"job": "pack", "input": {"order": 1}, "delay": 3600}])
    connection.commit()

    assert hints(heard) == []


def test_a_run_due_before_the_next_poll_makes_servers_look_ahead(connection: Connection, heard: Connection) -> None:
    enqueue_many(connection, [{"job": "pack", "input": {"order": 1}, "delay": 0.5}])
    connection.commit()

    assert hints(heard) == ["sql:*"]


def test_hints_can_be_left_out(connection: Connection, onlooker: Onlooker, heard: Connection) -> None:
    connection.execute("SET LOCAL mainspring.hints = 'off'")
    enqueue(connection)
    connection.commit()

    assert hints(heard) == []
    assert len(onlooker.runs()) == 1


def test_a_full_queue_refuses_and_its_namespace_does_too(connection: Connection, onlooker: Onlooker) -> None:
    run = enqueue(connection, queue="narrow")
    connection.commit()
    onlooker.all("SELECT mainspring.survey_1(now() + interval '1 second')")
    connection.execute("INSERT INTO mainspring.queues (namespace, queue, max_queued) VALUES ('default', 'narrow', 2)")
    enqueue(connection, queue="wide")
    with pytest.raises(psycopg.Error) as full, connection.transaction():
        enqueue_many(connection, [{"job": "pack", "input": {"order": 1}, "queue": "narrow"}] * 2)
    connection.execute("INSERT INTO mainspring.queues (namespace, queue, max_queued) VALUES ('default', '', 1)")
    with pytest.raises(psycopg.Error) as whole, connection.transaction():
        enqueue(connection, queue="wide")
    connection.rollback()
    onlooker.all("SELECT mainspring.survey_1(now() + interval '2 seconds')")

    assert (full.value.sqlstate, whole.value.sqlstate) == ("MSFUL", "MSFUL")
    assert full.value.diag.message_primary == "queue 'narrow' is over its budget: 1 of at most 2 runs wait there"
    assert whole.value.diag.message_primary == "namespace 'default' is over its budget: 1 of at most 1 runs wait there"
    assert onlooker.runs() == [str(run)]


CASHIER = f"cashier_{os.getpid()}"
"""Roles belong to the whole server, which others may use at the same time."""


@pytest.fixture
def cashier(shop_url: str, onlooker: Onlooker) -> Iterator[Connection]:
    """A role that may enqueue and nothing else."""
    onlooker.execute(f"CREATE ROLE {CASHIER} LOGIN")
    onlooker.execute(f"GRANT USAGE ON SCHEMA mainspring TO {CASHIER}")
    onlooker.execute(f"GRANT EXECUTE ON FUNCTION mainspring.enqueue, mainspring.enqueue_many TO {CASHIER}")
    with psycopg.connect(shop_url, user=CASHIER) as connection:
        yield connection
    onlooker.execute(f"DROP OWNED BY {CASHIER}")
    onlooker.execute(f"DROP ROLE {CASHIER}")


def test_a_role_with_two_grants_may_enqueue_and_nothing_else(cashier: Connection, onlooker: Onlooker) -> None:
    run = enqueue(cashier, queue="cash", key="one")
    assert enqueue(cashier, queue="cash", key="one") == run
    cashier.commit()

    assert onlooker.all("SELECT id, convert_from(extra, 'UTF8') FROM mainspring.runs") == [
        (run, f'{{"by":"sql:{CASHIER}"}}')
    ]
    for statement in (
        "SELECT * FROM mainspring.runs",
        "SELECT * FROM mainspring.lines_to_make",
        "INSERT INTO mainspring.lines_to_make VALUES (1, 'default', 'x', 'y')",
        "DELETE FROM mainspring.keys",
        "SELECT mainspring.line_for('default', 'x', 'y', 'z')",
        "SELECT mainspring.job_called('default', 'pack')",
        "SELECT mainspring.make_lines()",
    ):
        with pytest.raises((errors.InsufficientPrivilege, errors.FeatureNotSupported)), cashier.transaction():
            cashier.execute(statement.encode())


def test_without_the_grants_nothing_is_allowed(onlooker: Onlooker, cashier: Connection) -> None:
    onlooker.execute(f"REVOKE EXECUTE ON FUNCTION mainspring.enqueue FROM {CASHIER}")

    with pytest.raises(errors.InsufficientPrivilege):
        enqueue(cashier)


def test_objects_of_the_caller_do_not_stand_in_for_those_of_the_function(
    cashier: Connection, onlooker: Onlooker
) -> None:
    cashier.execute("CREATE TEMP TABLE runs (id uuid)")
    cashier.execute(
        "CREATE FUNCTION pg_temp.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT 'epoch'::timestamptz $$"
    )
    cashier.execute("SET search_path = pg_temp, public")
    run = enqueue(cashier)
    cashier.commit()

    assert onlooker.runs() == [str(run)]
    assert onlooker.all("SELECT 1 FROM mainspring.runs WHERE created_at > now() - interval '1 hour'") == [(1,)]


def test_a_pooler_in_transaction_mode_may_stand_between(
    pgbouncer: PgBouncer, shop_url: str, shop: Shop, onlooker: Onlooker, heard: Connection
) -> None:
    url, _ = read_url(pgbouncer.url(shop_url))
    with psycopg.connect(url, prepare_threshold=None) as pooled:
        handle = shop.pack.enqueue_in_sync(pooled, order=1)

    assert onlooker.runs() == [handle.id]
    assert len(hints(heard)) == 1


def test_in_a_stricter_isolation_what_others_made_meanwhile_fails_as_everything_does(
    shop_url: str, connection: Connection, onlooker: Onlooker
) -> None:
    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    connection.execute("SELECT 1 FROM orders")
    with psycopg.connect(shop_url) as other:
        first = enqueue(other, key="shared")
    with pytest.raises(errors.SerializationFailure):
        enqueue(connection, key="shared")
    connection.rollback()
    again = enqueue(connection, key="shared")
    connection.commit()

    assert again == first
    assert onlooker.runs() == [str(first)]
