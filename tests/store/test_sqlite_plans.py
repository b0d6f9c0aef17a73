"""How SQLite reads the hot statements: by index, whatever is in the tables and whatever was analysed."""

import re
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from mainspring.store.sqlite.store import SqliteStore
from mainspring.store.sqlite.tx import load_queries
from mainspring.testing.clock import START, FakeClock
from tests.store.scene import Scene, set_scene

pytestmark = pytest.mark.asyncio(loop_scope="module")

BY_ID = ["claim", "create", "finish", "remove_finished", "requeue", "hold", "record_attempts", "seen", "live_states"]
BY_LINE = ["due", "next_due", "due_plain"]
STEERED = [
    "lock_live",
    "finish_idle",
    "mark_cancelling",
    "past_of",
    "lock_past",
    "retry",
    "resume",
    "children",
]
BY_SESSION = ["unclaim", "held_by", "held_runs", "mark_reclaimed", "renew"]
BY_RUN = ["show", "matching", "attempts", "last_failure", "logs"]
LISTED = ["scan", "find_live", "find_held", "find_on_day", "day_ends", "marked", "rarest_mark", "holder", "prune_marks"]
HARMLESS = re.compile(
    r"SCAN (\w VIRTUAL TABLE|json_each|CONSTANT ROW|\(subquery|[cdfhmnpr]$|sessions|lines|jobs|[lj]( |$))"
)
"""Parameters, subqueries, and the tables that stay small."""

queries = load_queries()


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["empty", "loaded", "analysed"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[SqliteStore]:
    """A store whose plans are asked for, on tables in each condition."""
    opened = SqliteStore.inline(clock=FakeClock())
    await opened.migrate()
    scene = await set_scene(opened)
    if request.param != "empty":
        await load(scene)
    if request.param == "analysed":
        await opened.connection.write(lambda c: c.execute("ANALYZE"))
    yield opened
    await opened.close()


async def load(scene: Scene) -> None:
    await scene.add(300, priority=1)
    await scene.add(300, priority=9)
    await scene.succeed(await scene.claimed(100))
    await scene.claimed(100)


async def plan(store: SqliteStore, name: str, order: str = "DESC", where: str = "all_runs") -> list[str]:
    statement = queries.statement(name)

    def explain(c: sqlite3.Connection) -> list[str]:
        steps: list[str] = []
        for written in (statement.text, *statement.more):
            text = written.replace("{day}", f"{START:%Y%m%d}").replace("{order}", order).replace("{where}", where)
            parameters = dict.fromkeys(re.findall(r":([a-z_]+)", text))
            steps += [row["detail"] for row in c.execute(f"EXPLAIN QUERY PLAN {text}", parameters)]
        return steps

    return await store.connection.read(explain)


@pytest.mark.parametrize("name", BY_ID + STEERED + BY_LINE + BY_SESSION + BY_RUN + LISTED)
async def test_a_hot_statement_scans_no_table(store: SqliteStore, name: str) -> None:
    steps = await plan(store, name)

    assert [step for step in steps if step.startswith("SCAN") and not HARMLESS.match(step)] == []


async def test_runs_that_can_only_be_live_are_looked_up_in_one_place(store: SqliteStore) -> None:
    steps = await plan(store, "matching", where="runs")

    assert any(step.startswith("SEARCH runs USING") for step in steps), steps
    assert not any("history" in step for step in steps), steps


async def test_how_far_workflow_runs_have_come_is_read_by_their_ids(store: SqliteStore) -> None:
    steps = await plan(store, "flows_of")

    assert [step for step in steps if step.startswith("SEARCH")] == [
        "SEARCH l USING PRIMARY KEY (run=?)",
        "SEARCH p USING PRIMARY KEY (run=?)",
    ]


@pytest.mark.parametrize("name", BY_LINE)
async def test_a_claim_is_led_by_line_priority_and_time(store: SqliteStore, name: str) -> None:
    steps = " ".join(await plan(store, name))

    bounds = r"due_at>\?( AND due_at<\?)?"
    assert re.search(rf"SEARCH r USING INDEX runs_claimable \(line=\? AND priority=\? AND {bounds}\)", steps)
    assert "TEMP B-TREE" not in steps


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("due_aged", "runs_claimable (line=? AND priority=? AND due_at<?)"),
        ("due_urgent", "runs_urgent (line=? AND priority=? AND deadline_at>? AND deadline_at<?)"),
    ],
)
async def test_old_and_urgent_runs_are_found_in_their_order(store: SqliteStore, name: str, bounds: str) -> None:
    assert await plan(store, name) == [f"SEARCH r USING INDEX {bounds}"]


