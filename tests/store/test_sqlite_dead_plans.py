"""How SQLite reads dead letters: by the indexes made for that, whatever is in the tables and was analysed."""

import re
import sqlite3
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.run import RunState
from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.tx import load_queries
from mainspring.testing.clock import FakeClock
from tests.factories import ended
from tests.store.scene import set_scene

pytestmark = pytest.mark.asyncio(loop_scope="module")

queries = load_queries()
FAILED = Decision(RunState.FAILED, failures=1)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore.inline(clock=FakeClock())
    await opened.migrate()
    scene = await set_scene(opened)
    if request.param != "empty":
        await scene.settle([ended(*pair) for pair in await scene.started(100)], FAILED)
    if request.param == "analysed":
        await opened.connection.write(lambda c: c.execute("ANALYZE"))
    yield opened
    await opened.close()


async def plan(store: SqliteStore, name: str, **parts: str) -> str:
    text = queries[name].format(**parts)
    parameters = dict.fromkeys(re.findall(r":([a-z_]+)", text))

    def explain(c: sqlite3.Connection) -> str:
        return " | ".join(row["detail"] for row in c.execute(f"EXPLAIN QUERY PLAN {text}", parameters))

    return await store.connection.read(explain)


@pytest.mark.parametrize(("index", "only"), [("dead_listed", ""), ("dead_kinds", "AND d.fingerprint = :fingerprint")])
async def test_letters_are_read_in_their_order(store: SqliteStore, index: str, only: str) -> None:
    steps = await plan(store, "dead_letters", index=index, only=only)

    assert f"SEARCH d USING INDEX {index}" in steps
    assert "TEMP B-TREE" not in steps


async def test_groups_are_found_by_stepping_from_one_fingerprint_to_the_next(store: SqliteStore) -> None:
    steps = await plan(store, "dead_kinds")

    assert re.search(r"SEARCH d USING INDEX dead_kinds \(namespace=\? AND fingerprint>\?\)", steps), steps
    assert "SCAN d" not in steps


async def test_a_group_is_counted_by_its_index(store: SqliteStore) -> None:
    steps = await plan(store, "dead_groups")

    assert "SCAN d" not in steps
    assert "SCAN o" not in steps
    assert "TEMP B-TREE" not in steps


@pytest.mark.parametrize("name", ["lock_dead", "dead_letter"])
async def test_dead_runs_are_found_by_their_ids(store: SqliteStore, name: str) -> None:
    assert "SEARCH d USING PRIMARY KEY (run=?)" in await plan(store, name)
