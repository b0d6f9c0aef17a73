"""Where a run stands is read from the index up to a bound, wherever among a million it stands."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from mainspring.testing.clock import START
from tests.postgres.test_query_plans import SQL, Plans
from tests.support.postgres import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 20_000
LIMIT = 100
FILL = """
INSERT INTO mainspring.runs (id, due_at, created_at, line, job, attempt, priority, state, failures, losses, input, reason, lane)
SELECT gen_random_uuid(), $1::timestamptz + n * interval '1 millisecond', $1, 1, 1, 0, 5, n % 2, 0, 0, '{}',
  CASE n % 2 WHEN 0 THEN 'limit' END, CASE n % 2 WHEN 0 THEN 1 END
FROM generate_series(1, $2::integer) AS n
"""
PLACES = [
    ("place_of_run", "runs_claimable", ["uuid", "timestamptz", "bigint"]),
    ("place_in_lane", "runs_laned", ["uuid", "bigint"]),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "moved", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    """Plans on a table in each of the states in which a planner may find it; a moved run left a dead entry in the index."""
    url = await postgres.create_migrated()
    connection = await asyncpg.connect(url)
    await connection.execute("ALTER TABLE mainspring.runs SET (autovacuum_enabled = off)")
    if request.param != "empty":
        await connection.execute(FILL, START, ROWS)
    if request.param == "moved":
        await connection.execute("UPDATE mainspring.runs SET due_at = due_at + interval '1 hour'")
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.runs")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


@pytest.mark.parametrize(("query", "index", "types"), PLACES)
async def test_the_run_itself_bounds_the_index(plans: Plans, query: str, index: str, types: list[str]) -> None:
    plan = await plans.of_query(query, types)

    assert f"Index Only Scan Backward using {index}" in plan or f"Index Scan Backward using {index}" in plan, plan
    assert re.search(r"Index Cond: .*ROW\(due_at, id\) < ROW\(", plan), plan
    assert "using runs_pkey on runs r" in plan, plan
    for trap in ("Filter: .*ROW", "Sort", "Seq Scan", "Gather"):
        assert not re.search(trap, plan), plan


@pytest.mark.parametrize("plans", ["loaded", "moved", "analysed"], indirect=True)
@pytest.mark.parametrize(("query", "index", "types"), PLACES)
@pytest.mark.parametrize("before", [10, ROWS // 4, ROWS // 2 - 1])
async def test_no_more_runs_are_read_than_are_counted(
    plans: Plans, query: str, index: str, types: list[str], before: int
) -> None:
    state = 1 if query == "place_of_run" else 0
    found = "SELECT id FROM mainspring.runs WHERE state = $1 ORDER BY due_at, id OFFSET $2 LIMIT 1"
    run = await plans.connection.fetchval(found, state, before)
    values = {"uuid": f"'{run}'", "timestamptz": f"'{START + timedelta(days=1)}'", "bigint": str(LIMIT)}
    plan = await explained(plans.connection, SQL[query], types, [values[kind] for kind in types])

    # Found by its key, and then so many entries of the index: nothing is read and thrown away.
    assert "using runs_pkey on runs r" in plan, plan
    assert re.search(rf"Limit \(actual rows={min(before, LIMIT)} loops=1\)", plan), plan
    assert plan.count(f"using {index}") == 1, plan
    assert "Rows Removed by Filter" not in plan, plan


async def explained(connection: "asyncpg.Connection[Any]", text: str, types: list[str], values: list[str]) -> str:
    """The plan of a statement that is executed, with the rows that each part read."""
    await connection.execute(f"PREPARE place ({', '.join(types)}) AS {text}")
    rows = await connection.fetch(f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE place ({', '.join(values)})")
    await connection.execute("DEALLOCATE place")
    return "\n".join(row[0] for row in rows)