@pytest.mark.parametrize(
    ("name", "index", "first"), [("place_of_run", "runs_claimable", "line"), ("place_in_lane", "runs_laned", "lane")]
)
async def test_where_a_run_stands_is_bounded_by_the_run_itself(
    store: SqliteStore, name: str, index: str, first: str
) -> None:
    steps = await plan(store, name)

    assert f"SEARCH c USING INDEX {index} ({first}=? AND priority=? AND (due_at,id)<(?,?))" in steps


@pytest.mark.parametrize("name", ["unclaim", "held_by"])
async def test_what_a_session_holds_is_found_by_the_session(store: SqliteStore, name: str) -> None:
    assert any("USING INDEX runs_held (session=?)" in step for step in await plan(store, name))


@pytest.mark.parametrize(
    ("name", "index"),
    [("cancel_requests", "runs_cancelling"), ("late", "runs_deadline"), ("next_deadline", "runs_deadline")],
)
async def test_cancels_and_deadlines_are_found_by_their_own_indexes(store: SqliteStore, name: str, index: str) -> None:
    steps = await plan(store, name)

    assert any(f"USING INDEX {index}" in step for step in steps)
    assert not any("TEMP B-TREE" in step for step in steps)


@pytest.mark.parametrize("order", ["ASC", "DESC"])
async def test_a_look_by_id_merges_live_runs_and_days_and_sorts_nothing(store: SqliteStore, order: str) -> None:
    steps = await plan(store, "scan", order)

    assert "MERGE (UNION ALL)" in steps
    assert any(re.match(r"SEARCH history_\d+ USING PRIMARY KEY \(id>\? AND id<\?\)", step) for step in steps)
    assert not any("TEMP B-TREE" in step for step in steps)


@pytest.mark.parametrize("order", ["ASC", "DESC"])
@pytest.mark.parametrize(
    ("name", "index"), [("find_live", "runs_listed"), ("find_on_day", f"history_{START:%Y%m%d}_listed")]
)
async def test_rare_runs_are_read_by_job_line_and_state(store: SqliteStore, name: str, index: str, order: str) -> None:
    steps = " ".join(await plan(store, name, order))

    assert re.search(rf"INDEX {index} \(job=\? AND line=\? AND state=\? AND id>\? AND id<\?\)", steps), steps
    assert re.search(rf"INDEX {index} \(job=\? AND line=\? AND state>\?", steps), steps
    assert re.search(rf"INDEX {index} \(job=\? AND line>\?\)", steps), steps
    # A comparison of pairs would be shown as one that uses both columns, and reads all that has the first.
    assert "(line,state)>" not in steps
    assert "TEMP B-TREE" not in steps


@pytest.mark.parametrize("order", ["ASC", "DESC"])
async def test_marked_runs_are_read_in_the_order_of_their_ids(store: SqliteStore, order: str) -> None:
    steps = " ".join(await plan(store, "marked", order))

    assert "SEARCH k USING PRIMARY KEY (namespace=? AND mark=? AND run>? AND run<?)" in steps
    assert "TEMP B-TREE" not in steps


async def test_statistics_from_a_small_table_are_gone_after_the_next_start(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mainspring.db"
    before = SqliteStore.inline(str(path), clock=FakeClock())
    await before.migrate()
    await (await set_scene(before)).add()
    await before.connection.write(lambda c: c.execute("ANALYZE"))
    await before.close()

    after = SqliteStore.inline(str(path), clock=FakeClock())
    assert "SEARCH runs USING PRIMARY KEY (id=?)" in await plan(after, "claim")
    await after.close()


async def test_a_rare_state_is_found_without_a_look_at_the_runs_of_the_usual_one() -> None:
    connection = sqlite3.connect(":memory:")
    for name in ("add_history_day", "add_history_day_index"):
        connection.execute(queries[name].format(day="20300101"))
    rows = [((number << 64).to_bytes(16, "big"), 4 if number == 7 else 3) for number in range(20_000)]
    connection.executemany(
        "INSERT INTO history_20300101 (id, state, line, job, priority, due_at, attempt, failures, losses, created_at,"
        " finished_at, duration, input) VALUES (?, ?, 1, 1, 5, 0, 1, 0, 0, 0, 0, 1, x'')",
        rows,
    )
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    connection.set_progress_handler(count, 100)
    bounds = {"low": b"", "high": b"\xff" * 16, "more": 51}
    filters = {"jobs": "[1, 2]", "lines": "[1]", "states": "[4]"}
    text = queries["find_on_day"].format(day="20300101", order="DESC")
    [found] = connection.execute(text, {**bounds, **filters}).fetchone()

    assert bytes.fromhex(found) == rows[7][0]
    # In hundreds of the machine's steps: one for each run would be more than a thousand.
    assert steps < 50
