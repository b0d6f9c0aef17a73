"""The hot statements keep their plans on an empty, a freshly loaded and an analysed table."""

import re
import uuid
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from mainspring.store import open_store
from mainspring.store.postgres.tx import load_queries
from mainspring.store.sql import Filled
from mainspring.testing.clock import START
from tests.factories import job_spec, new_run, run_ids
from tests.support.postgres import Postgres

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROWS = 20_000
SQL = load_queries()
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
FILL_PAST = """
INSERT INTO mainspring.history (
  id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state, failures, losses, input
)
SELECT gen_random_uuid(), $1, $1, $1, $1, 1, n % 3, 1, 1, 5, 3 + n % 3, 0, 0, '{}'
FROM generate_series(1, $2::integer) AS n
"""
FUNCTION = """
SELECT f.prosrc, f.proconfig, f.proargnames,
  ARRAY(SELECT format_type(t.oid, NULL) FROM unnest(f.proargtypes) WITH ORDINALITY AS t(oid, turn) ORDER BY t.turn) AS types
FROM pg_proc AS f
WHERE f.proname = $1
"""
DAYS = f"'{{{START:%Y-%m-%d} 00:00+00, {START + timedelta(days=1):%Y-%m-%d} 00:00+00}}'"
# What a function's own variables stand for.
VARIABLES = {
    "gated": "true",
    "laned": "true",
    "forgetful": "ARRAY[1]",
    "slots": "p_slots",
    "low": "p_low",
    "high": "p_high",
    "runs": "'{}'::uuid[]",
    "jobs": "'{}'::integer[]",
    "sought": "'{}'::integer[]",
    "places": "('{}'::tid[])",
    "stretch": "(100::bigint)",
    "urgent": "(now())",
    "day_start": "(p_days)[1]",
    "day_end": "(p_days)[2]",
}
# The statement that a function is there for: from its first clause to the semicolon.
BODIES = {
    "claim_4": re.compile(r"WITH picked.*?(?=;)", re.DOTALL),
    "aged_places_1": re.compile(r"SELECT c\.ctid.*?(?=\n  \);)", re.DOTALL),
    "ordered_places_1": re.compile(r"SELECT r\.place.*?(?=\n  \);)", re.DOTALL),
    "succeed_2": re.compile(r"WITH moved.*?(?=;)", re.DOTALL),
    "claim_bundled_1": re.compile(r"SELECT r\.place.*?(?=\n  \);)|WITH taken.*?(?=;)", re.DOTALL),
    "succeed_bundles_2": re.compile(r"WITH emptied.*?(?=;)", re.DOTALL),
    "finish_2": re.compile(r"WITH moved.*?(?=;)", re.DOTALL),
    "requeue_2": re.compile(r"WITH moved.*?(?=;)", re.DOTALL),
    "last_runs_1": re.compile(r"WITH RECURSIVE.*?(?=\n {4}\) AS k)", re.DOTALL),
    "find_on_days_2": re.compile(r"WITH RECURSIVE.*?(?=\n {6}\);)", re.DOTALL),
    "find_marked_1": re.compile(r"SELECT [ck]\..*?(?=\n {4}\);)", re.DOTALL),
    "matching_2": re.compile(r"SELECT [cr]\.id\n.*?(?=\n +\);)", re.DOTALL),
    "show_2": re.compile(r"SELECT x\.id.*?(?=;)", re.DOTALL),
    "renew_1": re.compile(r"UPDATE mainspring.*?(?=;)", re.DOTALL),
}


