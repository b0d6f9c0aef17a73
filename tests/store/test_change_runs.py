"""Runs that have not started get another priority, due time or line; those that have stay as they are."""

from datetime import timedelta

from mainspring.domain.ids import RunId
from mainspring.domain.runs.change import RunChange
from mainspring.testing.clock import START
from tests.factories import NAMESPACE
from tests.store.scene import Scene
from tests.words import ANNA


async def change(
    scene: Scene, runs: list[RunId], what: RunChange, lines: dict[int, int] | None = None
) -> dict[RunId, int]:
    return await scene.store.runs.change(NAMESPACE, runs, what, lines or {}, reason="", actor=ANNA, now=START)


async def test_a_higher_priority_is_claimed_first(scene: Scene) -> None:
    first, second = await scene.add(2)
    assert await change(scene, [second], RunChange(priority=9)) == {second: scene.line}

    assert [run for run, _ in await scene.claimed(2)] == [second, first]


async def test_a_run_moves_to_another_line_and_is_due_later(scene: Scene) -> None:
    other = await scene.add_line("other")
    [run] = await scene.add()
    later = START + timedelta(minutes=1)
    await change(scene, [run], RunChange(queue="other", due_at=later), {scene.line: other})

    assert await scene.claimed(1) == []
    assert await scene.claimed(1, lines=[other]) == []
    assert [one for one, _ in await scene.claimed(1, lines=[other], now=later)] == [run]


async def test_a_run_that_has_started_stays_as_it_is(scene: Scene) -> None:
    [(run, _)] = await scene.started()

    assert await change(scene, [run], RunChange(priority=9)) == {}
    assert (await scene.get(run)).priority == 5
