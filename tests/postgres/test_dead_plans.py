"""Dead letters are read by their indexes alone, however many there are, and so is what a sweep asks for."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
import pytest_asyncio

from mainspring.store.acts.bulk.dead_letters import ALL, GROUP
from mainspring.store.sql import Filled
from mainspring.testing.clock import START
from tests.postgres.test_query_plans import Plans
from tests.support.postgres import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 20_000
FILL = """
INSERT INTO mainspring.dead (run, namespace, line, job, fingerprint, failed_at, error, message, discarded_at)
SELECT gen_random_uuid(), 'default', 1, 1, substring(sha256((n % 40)::text::bytea) FROM 1 FOR 8),
  $1::timestamptz + n * interval '1 second', 'OSError', 'no', CASE WHEN n % 3 = 0 THEN $1 END
FROM generate_series(1, $2::integer) AS n
"""
TYPES = {
    "namespace": "text",
    "at": "timestamptz",
    "run": "uuid",
    "marks": "text[]",
    "until": "timestamptz",
    "look": "integer",
    "fingerprint": "bytea",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    """Plans on a table in each of the states in which a planner may find it."""
    url = await postgres.create_migrated()
    connection = await asyncpg.connect(url)
    if request.param != "empty":
        await connection.execute(FILL, START, ROWS)
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.dead")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


async def test_groups_are_found_by_stepping_from_one_fingerprint_to_the_next(plans: Plans) -> None:
    plan = await plans.of_list("dead_kinds", "", ["text", "integer", "text"])

    assert plan.count("using dead_kinds") >= 2, plan
    assert plan.count("using dead_listed") == 1, plan
    assert "Seq Scan on dead" not in plan


async def test_a_group_is_counted_by_its_index(plans: Plans) -> None:
    plan = await plans.of_list("dead_groups", "", ["text", "integer", "bytea[]"])

    assert plan.count("dead_kinds") == 3, plan
    assert "Seq Scan on dead" not in plan


@pytest.mark.parametrize("parts", [ALL, GROUP], ids=["all", "group"])
async def test_letters_are_read_in_their_order(plans: Plans, parts: dict[str, str]) -> None:
    plan = await plans.of_filled(Filled("dead_letters", parts), TYPES)
    index = parts["index"]

    assert f"Index Scan using {index}" in plan, plan
    assert "Seq Scan on dead" not in plan


@pytest.mark.parametrize("plans", ["loaded", "analysed"], indirect=True)
@pytest.mark.parametrize(
    ("query", "types"),
    [
        ("dead_letter", ["uuid", "text"]),
        ("lock_dead", ["uuid[]"]),
        ("discard", ["timestamptz", "text", "text", "uuid[]"]),
        ("revive", ["uuid[]"]),
    ],
)
async def test_dead_runs_are_found_by_their_ids(plans: Plans, query: str, types: list[str]) -> None:
    plan = await plans.of_query(query, types)

    assert "dead_pkey" in plan
    assert "Seq Scan on dead" not in plan


@pytest.mark.parametrize("plans", ["analysed"], indirect=True)
async def test_old_ones_are_pruned_by_their_age(plans: Plans) -> None:
    assert "dead_age" in await plans.of_query("prune_dead", ["timestamptz", "bigint"])