class Plans:
    """Explains statements, as they stand in a function or in a file, without running them."""

    def __init__(self, connection: "asyncpg.Connection[Any]") -> None:
        self.connection = connection

    async def of_function(self, name: str, which: int = 0) -> str:
        """The plan of a function's statement under the settings that the function carries."""
        row = await self.connection.fetchrow(FUNCTION, name)
        assert row is not None
        body = BODIES[name].findall(row["prosrc"])[which]
        numbers = {argument: f"${at}" for at, argument in enumerate(row["proargnames"][: len(row["types"])], start=1)}
        text = re.sub(
            r"\b(gated|sought|(?<=unnest\()jobs(?=, runs)|laned|forgetful|slots|low|high|(?<!\.)(?<!AS )(?<!forgotten \()runs"
            r"|places|stretch|urgent|day_start|day_end)\b(?! AS)",
            lambda word: VARIABLES[word[1]],
            body,
        )
        text = re.sub(r"\bp_[a-z_]+\b", lambda word: numbers[word[0]], text)
        async with self.connection.transaction():
            for setting in row["proconfig"]:
                await self.connection.execute(f"SET LOCAL {setting}")
            return await self._explained(text, row["types"])

    async def of_query(self, name: str, types: list[str]) -> str:
        async with self.connection.transaction():
            await self.connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
            return await self._explained(SQL[name], types)

    async def of_list(self, name: str, order: str, types: list[str], **parts: str) -> str:
        """The plan of a statement that finds runs for a list, under the settings that a list brings."""
        async with self.connection.transaction():
            await self.connection.execute(SQL["pin_plans"])
            return await self._explained(SQL[name].format(order=order, **parts), types)

    async def of_filled(self, wanted: Filled, types: dict[str, str]) -> str:
        """The plan of a statement whose gaps are filled, given the types of its parameters, under the same settings."""
        found = SQL.statement(wanted)
        async with self.connection.transaction():
            await self.connection.execute(SQL["pin_plans"])
            return await self._explained(found.text, [types[name] for name in found.names])

    async def _explained(self, text: str, types: list[str]) -> str:
        if not types:
            return "\n".join(row[0] for row in await self.connection.fetch(f"EXPLAIN {text}"))
        await self.connection.execute(f"PREPARE hot ({', '.join(types)}) AS {text}")
        values = [DAYS if kind == "timestamp with time zone[]" else "NULL" for kind in types]
        rows = await self.connection.fetch(f"EXPLAIN EXECUTE hot ({', '.join(values)})")
        await self.connection.execute("DEALLOCATE hot")
        return "\n".join(row[0] for row in rows)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    """Plans on a table in each of the states in which a planner may find it."""
    url = await postgres.create_migrated()
    store = await open_store(url)
    await store.cluster.prepare_history(now=START, days=1)
    await store.jobs.register("default", [job_spec()], now=START)
    await store.runs.create("default", [new_run()], now=START)
    await store.close()
    connection = await asyncpg.connect(url)
    if request.param != "empty":
        await connection.execute(FILL, START, TOKEN, SESSION, ROWS)
        await connection.execute(FILL_PAST, START, ROWS)
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.runs, mainspring.history")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


def assert_nested_by_index(plan: str, index: str) -> None:
    assert f"Index Scan using {index}" in plan or f"Index Only Scan using {index}" in plan, plan
    for trap in ("Seq Scan on runs", "Hash Join", "Merge Join", "Bitmap", "Materialize"):
        assert trap not in plan, plan


async def test_a_claim_reads_only_the_claim_index(plans: Plans) -> None:
    plan = await plans.of_function("claim_4")

    assert_nested_by_index(plan, "runs_claimable")
    assert "Tid Scan on runs" in plan


async def test_a_claim_that_makes_bundles_reads_only_the_claim_index(plans: Plans) -> None:
    assert_nested_by_index(await plans.of_function("claim_bundled_1", 0), "runs_claimable")
    taking = await plans.of_function("claim_bundled_1", 1)
    assert "Tid Scan on runs" in taking
    assert "ctid = ANY" in taking, "one scan for all places, not one for each"
    assert "Hash Join" in taking
    assert "HashAggregate" in taking


async def test_a_claim_of_old_runs_reads_only_the_claim_index(plans: Plans) -> None:
    plan = await plans.of_function("aged_places_1")

    assert_nested_by_index(plan, "runs_claimable")
    assert "Tid Scan on runs" in plan


async def test_a_claim_by_deadline_reads_urgent_runs_by_theirs(plans: Plans) -> None:
    plan = await plans.of_function("ordered_places_1")

    assert_nested_by_index(plan, "runs_claimable")
    assert_nested_by_index(plan, "runs_urgent")


async def test_the_outcomes_of_whole_bundles_are_found_by_hashing(plans: Plans) -> None:
    plan = await plans.of_function("succeed_bundles_2")

    assert re.search(r"Hash Join .*\n *Hash Cond: \(\w+\.id = \w+\.id\)", plan), plan
    assert " runs" not in plan, plan


