"""Counting queues and rolling up history keep their plans on empty, freshly loaded and analysed tables."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest
import pytest_asyncio

from mainspring.domain.queues.rollup import EDGES
from mainspring.store import open_store
from mainspring.testing.clock import START
from tests.postgres.test_query_plans import FUNCTION, SQL, Plans
from tests.support.postgres import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 20_000
FILL = {
    "history": """
INSERT INTO mainspring.history (
  id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state, failures, losses, input
)
SELECT gen_random_uuid(), at, at, at, at, 1000, n % 7, n % 7, 1, 5, 3, 0, 0, '{}'
FROM generate_series(1, $2::integer) AS n
CROSS JOIN LATERAL (SELECT $1::timestamptz + n * interval '1 second' AS at) AS t
""",
    "runs": """
INSERT INTO mainspring.runs (id, due_at, created_at, line, job, attempt, priority, state, failures, losses, input)
SELECT gen_random_uuid(), $1, $1, n % 50, 1, 0, 5, 1, 0, 0, '{}' FROM generate_series(1, $2::integer) AS n
""",
    "rollups": """
INSERT INTO mainspring.rollups (
  step, at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations
)
SELECT 60, $1::timestamptz + n / 20 * interval '1 minute', n % 20, 1, 3, 1, 1, 1, 1, 1, '[1]', '[1]'
FROM generate_series(1, $2::integer) AS n
""",
}
STATEMENTS = {
    "finished_1": re.compile(r"SELECT date_bin.*?(?=;)", re.DOTALL),
    "survey_1": re.compile(r"WITH found.*?(?=;)", re.DOTALL),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    """Plans on tables in each of the states in which a planner may find them."""
    url = await postgres.create_migrated()
    store = await open_store(url)
    await store.cluster.prepare_history(now=START, days=1)
    await store.close()
    connection = await asyncpg.connect(url)
    for statement in FILL.values() if request.param != "empty" else ():
        await connection.execute(statement, START, ROWS)
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.history, mainspring.runs, mainspring.rollups")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


async def plan_in(plans: Plans, function: str, *values: str) -> str:
    """The plan of a function's statement, under the function's own settings; which days it reads depends on the values."""
    row = await plans.connection.fetchrow(FUNCTION, function)
    assert row is not None
    [body] = STATEMENTS[function].findall(row["prosrc"])
    numbers = {name: f"${at}" for at, name in enumerate(row["proargnames"][: len(row["types"])], start=1)}
    text = re.sub(r"\bp_[a-z_]+\b", lambda word: numbers[word[0]], body).replace("edges)", "'{}'::interval[])", 1)
    async with plans.connection.transaction():
        await plans.connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        for setting in row["proconfig"]:
            await plans.connection.execute(f"SET LOCAL {setting}")
        await plans.connection.execute(f"PREPARE hot ({', '.join(row['types'])}) AS {text}")
        rows = await plans.connection.fetch(f"EXPLAIN EXECUTE hot ({', '.join(values)})")
        await plans.connection.execute("DEALLOCATE hot")
        return "\n".join(row[0] for row in rows)


async def test_a_range_of_history_is_found_by_the_least_index(plans: Plans) -> None:
    plan = await plan_in(plans, "finished_1", f"'{START}'", f"'{START + timedelta(seconds=5)}'", "'{1}'")

    assert "finished_at_idx" in plan
    for trap in ("Seq Scan", "Sort", "Gather", "history_id"):
        assert trap not in plan, plan


async def test_a_range_of_history_reads_a_range_of_the_table(postgres: Postgres) -> None:
    url = await postgres.create_migrated()
    store = await open_store(url)
    await store.cluster.prepare_history(now=START, days=1)
    connection = await asyncpg.connect(url)
    await connection.execute(FILL["history"], START, ROWS)
    await store.queues.roll_up(until=START + timedelta(hours=1), span=timedelta(days=8))
    await connection.execute("SET enable_seqscan = off")
    rows = await connection.fetch(
        "EXPLAIN (ANALYZE, COSTS OFF) SELECT count(*) FROM mainspring.history WHERE finished_at >= $1 AND finished_at < $2",
        START + timedelta(hours=5),
        START + timedelta(hours=5, seconds=10),
    )
    [passed] = [int(found[1]) for row in rows if (found := re.search(r"Removed by Index Recheck: (\d+)", row[0]))]
    await connection.close()
    await store.close()
    await postgres.drop_database(url)

    # One range of pages holds the ten rows; the others are not looked at.
    assert passed < ROWS / 2


async def test_counting_is_one_pass_on_one_core(plans: Plans) -> None:
    plan = await plan_in(plans, "survey_1", f"'{START}'")

    assert plan.count("on runs r") == 1
    assert "HashAggregate" in plan
    for trap in ("Gather", "Parallel", "Sort"):
        assert trap not in plan, plan


@pytest.mark.parametrize(
    ("query", "types"),
    [
        ("read_rollups", ["smallint", "timestamptz", "timestamptz", "integer[]", "integer"]),
        ("rollups_at", ["smallint", "timestamptz[]"]),
    ],
)
async def test_roll_ups_are_found_by_step_and_time(plans: Plans, query: str, types: list[str]) -> None:
    plan = await plans.of_query(query, types)

    assert "rollups_pkey" in plan
    assert "Seq Scan" not in plan


@pytest.mark.parametrize("query", ["depths", "queue_rules"])
async def test_pages_never_touch_the_runs(plans: Plans, query: str) -> None:
    rows = await plans.connection.fetch(f"EXPLAIN {SQL[query]}")
    plan = "\n".join(row[0] for row in rows)

    assert not re.search(r"\b(runs|history)", plan)


async def test_the_edges_of_the_buckets_fit_the_column(plans: Plans) -> None:
    assert await plans.connection.fetchval("SELECT width_bucket(0::bigint, $1::bigint[])", list(EDGES)) == 0
