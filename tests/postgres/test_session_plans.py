"""What is asked with every beat or poll finds its sessions by index, however many have come and gone."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
import pytest_asyncio

from mainspring.testing.clock import START
from tests.postgres.test_query_plans import Plans
from tests.support.postgres import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 20_000
LIVE = 200
FILL = """
INSERT INTO mainspring.sessions (
  id, namespace, executor, server, state, lease_until, opened_at, closed_at, reclaimed, abilities
)
SELECT gen_random_uuid(), 'default', 'e' || n % 500, gen_random_uuid(), CASE WHEN n <= $3 THEN 0 ELSE 2 END, $1, $1,
  CASE WHEN n <= $3 THEN NULL ELSE $1::timestamptz END, n > $3, '{}'
FROM generate_series(1, $2::integer) AS n
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    """Plans on a table in each of the states in which a planner may find it."""
    url = await postgres.create_migrated()
    connection = await asyncpg.connect(url)
    if request.param != "empty":
        await connection.execute(FILL, START, ROWS, LIVE)
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.sessions")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


async def test_a_beat_finds_its_sessions_by_their_ids(plans: Plans) -> None:
    plan = await plans.of_function("renew_1")

    assert "Index Scan using sessions_pkey" in plan
    for trap in ("Seq Scan on sessions", "Hash Join", "Merge Join", "Bitmap", "Materialize"):
        assert trap not in plan, plan


async def test_what_executors_have_is_found_by_their_sessions(plans: Plans) -> None:
    plan = await plans.of_query("held_runs", ["uuid[]", "bigint"])

    assert "runs_held" in plan
    assert "Seq Scan on runs" not in plan


async def test_a_beat_changes_no_index(plans: Plans) -> None:
    """Only then can PostgreSQL write the row beside its old self, and leave the indexes alone."""
    columns = await plans.connection.fetch(
        "SELECT DISTINCT a.attname FROM pg_index AS i JOIN pg_attribute AS a"
        " ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indrelid = 'mainspring.sessions'::regclass"
    )

    assert {row["attname"] for row in columns}.isdisjoint({"lease_until", "load"})