async def test_whole_bundles_enter_history_in_the_order_of_their_claims(plans: Plans) -> None:
    """In any other order the indexes of history split their pages, and stay half empty."""
    plan = await plans.of_function("succeed_bundles_2")

    assert re.search(r"Sort Key: \w+\.claimed_at, \w+\.token, \w+\.part", plan), plan


@pytest.mark.parametrize("function", ["succeed_2", "finish_2", "requeue_2"])
async def test_an_outcome_finds_its_row_by_the_primary_key(plans: Plans, function: str) -> None:
    assert_nested_by_index(await plans.of_function(function), "runs_pkey")


@pytest.mark.parametrize(
    ("query", "types"),
    [("held_by", ["uuid", "timestamptz", "bigint"]), ("tally", ["uuid"]), ("held_under", ["uuid", "uuid[]"])],
)
async def test_the_attempts_of_a_session_are_found_by_its_index(plans: Plans, query: str, types: list[str]) -> None:
    plan = await plans.of_query(query, types)

    assert "runs_held" in plan
    assert "Seq Scan on runs" not in plan


async def test_the_payloads_of_a_claim_are_found_by_the_ids_of_its_runs(plans: Plans) -> None:
    run = f"'{uuid.UUID(bytes=run_ids(1)[0])}'::uuid"
    wanted = {"$1": f"ARRAY[{run}]", "$2": run, "$3": run}
    text = re.sub(r"\$\d", lambda place: wanted[place[0]], SQL["claimed_payloads"])
    plan = "\n".join(row[0] for row in await plans.connection.fetch(f"EXPLAIN {text}"))

    assert "_pkey" in plan, plan
    assert "Seq Scan" not in plan
    assert "Append" not in plan, "one day is looked into"


async def test_the_next_due_run_is_found_without_reading_others(plans: Plans) -> None:
    plan = await plans.of_query("next_due", ["integer[]", "timestamptz"])

    assert "runs_claimable" in plan
    assert "Seq Scan on runs" not in plan


DAY = f"{START:%Y%m%d}"
PLACES = ["integer[]", "integer[]", "smallint[]", "uuid", "uuid", "integer"]
SCAN = ["text", "text", "text", "smallint[]", "integer[]", "boolean", "boolean", "uuid", "uuid", "integer", "integer"]


def assert_read_in_order(plan: str, *indexes: str) -> None:
    """By these indexes alone; only what was found is ever sorted."""
    for index in indexes:
        assert f"using {index}" in plan, plan
    for trap in ("Seq Scan on runs", "Seq Scan on history", "Seq Scan on marks", "Hash", "Merge Join", "Bitmap"):
        assert trap not in plan, plan


@pytest.mark.parametrize("order", ["ASC", "DESC"])
@pytest.mark.parametrize(("only", "index"), [("", "id_idx"), ("AND h.state > 3", "id_idx1")])
async def test_a_look_by_id_reads_no_more_than_its_candidates(plans: Plans, order: str, only: str, index: str) -> None:
    way = "" if order == "ASC" else " Backward"
    plan = await plans.of_list("scan", order, SCAN, only=only)

    live, past = plan[: plan.index("history")], plan[plan.index("history") :]
    assert re.search(rf"Limit  .*\n(.*(Result|One-Time Filter).*\n)*.*Index Scan{way} using runs_pkey on runs", live), (
        plan
    )
    assert f"Index Scan{way} using history_{DAY}_{index} on history_{DAY}" in past, plan
    assert "Sort  (" not in past, plan
    assert_read_in_order(plan)


@pytest.mark.parametrize("which", [0, 1], ids=["newest", "oldest"])
async def test_rare_runs_of_a_day_are_read_by_job_line_and_state(plans: Plans, which: int) -> None:
    plan = await plans.of_function("find_on_days_2", which)

    index = f"history_{DAY}_job_line_state_id_idx"
    assert plan.count(f"using {index}") == 3, plan
    # All four columns as one: no other index could answer that, whatever the statistics say.
    assert plan.count("Index Cond: ((ROW(job, line, state, id) >= ROW(p.job, p.line, p.state, $6)) AND (ROW(") == 1, (
        plan
    )
    assert plan.count("Index Cond: ((job = p_1.job) AND (ROW(line, state) >= ROW(") == 1, plan
    assert plan.count("Index Cond: ((job = j.id) AND (ROW(line, state) >= ROW(") == 1, plan
    assert "Subplans Removed" in plan, plan
    assert_read_in_order(plan, index)


