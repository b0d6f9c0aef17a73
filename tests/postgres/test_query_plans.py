"""The hot statements keep their plans on an empty, a freshly loaded and an analysed table."""

import re
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from mainspring.store import open_store
from mainspring.store.postgres.store import FOLDER
from mainspring.store.queries import Queries
from mainspring.testing.clock import START
from mainspring.testing.postgres import Postgres
from tests.factories import job_spec, new_run

ROWS = 20_000
SQL = Queries(FOLDER / "sql")
TOKEN = "11111111-1111-4111-8111-111111111111"
SESSION = "22222222-2222-4222-8222-222222222222"

FILL = """
INSERT INTO mainspring.runs (
  id, due_at, created_at, line, job, attempt, priority, state, failures, losses, token, session, input
)
SELECT gen_random_uuid(), $1::timestamptz + n * interval '1 millisecond', $1, n % 3, 1, 0, n % 10, 1 + (n % 2),
  0, 0, CASE n % 2 WHEN 1 THEN $2::uuid END, CASE n % 2 WHEN 1 THEN $3::uuid END, '{}'
FROM generate_series(1, $4::integer) AS n
"""
FUNCTION = """
SELECT f.prosrc, f.proconfig, f.proargnames,
  ARRAY(SELECT format_type(t.oid, NULL) FROM unnest(f.proargtypes) WITH ORDINALITY AS t(oid, turn) ORDER BY t.turn) AS types
FROM pg_proc AS f
WHERE f.proname = $1
"""
# The statement that a function is there for: from its first clause to the semicolon.
BODIES = {
    "claim_1": re.compile(r"WITH picked.*?(?=;)", re.DOTALL),
    "succeed_1": re.compile(r"WITH moved.*?(?=;)", re.DOTALL),
    "finish_1": re.compile(r"WITH moved.*?(?=;)", re.DOTALL),
    "requeue_1": re.compile(r"UPDATE mainspring.*?(?=;)", re.DOTALL),
}


class Plans:
    """Explains statements, as they stand in a function or in a file, without running them."""

    def __init__(self, connection: "asyncpg.Connection[Any]") -> None:
        self.connection = connection

    async def of_function(self, name: str) -> str:
        """The plan of a function's statement under the settings that the function carries."""
        row = await self.connection.fetchrow(FUNCTION, name)
        assert row is not None
        [body] = BODIES[name].findall(row["prosrc"])
        numbers = {argument: f"${at}" for at, argument in enumerate(row["proargnames"][: len(row["types"])], start=1)}
        numbers["slots"] = numbers.get("p_slots", "")
        text = re.sub(r"\b(p_[a-z_]+|slots)\b", lambda word: numbers[word[1]], body)
        async with self.connection.transaction():
            for setting in row["proconfig"]:
                await self.connection.execute(f"SET LOCAL {setting}")
            return await self._explained(text, row["types"])

    async def of_query(self, name: str, types: list[str]) -> str:
        async with self.connection.transaction():
            await self.connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
            return await self._explained(SQL[name], types)

    async def _explained(self, text: str, types: list[str]) -> str:
        await self.connection.execute(f"PREPARE hot ({', '.join(types)}) AS {text}")
        rows = await self.connection.fetch(f"EXPLAIN EXECUTE hot ({', '.join('NULL' for _ in types)})")
        await self.connection.execute("DEALLOCATE hot")
        return "\n".join(row[0] for row in rows)


@pytest.fixture(params=["empty", "loaded", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    """Plans on a table in each of the states in which a planner may find it."""
    url = await postgres.create_migrated()
    store = await open_store(url)
    await store.history.prepare(now=START, days=1)
    await store.jobs.register("default", [job_spec()], now=START)
    await store.runs.create("default", [new_run()], now=START)
    await store.close()
    connection = await asyncpg.connect(url)
    if request.param != "empty":
        await connection.execute(FILL, START, TOKEN, SESSION, ROWS)
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.runs")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


def assert_nested_by_index(plan: str, index: str) -> None:
    assert f"Index Scan using {index}" in plan or f"Index Only Scan using {index}" in plan, plan
    for trap in ("Seq Scan on runs", "Hash Join", "Merge Join", "Bitmap", "Materialize"):
        assert trap not in plan, plan


async def test_a_claim_reads_only_the_claim_index(plans: Plans) -> None:
    plan = await plans.of_function("claim_1")

    assert_nested_by_index(plan, "runs_claimable")
    assert "Tid Scan on runs" in plan


@pytest.mark.parametrize("function", ["succeed_1", "finish_1", "requeue_1"])
async def test_an_outcome_finds_its_row_by_the_primary_key(plans: Plans, function: str) -> None:
    assert_nested_by_index(await plans.of_function(function), "runs_pkey")


async def test_the_attempts_of_a_session_are_found_by_its_index(plans: Plans) -> None:
    plan = await plans.of_query("held_by", ["uuid", "timestamptz", "bigint"])

    assert "runs_held" in plan
    assert "Seq Scan on runs" not in plan


async def test_the_next_due_run_is_found_without_reading_others(plans: Plans) -> None:
    plan = await plans.of_query("next_due", ["integer[]", "timestamptz"])

    assert "runs_claimable" in plan
    assert "Seq Scan on runs" not in plan
