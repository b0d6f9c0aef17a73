"""Steps that begin in great number are born in bundles, and are there what they would be as rows."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.spec import StepSpec
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store
from mainspring.store.postgres.hot.bundles import LIFE, SIZE
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Start
from tests.scheduler.scene import Scene, until_idle
from tests.scheduler.workflow_scene import WorkflowScene, workflow

pytestmark = pytest.mark.postgres

CHAIN = workflow(
    a=StepSpec(job="link", mapping={"n": "$.input.n"}),
    b=StepSpec(job="link", mapping={"n": "$.a"}),
    c=StepSpec(job="link", mapping={"n": "$.b"}),
    result="$.c",
)
FROM = 5
PLACES = """
SELECT
  (SELECT count(*) FROM mainspring.runs WHERE state = 2),
  (SELECT coalesce(sum(cardinality(held)), 0) FROM mainspring.bundles),
  (SELECT count(*) FROM mainspring.payloads)
"""
ENDED = """
SELECT DISTINCT attempt, state, token IS NULL, session IS NULL, result FROM mainspring.history WHERE extra LIKE '%step%'
"""
LIVE = """
SELECT l.due_at, l.created_at, l.claimed_at, l.line, l.job, l.attempt, l.priority, l.state, l.failures, l.losses, l.session,
  l.reason, l.key, l.input, l.deadline_at, l.cancel_reason, l.first_started_at, s.step, s.item,
  replace(convert_from(l.extra, 'UTF8'), s.workflow::text, '') AS extra
FROM mainspring.live AS l
JOIN mainspring.steps AS s ON s.run = l.id
"""


@pytest.fixture
def database() -> str:
    return "postgres"


@pytest.fixture
async def stage(store: Store, clock: FakeClock) -> AsyncIterator[WorkflowScene]:
    scene = Scene(store, clock, SchedulerSettings(name="s1", bundle_from=FROM))
    await scene.start()
    yield await WorkflowScene.make(scene, {"flow": CHAIN}, room=1_000)
    await scene.stop()


async def ask(url: str, query: str) -> list[tuple[Any, ...]]:
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def begin(stage: WorkflowScene, count: int, n: object = 7) -> list[RunId]:
    """So many workflow runs, whose first steps are under way as rows."""
    runs = [await stage.enqueue(n=n) for _ in range(count)]
    await stage.tick()
    return runs


async def answer_all(stage: WorkflowScene, *, but: int = 0) -> None:
    """All attempts under way succeed with their argument, in one settlement; the last ones of each message are left."""
    for start in stage.taken():
        told = len(start.runs) - but
        results = [msgspec.json.encode(msgspec.json.decode(raw)["n"]) for raw in start.inputs[:told]]
        stage.executor.say_outcomes(start.runs[:told], [start.token] * told, results, [])
        left = start.runs[told:]
        if left:
            stage.executor.link.heard.append(without(start, told))
    await until_idle()
    await stage.settle()


def without(start: Start, told: int) -> Start:
    """The attempts of a message that nothing has been said about."""
    parts = ("runs", "handlers", "attempts", "inputs", "extras", "timeouts")
    return msgspec.structs.replace(
        start, **{name: getattr(start, name)[told:] for name in parts if hasattr(start, name)}
    )


async def test_in_a_bundle_a_step_is_what_it_is_as_a_row(stage: WorkflowScene, store_url: str) -> None:
    await begin(stage, FROM - 1)
    await answer_all(stage)
    [as_row, *others] = await ask(store_url, LIVE)
    assert await ask(store_url, PLACES) == [(FROM - 1, 0, 0)]
    await answer_all(stage)
    await answer_all(stage)

    await begin(stage, FROM)
    await answer_all(stage)
    assert await ask(store_url, PLACES) == [(0, FROM, 0)]
    born = await ask(store_url, LIVE)
    stage.scene.clock.advance(LIFE.total_seconds() + 1)
    await stage.scene.store.runs.unbundle(now=stage.scene.clock.now())

    assert await ask(store_url, PLACES) == [(FROM, 0, 0)]
    assert {*others, *born, *await ask(store_url, LIVE)} == {as_row}


async def test_whole_bundles_of_steps_are_followed_by_bundles(stage: WorkflowScene, store_url: str) -> None:
    count = 2 * SIZE + FROM
    runs = await begin(stage, count)
    await answer_all(stage)
    await answer_all(stage)

    assert await ask(store_url, PLACES) == [(0, count, 0)]
    assert [row[0] for row in await ask(store_url, "SELECT size FROM mainspring.bundles ORDER BY part")] == [
        SIZE,
        SIZE,
        FROM,
    ]
    await answer_all(stage)
    assert {await stage.state(run) for run in runs} == {RunState.SUCCEEDED}
    assert await ask(store_url, PLACES) == [(0, 0, 0)]
    assert await ask(store_url, ENDED) == [(1, RunState.SUCCEEDED, False, False, b"7")]


async def test_a_bundle_of_which_some_steps_have_ended_is_undone(stage: WorkflowScene, store_url: str) -> None:
    runs = await begin(stage, 2 * FROM)
    await answer_all(stage)
    await answer_all(stage, but=2)

    assert await ask(store_url, PLACES) == [(2, 2 * FROM - 2, 0)]
    for _ in range(2):
        await answer_all(stage)
    assert {await stage.state(run) for run in runs} == {RunState.SUCCEEDED}
    assert await ask(store_url, "SELECT max(attempt) FROM mainspring.history") == [(1,)]


async def test_large_inputs_are_kept_apart_as_ever(stage: WorkflowScene, store_url: str) -> None:
    runs = await begin(stage, FROM, n="x" * 2_000)
    await answer_all(stage)

    assert await ask(store_url, PLACES) == [(FROM, 0, 3 * FROM)]
    await answer_all(stage)
    await answer_all(stage)
    assert {await stage.state(run) for run in runs} == {RunState.SUCCEEDED}