async def test_the_last_runs_of_jobs_on_a_day_are_read_by_job_line_and_state(plans: Plans) -> None:
    plan = await plans.of_function("last_runs_1")

    index = f"history_{DAY}_job_line_state_id_idx"
    assert plan.count(f"using {index}") == 3, plan
    assert plan.count("Index Cond: ((ROW(job, line, state, id) >= ROW(p.job, p.line, p.state, ") == 1, plan
    assert plan.count("Index Cond: ((job = p_1.job) AND (ROW(line, state) > ROW(") == 1, plan
    assert plan.count("Index Cond: (job = j.id)") == 1, plan
    assert "Subplans Removed" in plan, plan
    assert_read_in_order(plan, index)


async def test_the_last_live_runs_of_jobs_are_read_by_job_line_and_state(plans: Plans) -> None:
    plan = await plans.of_list("last_waiting", "", ["integer[]", "uuid", "uuid", "integer"])

    assert plan.count("using runs_listed") == 3, plan
    assert_read_in_order(plan, "runs_listed")


async def test_the_last_running_runs_of_jobs_are_read_by_session(plans: Plans) -> None:
    plan = await plans.of_list("last_held", "", ["text", "integer[]", "integer"])

    assert "Index Cond: (session = s.id)" in plan, plan
    assert_read_in_order(plan, "runs_held")


@pytest.mark.parametrize("order", ["ASC", "DESC"])
async def test_rare_live_runs_are_read_by_job_line_and_state(plans: Plans, order: str) -> None:
    plan = await plans.of_list("find_live", order, [*PLACES, "integer[]"])

    assert plan.count("using runs_listed") == 3, plan
    assert_read_in_order(plan, "runs_listed")


@pytest.mark.parametrize("order", ["ASC", "DESC"])
async def test_running_runs_are_read_by_session_and_id(plans: Plans, order: str) -> None:
    types = ["text", "integer[]", "integer[]", "uuid", "uuid", "integer", "integer"]
    plan = await plans.of_list("find_held", order, types)

    assert "Index Cond: ((session = s.id) AND (id >= $4) AND (id < $5))" in plan, plan
    assert_read_in_order(plan, "runs_held")


@pytest.mark.parametrize("which", [0, 1], ids=["newest", "oldest"])
async def test_marked_runs_are_read_in_the_order_of_their_ids(plans: Plans, which: int) -> None:
    plan = await plans.of_function("find_marked_1", which)

    assert "Index Cond: ((namespace = $1) AND (mark = $2) AND (run >= $8) AND (run < $9))" in plan, plan
    assert "Sort  (" not in plan, plan
    assert_read_in_order(plan, "marks_pkey")


async def test_the_other_marks_of_a_run_are_looked_up_by_the_run(plans: Plans) -> None:
    plan = await plans.of_function("find_marked_1", 2)

    assert re.search(r"Index Cond: \(.*\brun = c\.id\b", plan), plan
    assert_read_in_order(plan)


async def test_runs_that_can_only_be_live_are_looked_up_in_one_place(plans: Plans) -> None:
    plan = await plans.of_function("matching_2", 0)

    assert "Index Cond: (id = c.id)" in plan, plan
    assert "history" not in plan, plan
    assert_read_in_order(plan, "runs_pkey")


@pytest.mark.parametrize(("function", "which"), [("matching_2", 1), ("show_2", 0)])
async def test_a_run_is_looked_up_by_its_id_wherever_it_is(plans: Plans, function: str, which: int) -> None:
    plan = await plans.of_function(function, which)

    assert_read_in_order(plan, "runs_pkey", f"history_{DAY}_id_idx")
    assert plan.index("Function Scan on ") < plan.index("runs_pkey") < plan.index("lines"), plan


async def test_the_ends_of_a_day_are_read_from_its_index(plans: Plans) -> None:
    assert_read_in_order(await plans.of_list("history_days", "", []), f"history_{DAY}_id_idx")
