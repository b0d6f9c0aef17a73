"""Triggers are found by the indexes made for that, on an empty, a freshly loaded and an analysed table."""

import re
from collections.abc import AsyncIterator

import asyncpg
import pytest

from mainspring.domain.triggers.trigger import TriggerState
from mainspring.store import open_store
from mainspring.store.interface import TriggerFilter
from mainspring.store.postgres.trigger_rows import list_statement
from mainspring.testing.clock import START
from mainspring.testing.postgres import Postgres
from tests.postgres.test_query_plans import BODIES, SQL, Plans

pytestmark = pytest.mark.postgres

ROWS = 20_000
FILL = """
INSERT INTO mainspring.triggers (
  namespace, name, job, kind, calendar, cohort, owner, spec, revision, next_due, act_at, paused_at, pending, created_at,
  updated_at
)
SELECT 'default', 't' || n, 'job' || n % 100, CASE n % 500 WHEN 0 THEN 'webhook' ELSE 'cron' END,
  CASE n % 500 WHEN 1 THEN 'bank' ELSE '' END, CASE n % 500 WHEN 2 THEN 'night' ELSE '' END,
  CASE n % 500 WHEN 3 THEN 'app' ELSE '' END, '{}', 1, $1::timestamptz + n % 3600 * interval '1 second',
  CASE WHEN n % 500 <> 4 THEN $1 + n % 3600 * interval '1 second' END, CASE n % 500 WHEN 4 THEN $1 END,
  CASE n % 500 WHEN 5 THEN ARRAY[gen_random_uuid()] END, $1, $1
FROM generate_series(1, $2::integer) AS n
"""
FILL_FIRES = """
INSERT INTO mainspring.fires (trigger, fire_at, run)
SELECT n, $1::timestamptz, gen_random_uuid() FROM generate_series(1, $2::integer) AS n
"""
BODIES.update(
    {
        "due_triggers_1": re.compile(r"SELECT t\.\*.*?(?=;)", re.DOTALL),
        "hold_triggers_1": re.compile(r"SELECT t\.\*.*?(?=;)", re.DOTALL),
        "advance_triggers_1": re.compile(r"UPDATE mainspring.*?(?=;)", re.DOTALL),
        "rewrite_triggers_2": re.compile(r"UPDATE mainspring.*?(?=;)", re.DOTALL),
        "followed_triggers_1": re.compile(r"SELECT t\.\*.*?(?=;)", re.DOTALL),
        "waiting_until_1": re.compile(r"SELECT t\.id.*?LIMIT 1", re.DOTALL),
        "pending_runs_1": re.compile(r"SELECT p\.run.*?(?=;)", re.DOTALL),
        "ended_runs_1": re.compile(r"SELECT p\.run.*?(?=;)", re.DOTALL),
    }
)
BY_INDEX = {
    "due_triggers_1": "triggers_act",
    "hold_triggers_1": "triggers_name",
    "advance_triggers_1": "triggers_pkey",
    "rewrite_triggers_2": "triggers_pkey",
    "followed_triggers_1": "triggers_pending",
    "waiting_until_1": "triggers_pending",
    "pending_runs_1": "triggers_pending",
    "ended_runs_1": "runs_pkey",
}
CONDITIONS = {
    "hold_triggers_1": r"Index Cond: \(\(namespace = \$1\) AND \(name = w\.name\)\)",
    "advance_triggers_1": r"Index Cond: \(id = m\.id\)",
    "rewrite_triggers_2": r"Index Cond: \(id = m\.id\)",
    "followed_triggers_1": r"Index Cond: \(id = p\.run\)",
    "ended_runs_1": r"Index Cond: \(id = p\.run\)",
}
"""By what each row is found: an index read from end to end is no better than the table."""
PAGES = [
    (TriggerFilter(namespace="default", after="t5"), "triggers_name"),
    (TriggerFilter(namespace="default", prefix="t99"), "triggers_name"),
    (TriggerFilter(namespace="default", job="job7"), "triggers_job"),
    (TriggerFilter(namespace="default", owner="app"), "triggers_owner"),
    (TriggerFilter(namespace="default", group="night"), "triggers_cohort"),
    (TriggerFilter(namespace="default", calendar="bank"), "triggers_calendar"),
    (TriggerFilter(namespace="default", kind="webhook"), "triggers_called"),
    (TriggerFilter(namespace="default", state=TriggerState.PAUSED), "triggers_paused"),
]


@pytest.fixture(params=["empty", "loaded", "analysed"])
async def plans(postgres: Postgres, request: pytest.FixtureRequest) -> AsyncIterator[Plans]:
    url = await postgres.create_migrated()
    store = await open_store(url)
    await store.history.prepare(now=START, days=1)
    await store.close()
    connection = await asyncpg.connect(url)
    if request.param != "empty":
        await connection.execute(FILL, START, ROWS)
        await connection.execute(FILL_FIRES, START, ROWS)
    if request.param == "analysed":
        await connection.execute("ANALYZE mainspring.triggers, mainspring.fires")
    yield Plans(connection)
    await connection.close()
    await postgres.drop_database(url)


async def explained(plans: Plans, text: str, *values: object) -> str:
    """The plan of a statement that is read in order."""
    async with plans.connection.transaction():
        await plans.connection.execute(SQL["read_in_order"])
        return "\n".join(row[0] for row in await plans.connection.fetch(f"EXPLAIN {text}", *values))


async def test_triggers_are_found_by_their_indexes(plans: Plans) -> None:
    """All in one, for filling the table takes far longer than asking."""
    await check_functions(plans)
    await check_order(plans)
    await check_pages(plans)


async def check_functions(plans: Plans) -> None:
    """What is done to triggers reads no more than these."""
    for name, index in BY_INDEX.items():
        plan = await plans.of_function(name)
        assert f"using {index}" in plan, plan
        assert "Seq Scan" not in plan, plan
        assert re.search(CONDITIONS.get(name, ""), plan), plan


async def check_order(plans: Plans) -> None:
    """The most urgent are read first, and nothing else."""
    overdue = await explained(plans, SQL["overdue_triggers"], START, 9)
    moves = await explained(plans, SQL["violated_moves"], 9, START)
    for plan in (await plans.of_function("due_triggers_1"), await plans.of_query("next_act", []), overdue, moves):
        assert "using triggers_act" in plan, plan
        assert "Sort" not in plan, plan
    assert "using triggers_stuck" in await plans.of_query("violated_acts", ["bigint"])


async def check_pages(plans: Plans) -> None:
    """A page is read in the order of names, by the index of what few have."""
    for query, index in PAGES:
        statement, values = list_statement(SQL["list_triggers"], query)
        plan = await explained(plans, statement, query.limit, *values)
        assert f"using {index}" in plan, plan
        assert "Sort" not in plan, plan
    assert "using triggers_pkey" in await explained(plans, SQL["rule_triggers"], "default", 5, 9)
