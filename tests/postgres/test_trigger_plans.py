"""Triggers are found by the indexes made for that, on an empty, a freshly loaded and an analysed table."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from mainspring.domain.triggers.trigger import TriggerState
from mainspring.store import open_store
from mainspring.store.interface import TriggerFilter
from mainspring.store.postgres.triggers.rows import list_statement
from mainspring.testing.clock import START
from tests.postgres.test_query_plans import BODIES, SQL, Plans
from tests.support.postgres import Postgres

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
FILL_CALLED = """
WITH called AS (
  INSERT INTO mainspring.hooks (trigger, made_at, id, auth, secret)
  SELECT t.id, $1, 'h' || t.id, 'hmac', 'x' FROM mainspring.triggers AS t
), waiting AS (
  INSERT INTO mainspring.subscriptions (trigger, namespace, type)
  SELECT t.id, 'default', 'type' || t.id % 1000 FROM mainspring.triggers AS t
), counted AS (
  INSERT INTO mainspring.event_counts (told, matched, first_at, last_at, namespace, type)
  SELECT 1, 1, $1, $1, 'default', 'type' || n FROM generate_series(1, 5000) AS n
)
INSERT INTO mainspring.skips (trigger, first_at, last_at, at, reason)
SELECT t.id, $1, $1, $1, 'missed' FROM mainspring.triggers AS t
"""
FILLED = "mainspring.triggers, mainspring.fires, mainspring.hooks, mainspring.subscriptions, mainspring.skips"
BODIES.update(
    {
        "count_fires_1": re.compile(r"UPDATE mainspring.*?(?=;)", re.DOTALL),
        "subscribers_1": re.compile(r"SELECT t\.\*.*?(?=;)", re.DOTALL),
        "delete_triggers_1": re.compile(r"DELETE FROM.*?(?=;)", re.DOTALL),
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
    "count_fires_1": "triggers_pkey",
    "delete_triggers_1": "triggers_pkey",
    "subscribers_1": "subscriptions_type",
}
CONDITIONS = {
    "hold_triggers_1": r"Index Cond: \(\(namespace = \$1\) AND \(name = w\.name\)\)",
    "advance_triggers_1": r"Index Cond: \(id = m\.id\)",
    "rewrite_triggers_2": r"Index Cond: \(id = m\.id\)",
    "followed_triggers_1": r"Index Cond: \(id = p\.run\)",
    "ended_runs_1": r"Index Cond: \(id = p\.run\)",
    "count_fires_1": r"Index Cond: \(id = c\.id\)",
    "subscribers_1": r"(?s)Index Cond: \(\(namespace = \$1\) AND \(type = w\.type\)\).*Index Cond: \(id = c\.trigger\)",
    "delete_triggers_1": r"Index Cond: \(id = ANY \(\$1\)\)",
}
"""By what each row is found: an index read from end to end is no better than the table."""
INSTANT = "timestamp with time zone"
OTHERS = {
    "find_hook": (["text"], "hooks_id_key"),
    "hook_of": (["bigint"], "hooks_pkey"),
    "lock_trigger": (["bigint"], "triggers_pkey"),
    "unsubscribe": (["bigint[]"], "subscriptions_pkey"),
    "event_counts": (["text", "text", "bigint"], "event_counts_pkey"),
    "touch_triggers": (["text", "text", INSTANT], "triggers_calendar"),
    "calendar_users": (["text", "text", "bigint"], "triggers_calendar"),
    "triggers_of_job": (["text", "text", "bigint"], "triggers_job"),
    "get_trigger": (["text", "text"], "triggers_name"),
    "list_skips": (["bigint", INSTANT, INSTANT, "bigint"], "skips_trigger"),
}
"""Statements that carry no settings, with the types of what they are given and the index that they go by."""
NESTED = """
LOAD 'auto_explain';
SET auto_explain.log_min_duration = 0;
SET auto_explain.log_nested_statements = on;
SET client_min_messages = log
"""
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
    await store.cluster.prepare_history(now=START, days=1)
    await store.close()
    connection = await asyncpg.connect(url)
    if request.param != "empty":
        await connection.execute(FILL, START, ROWS)
        await connection.execute(FILL_FIRES, START, ROWS)
        await connection.execute(FILL_CALLED, START)
    if request.param == "analysed":
        await connection.execute(f"ANALYZE {FILLED}")
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
    await check_others(plans)
    await check_firing(plans)


async def check_functions(plans: Plans) -> None:
    """What is done to triggers reads no more than these."""
    for name, index in BY_INDEX.items():
        plan = await plans.of_function(name)
        assert f"using {index}" in plan, plan
        assert "Seq Scan" not in plan.replace("Seq Scan on bundles", ""), plan
        assert re.search(CONDITIONS.get(name, ""), plan), plan


async def check_order(plans: Plans) -> None:
    """The most urgent are read first, and nothing else."""
    overdue = await explained(plans, SQL["overdue_triggers"], START, 9)
    moves = await explained(plans, SQL["violated_moves"], START, 9)
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
        statement, values = list_statement(SQL["trigger_reach"], query.led)
        reach = await explained(plans, statement, query.limit, *values)
        assert f"using {index}" in reach, reach
        assert "Sort" not in reach, reach
    assert "using triggers_pkey" in await explained(plans, SQL["rule_triggers"], "default", 5, 9)


async def check_others(plans: Plans) -> None:
    """Also while there are few: what was planned then may be kept when there are many."""
    for name, (types, index) in OTHERS.items():
        plan = await plans.of_query(name, types)
        assert re.search(rf"\b(using|on) {index}\b", plan), plan
        assert not re.search("Seq Scan|Hash Join|Merge Join", plan), plan
    # Of the days only those are looked at that are asked for.
    ledger = await plans.connection.fetch(f"EXPLAIN {SQL['list_fires']}", 5, START, START + timedelta(hours=1), 9)
    assert re.search(r"\b(using|on) fires_20300101_pkey\b", str(ledger)), ledger
    assert "fires_20300102" not in str(ledger)


async def check_firing(plans: Plans) -> None:
    """An instant is entered and taken back: every statement within, as it was planned for that."""
    said: list[str] = []
    connection, run, due = plans.connection, UUID(int=1), START + timedelta(hours=1)
    connection.add_log_listener(lambda _, message: said.append(str(message)))
    values = ([1], [due], [run], [1], [1], [5], [due], [None], [b""], [b"{}"], START)
    await connection.execute(NESTED)
    assert await connection.fetch(SQL["fire"], *values) == []
    [taken] = await connection.fetch(SQL["withdraw"], [1], [due], START, START)
    assert taken["run"] == run
    await connection.execute("RESET client_min_messages")

    wanted = ("runs_pkey", "fires_20300101_pkey", "marks_run")
    assert [index for index in wanted if not any(f"using {index} on" in each for each in said)] == [], said
    assert [each for each in said if re.search(r"Seq Scan on (runs|fires|marks|triggers)", each)] == []
