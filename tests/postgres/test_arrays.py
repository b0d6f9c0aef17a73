"""Columns encoded as a whole are what PostgreSQL and its driver understand by them."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from mainspring.store.postgres.codecs import read_integers, read_uuids
from mainspring.store.postgres.connection import carry_ids_as_bytes, carry_whole_columns
from tests.support.postgres import Postgres

NOW = datetime(2026, 11, 15, 12, 30, 15, 123456, tzinfo=UTC)
IDS = [os.urandom(16) for _ in range(5)]

COLUMNS: list[tuple[str, list[Any]]] = [
    ("uuid[]", []),
    ("uuid[]", IDS),
    ("uuid[]", [IDS[0], None, IDS[1]]),
    ("uuid[]", [None, None]),
    ("integer[]", [0, 1, -1, 2**31 - 1, -(2**31)]),
    ("integer[]", [7, 7, 7]),
    ("smallint[]", [0, 9, -3, 32767]),
    ("smallint[]", [5] * 4),
    ("bigint[]", [0, -1, 2**53, 2**63 - 1]),
    ("bigint[]", [20] * 3),
    ("bytea[]", [b"", b"\x00\xff", b"x" * 300_000]),
    ("bytea[]", [b"null"] * 3),
    ("bytea[]", [b"a", None]),
    ("text[]", []),
    ("text[]", ["", "a", "ärger \N{SNOWMAN}", "{a,b}", "x" * 300_000]),
    ("text[]", ["noop"] * 3),
    ("text[]", ["a", None]),
    ("text[]", [None, None]),
    ("timestamptz[]", [NOW, NOW + timedelta(days=3650, microseconds=1), datetime(1990, 1, 1, tzinfo=UTC)]),
    ("timestamptz[]", [NOW] * 2),
    ("timestamptz[]", [NOW, None]),
    ("timestamptz[]", [None]),
]


@pytest.fixture
async def connections(postgres: Postgres) -> AsyncIterator[tuple[Any, Any]]:
    """One connection with the driver's codecs, one with ours."""
    url = await postgres.create_database()
    plain, whole = await asyncpg.connect(url), await asyncpg.connect(url)
    await carry_ids_as_bytes(plain)
    await carry_whole_columns(whole)
    yield plain, whole
    await plain.close()
    await whole.close()
    await postgres.drop_database(url)


@pytest.mark.parametrize(("kind", "values"), COLUMNS)
async def test_a_column_arrives_as_the_driver_would_send_it(
    connections: tuple[Any, Any], kind: str, values: list[Any]
) -> None:
    plain, whole = connections
    sql = f"SELECT $1::{kind}::text"

    assert await whole.fetchval(sql, values) == await plain.fetchval(sql, values)


async def test_packed_numbers_and_ids_are_read_back(connections: tuple[Any, Any]) -> None:
    _, whole = connections
    packed = await whole.fetchval(
        "SELECT string_agg(int4send(n), '') FROM unnest($1::integer[]) AS n", [3, -1, 2**31 - 1]
    )
    ids = await whole.fetchval("SELECT string_agg(uuid_send(n), '') FROM unnest($1::uuid[]) AS n", IDS)

    assert read_integers(packed) == [3, -1, 2**31 - 1]
    assert read_uuids(ids) == IDS


async def test_an_array_of_bytes_is_read_back(connections: tuple[Any, Any]) -> None:
    _, whole = connections
    values = [b"", b"a", None, b"x" * 1000]

    assert await whole.fetchval("SELECT $1::bytea[]", values) == values


async def test_an_array_of_texts_is_read_as_the_driver_would_read_it(connections: tuple[Any, Any]) -> None:
    plain, whole = connections
    values = ["", "a", None, "\N{SNOWMAN}" * 1000]

    assert (
        await whole.fetchval("SELECT $1::text[]", values) == values == await plain.fetchval("SELECT $1::text[]", values)
    )
