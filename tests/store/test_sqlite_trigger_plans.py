"""How SQLite finds triggers: by the indexes made for that, whatever is in the tables and was analysed."""

import re
import sqlite3
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from mainspring.domain.triggers.trigger import TriggerState
from mainspring.store.interface import TriggerFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.triggers.rows import list_statement
from mainspring.store.sqlite.tx import load_queries
from mainspring.testing.clock import FakeClock
from tests.factories import NAMESPACE
from tests.store.scene import set_scene
from tests.store.trigger_samples import add, fire, trigger

pytestmark = pytest.mark.asyncio(loop_scope="module")

queries = load_queries()

EITHER = r"trigger=\? AND fire_at=\?|fire_at=\? AND trigger=\?"
FOUND = {
    "due_triggers": "SEARCH triggers USING INDEX triggers_act",
    "hold_triggers": r"SEARCH t USING INDEX sqlite_autoindex_triggers_1 \(namespace=\? AND name=\?\)",
    "rewrite_triggers": r"SEARCH triggers USING INTEGER PRIMARY KEY",
    "entered": rf"SEARCH f USING .*({EITHER})",
    "prepared": r"SEARCH f USING PRIMARY KEY \(trigger=\? AND fire_at>\?\).*SEARCH r USING",
    "last_fires": r"SEARCH f USING (COVERING INDEX|PRIMARY KEY)",
    "withdraw_fires": rf"SEARCH fires USING .*({EITHER})",
    "followed_triggers": "SCAN o USING INDEX triggers_pending",
    "pending_runs": "triggers_pending",
    "next_act": "USING (COVERING )?INDEX triggers_act",
    "overdue_triggers": "SEARCH triggers USING INDEX triggers_act",
    "touch_triggers": "USING INDEX triggers_calendar",
    "triggers_of_job": "USING COVERING INDEX triggers_job",
    "list_fires": r"SEARCH fires USING PRIMARY KEY \(trigger=\? AND fire_at>\? AND fire_at<\?\)",
    "list_skips": r"SEARCH skips USING INDEX skips_trigger \(trigger=\? AND last_at>\?\)$",
    "violated_acts": "triggers_stuck",
    "delete_triggers": "SEARCH triggers USING INTEGER PRIMARY KEY",
    "count_fires": "SEARCH triggers USING INTEGER PRIMARY KEY",
    "find_hook": r"SEARCH h USING INDEX sqlite_autoindex_hooks_1 \(id=\?\)",
    "called_trigger": "SEARCH t USING INTEGER PRIMARY KEY",
    "hook_of": "SEARCH h USING INTEGER PRIMARY KEY",
    "calls_of": r"SEARCH c USING INDEX hook_calls_trigger \(trigger=\?\)$",
    "unsubscribe": "SEARCH subscriptions USING INTEGER PRIMARY KEY",
    "subscribers": r"SEARCH subscriptions USING COVERING INDEX subscriptions_type \(namespace=\? AND type=\?\)",
    "event_counts": r"SEARCH e USING .*\(namespace=\? AND type>\?\)$",
    "calendar_users": r"USING COVERING INDEX triggers_calendar \(namespace=\? AND calendar=\?\)",
}
PAGES = [
    (TriggerFilter(namespace=NAMESPACE, prefix="t9"), "sqlite_autoindex_triggers_1"),
    (TriggerFilter(namespace=NAMESPACE, job="report"), "triggers_job"),
    (TriggerFilter(namespace=NAMESPACE, owner="app"), "triggers_owner"),
    (TriggerFilter(namespace=NAMESPACE, calendar="bank"), "triggers_calendar"),
    (TriggerFilter(namespace=NAMESPACE, kind="event"), "triggers_called"),
    (TriggerFilter(namespace=NAMESPACE, state=TriggerState.PAUSED), "triggers_paused"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore.inline(clock=FakeClock())
    await opened.migrate()
    scene = await set_scene(opened)
    if request.param != "empty":
        await add(scene, *(trigger(f"t{number}") for number in range(200)))
        await fire(scene, limit=100)
    if request.param == "analysed":
        await opened.connection.write(lambda c: c.execute("ANALYZE"))
    yield opened
    await opened.close()


async def plan(store: SqliteStore, text: str) -> str:
    text = text.replace("{row}", queries.trigger_row)
    parameters = dict.fromkeys(re.findall(r":([a-z_]+)", text))

    def explain(c: sqlite3.Connection) -> str:
        return " | ".join(row["detail"] for row in c.execute(f"EXPLAIN QUERY PLAN {text}", parameters))

    return await store.connection.read(explain)


async def test_triggers_and_their_ledger_are_found_by_their_indexes(store: SqliteStore) -> None:
    for name, wanted in FOUND.items():
        steps = await plan(store, queries[name])
        assert re.search(wanted, steps), f"{name}: {steps}"


async def test_pages_are_read_in_the_order_of_names(store: SqliteStore) -> None:
    for query, index in PAGES:
        steps = await plan(store, list_statement(queries.list_triggers, query)[0])
        assert re.search(f"USING INDEX ({index})", steps), steps
        assert "TEMP B-TREE" not in steps, steps
        reach = await plan(store, list_statement(queries.trigger_reach, query.led)[0])
        assert re.search(f"USING (COVERING )?INDEX ({index})", reach), reach
        assert "TEMP B-TREE" not in reach, reach
