"""How SQLite reads what counts queues and rolls up history: by key, whatever is in the tables and was analysed."""

import re
import sqlite3
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from mainspring.store.sqlite.hot.roll_up import bucket
from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.tx import load_queries
from mainspring.testing.clock import START, FakeClock
from tests.store.scene import set_scene

pytestmark = pytest.mark.asyncio(loop_scope="module")

queries = load_queries()


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore.inline(clock=FakeClock())
    await opened.migrate()
    scene = await set_scene(opened)
    if request.param != "empty":
        await scene.add(300)
        for _ in range(100):
            await scene.succeed(await scene.claimed(2))
        await opened.queues.survey(now=START, since=START)
    if request.param == "analysed":
        await opened.connection.write(lambda c: c.execute("ANALYZE"))
    yield opened
    await opened.close()


async def plan(store: SqliteStore, name: str) -> list[str]:
    buckets = {"wait_bucket": bucket("m.wait"), "duration_bucket": bucket("m.duration")}
    text = queries[name].format(day=f"{START:%Y%m%d}", **buckets)
    parameters = dict.fromkeys(re.findall(r":([a-z_]+)", text))

    def explain(c: sqlite3.Connection) -> list[str]:
        return [row["detail"] for row in c.execute(f"EXPLAIN QUERY PLAN {text}", parameters)]

    return await store.connection.read(explain)


async def test_finished_runs_are_found_by_their_ids(store: SqliteStore) -> None:
    steps = " | ".join(await plan(store, "finished_runs"))

    assert re.search(r"SEARCH r USING PRIMARY KEY \(id=\?\)", steps), steps
    assert "SCAN r" not in steps


@pytest.mark.parametrize("name", ["next_finished", "drop_finished", "count_finished"])
async def test_notes_are_found_in_their_order(store: SqliteStore, name: str) -> None:
    steps = " | ".join(await plan(store, name))

    assert "TEMP B-TREE" not in steps
    assert re.search(r"SEARCH (finished|f) USING INTEGER PRIMARY KEY", steps), steps


@pytest.mark.parametrize("name", ["read_rollups", "rollups_at", "prune_rollups"])
async def test_roll_ups_are_found_by_step_and_time(store: SqliteStore, name: str) -> None:
    steps = " | ".join(await plan(store, name))

    assert re.search(r"SEARCH rollups USING (PRIMARY KEY|INDEX \S+) \(step=\? AND at[=<>]\?", steps), steps


async def test_counting_is_one_pass_over_the_runs(store: SqliteStore) -> None:
    steps = await plan(store, "count_lines")

    assert [step for step in steps if "runs" in step] == ["SCAN runs"]


@pytest.mark.parametrize("name", ["depths", "queue_rules"])
async def test_pages_never_touch_the_runs(store: SqliteStore, name: str) -> None:
    assert [step for step in await plan(store, name) if "runs" in step or "history" in step] == []
