"""Acts are written once: how each database takes their statements, and how SQLite runs them."""

import asyncio
import sqlite3

import pytest

from mainspring.store.postgres.tx import numbered, values
from mainspring.store.sql import Queries, Statement
from mainspring.store.sqlite.tx import FOREIGN, SqliteTx, drive, encoded
from mainspring.testing.clock import START


def test_postgres_numbers_parameters_in_the_order_of_their_names() -> None:
    found = numbered("SELECT :b::text, :a, :b FROM x WHERE y[1:2] = :c")

    assert found == Statement("SELECT $1::text, $2, $1 FROM x WHERE y[1:2] = $3", ("b", "a", "c"))


def test_postgres_gets_rows_as_arrays_by_the_names_of_their_fields() -> None:
    rows = [{"name": "a", "at": START}, {"name": "b\x00", "at": None}]

    assert values(Statement("", ("at", "kind", "name")), {"rows": rows, "kind": 1}) == [
        [START, None],
        1,
        ["a", "b\ufffd"],
    ]


def test_a_parameter_that_was_not_given_is_an_error() -> None:
    with pytest.raises(KeyError, match="name"):
        values(Statement("", ("name",)), {})


def test_sqlite_leaves_out_what_only_postgres_has() -> None:
    text = 'SELECT j.a FROM mainspring.jobs AS j WHERE j.b = :b::text ORDER BY j.a COLLATE "C"\nFOR UPDATE OF j SKIP LOCKED'

    assert FOREIGN.sub("", text) == "SELECT j.a FROM jobs AS j WHERE j.b = :b ORDER BY j.a"


def test_sqlite_gets_ids_as_a_blob_and_other_arrays_as_json() -> None:
    one, two = b"1" * 16, b"2" * 16

    assert encoded({"ids": [one, two]}) == {"ids": one + two, "rows": "[0,0]"}
    assert encoded({"names": ["a"]}) == {"names": '["a"]'}
    assert encoded({"rows": [{"id": one, "n": 1}, {"id": two, "n": None}]}) == {
        "rows": '[{"n":1},{"n":null}]',
        "id": one + two,
    }


def test_sqlite_reads_instants_by_the_names_of_their_columns() -> None:
    with sqlite3.connect(":memory:") as connection:
        tx = SqliteTx(connection, Queries())
        row = tx._cursor.execute("SELECT 0 AS at, 1 AS number, NULL AS until").fetchone()

    assert (row["at"].isoformat(), row["number"], row["until"]) == ("1970-01-01T00:00:00+00:00", 1, None)


def test_an_act_that_awaits_anything_else_is_refused() -> None:
    async def act() -> None:
        await asyncio.sleep(0)

    with pytest.raises(AssertionError, match="nothing but its transaction"):
        drive(act())
