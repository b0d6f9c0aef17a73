"""What servers ask every second about cancels and deadlines costs next to nothing, however many runs there are."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
import pytest_asyncio

from mainspring.testing.clock import START
from tests.postgres.test_query_plans import SQL, Plans
from tests.support.postgres import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 20_000
FILL = """
INSERT INTO mainspring.runs (
  id, due_at, created_at, line, job, attempt, priority, state, failures, losses, token, session, reason, deadline_at, input
)
SELECT gen_random_uuid(), $1::timestamptz, $1, n % 3, 1, 0, 5, 1 + (n % 2), 0, 0,
  CASE n % 2 WHEN 1 THEN gen_random_uuid() END, CASE n % 2 WHEN 1 THEN md5((n % 50)::text)::uuid END,
  CASE WHEN n % 1000 = 1 THEN 'cancelling' END, CASE WHEN n % 10 = 0 THEN $1 + n * interval '1 second' END, '{}'
FROM generate_series(1, $2::integer) AS n
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    """Plans on a table in each of the states in which a planner may find it."""
    url = await postgres.create_migrated()
    connection = await asyncpg.connect(url)
    if request.param != "empty":
        await connection.execute(FILL, START, ROWS)
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.runs")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


async def test_the_wishes_of_sessions_are_found_among_the_wishes_alone(plans: Plans) -> None:
    plan = await plans.of_query("cancel_requests", ["uuid[]"])

    assert "runs_cancelling" in plan
    assert "Seq Scan on runs" not in plan


async def test_deadlines_are_read_in_their_order(plans: Plans) -> None:
    rows = await plans.connection.fetch(f"EXPLAIN {SQL['next_deadline']}")
    plan = await plans.of_query("late", ["timestamptz", "bigint"])

    for found in (plan, "\n".join(row[0] for row in rows)):
        assert "Index Scan using runs_deadline" in found
        assert "Sort" not in found


@pytest.mark.parametrize("plans", ["loaded", "analysed"], indirect=True)
@pytest.mark.parametrize(
    ("query", "types"),
    [
        ("lock_live", ["uuid[]", "text"]),
        ("finish_idle", ["uuid[]", "timestamptz", "smallint", "text"]),
        ("mark_cancelling", ["uuid[]", "text"]),
    ],
)
async def test_runs_that_are_steered_are_found_by_their_ids(plans: Plans, query: str, types: list[str]) -> None:
    plan = await plans.of_query(query, types)

    assert "runs_pkey" in plan
    assert "Seq Scan on runs" not in plan


async def test_how_far_workflow_runs_have_come_is_read_by_their_ids(plans: Plans) -> None:
    plan = await plans.of_query("flows_of", ["uuid[]"])

    assert "Seq Scan" not in plan
    assert ("flows_pkey" in plan, "flows_past_pkey" in plan) == (True, True)
