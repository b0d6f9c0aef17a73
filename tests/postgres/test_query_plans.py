"""The hot statements keep their plans on an empty, a freshly loaded and an analysed table."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from mainspring.domain.ids import Ids
from mainspring.store import open_store
from mainspring.store.postgres.store import FOLDER
from mainspring.store.queries import Queries
from mainspring.testing.clock import START
from mainspring.testing.postgres import Postgres
from tests.factories import job_spec, new_run

ROWS = 20_000
SQL = Queries(FOLDER / "sql")

FILL = """
INSERT INTO mainspring.runs (
  id, due_at, created_at, line, job, attempt, priority, state, failures, losses, token, session, input
)
SELECT gen_random_uuid(), $1::timestamptz + n * interval '1 millisecond', $1, n % 3, 1, 0, n % 10, 1 + (n % 2),
  0, 0, CASE n % 2 WHEN 1 THEN $2::uuid END, CASE n % 2 WHEN 1 THEN $3::uuid END, '{}'
FROM generate_series(1, $4::integer) AS n
"""


class Plans:
    """Runs statements and reads the plans of what they run inside."""

    def __init__(self, connection: "asyncpg.Connection[Any]") -> None:
        self.connection = connection
        self._texts: list[str] = []
        connection.add_log_listener(lambda _, message: self._texts.append(message.message))

    async def of(self, sql: str, *arguments: object) -> str:
        self._texts.clear()
        await self.connection.fetch(sql, *arguments)
        await asyncio.sleep(0)
        return "\n".join(text for text in self._texts if "mainspring." in text)


@pytest.fixture
async def plans(postgres: Postgres) -> AsyncIterator[Plans]:
    url = await postgres.create_migrated()
    store = await open_store(url)
    await store.history.prepare(now=START, days=1)
    await store.jobs.register("default", [job_spec()], now=START)
    await store.runs.create("default", [new_run()], now=START)
    await store.close()
    connection = await asyncpg.connect(url)
    await connection.execute("LOAD 'auto_explain'")
    for setting in ("log_min_duration = 0", "log_nested_statements = on", "log_level = notice"):
        await connection.execute(f"SET auto_explain.{setting}")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


@pytest.fixture(params=["empty", "loaded", "analysed"])
async def table(request: pytest.FixtureRequest, plans: Plans) -> str:
    """The state in which the planner finds the table."""
    state: str = request.param
    await plans.connection.execute("SET auto_explain.log_min_duration = -1")
    if state != "empty":
        await plans.connection.execute(FILL, START, TOKEN, SESSION, ROWS)
    if state == "analysed":
        await plans.connection.execute("ANALYZE mainspring.runs")
    await plans.connection.execute("SET auto_explain.log_min_duration = 0")
    return state


TOKEN = "11111111-1111-4111-8111-111111111111"
SESSION = "22222222-2222-4222-8222-222222222222"


def assert_nested_by_index(plan: str, index: str) -> None:
    assert index in plan, plan
    assert "Seq Scan on runs" not in plan
    assert "Hash Join" not in plan
    assert "Merge Join" not in plan
    assert "Bitmap" not in plan
    assert "Materialize" not in plan


@pytest.mark.usefixtures("table")
async def test_a_claim_reads_only_the_claim_index(plans: Plans) -> None:
    plan = await plans.of(SQL["claim"], [1, 2], [SESSION] * 50, [SESSION], TOKEN, START)

    assert_nested_by_index(plan, "runs_claimable")
    assert "Tid Scan on runs" in plan


@pytest.mark.usefixtures("table")
async def test_a_success_finds_its_row_by_the_primary_key(plans: Plans) -> None:
    runs = [str(run.hex()) for run in Ids().runs(500, START)]
    plan = await plans.of(SQL["succeed"], runs, [TOKEN] * 500, [b"1"] * 500, [0] * 500, [0] * 500, START)

    assert_nested_by_index(plan, "runs_pkey")


@pytest.mark.usefixtures("table")
async def test_putting_runs_back_finds_them_by_the_primary_key(plans: Plans) -> None:
    runs = [str(run.hex()) for run in Ids().runs(500, START)]
    plan = await plans.of(
        SQL["requeue"], runs, [TOKEN] * 500, [1] * 500, [START] * 500, [None] * 500, [0] * 500, [0] * 500
    )

    assert_nested_by_index(plan, "runs_pkey")


async def test_the_attempts_of_a_session_are_found_by_its_index(plans: Plans) -> None:
    await plans.connection.execute("SET auto_explain.log_min_duration = -1")
    await plans.connection.execute(FILL, START, TOKEN, SESSION, ROWS)
    await plans.connection.execute("SET auto_explain.log_min_duration = 0")
    plan = await plans.of(SQL["held_by"], "33333333-3333-4333-8333-333333333333", START, 10)

    assert "runs_held" in plan


async def test_the_next_due_run_is_found_without_reading_others(plans: Plans) -> None:
    await plans.connection.execute("SET auto_explain.log_min_duration = -1")
    await plans.connection.execute(FILL, START, TOKEN, SESSION, ROWS)
    await plans.connection.execute("SET auto_explain.log_min_duration = 0")
    plan = await plans.of(SQL["next_due"], [1, 2], START)

    assert "runs_claimable" in plan
    assert "Seq Scan on runs" not in plan
