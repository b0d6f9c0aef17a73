"""One column of a wait, a vote or a kept event is spoilt: the other waits end, and an operator is told of the one."""

import pytest

from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError
from mainspring.store.aside import ROW_UNREADABLE
from tests.scheduler.poison import Poison
from tests.scheduler.poison_waits import BERT, EARLIER, ORDERS, WaitingSteps
from tests.scheduler.scene import Scene


@pytest.fixture
async def waits(scene: Scene) -> WaitingSteps:
    found = WaitingSteps(scene)
    await found.begin()
    return found


@pytest.mark.parametrize(
    ("table", "column"),
    [("told", "data"), ("waits", "places"), ("waits", "match"), ("votes", "form"), ("votes", "note")],
)
async def test_a_spoilt_column_keeps_no_other_wait(scene: Scene, waits: WaitingSteps, table: str, column: str) -> None:
    assert await Poison(scene.store).spoil(table, instants=False, only=column)

    await waits.hold()


async def test_a_spoilt_event_is_never_the_result_of_a_wait(scene: Scene, waits: WaitingSteps) -> None:
    await Poison(scene.store).spoil("told", instants=False, only="data")
    run = await waits.enqueue("hearing", EARLIER[0])
    await waits.follow()

    assert (await scene.run(run)).state is RunState.WAITING


async def test_an_approval_with_a_spoilt_vote_is_listed_and_refuses_answers(scene: Scene, waits: WaitingSteps) -> None:
    await Poison(scene.store).spoil("votes", instants=False, only="form")
    with pytest.raises(ConflictError) as refused:
        await waits.approve(waits.asking[0], BERT)

    assert refused.value.code == ROW_UNREADABLE
    assert await waits.listed() == [await waits.step(run) for run in waits.asking]


async def test_an_approval_that_cannot_be_read_hides_no_other(scene: Scene, waits: WaitingSteps) -> None:
    for order in ORDERS:
        await waits.publish(order)
    await Poison(scene.store).spoil("waits", instants=False, only="about")
    with pytest.raises(ConflictError) as refused:
        await waits.approve(waits.asking[0], BERT)

    assert refused.value.code == ROW_UNREADABLE
    assert await waits.listed() == [await waits.step(waits.asking[1])]


async def test_a_run_that_cannot_end_keeps_no_other_wait_of_its_batch(scene: Scene, waits: WaitingSteps) -> None:
    steps = [await waits.step(run) for run in waits.hearing]
    await Poison(scene.store).never_ends(steps[0])
    ended = await scene.scheduler.workflows.waits.finish(dict.fromkeys(steps, b"{}"))

    assert steps[1] in ended
