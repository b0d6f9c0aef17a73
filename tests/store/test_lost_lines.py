"""A fail-over loses a line's number, and gives it to another line: runs that a server put there meanwhile are found again."""

from mainspring.clock import SystemClock
from mainspring.domain.queues.line import Line
from mainspring.scheduler.lost_lines import LostLines
from tests.factories import NAMESPACE
from tests.store.scene import Scene
from tests.store.test_lanes import add, enter, rule

OTHER = Line(NAMESPACE, "other", "report")


async def mended(scene: Scene, present: dict[int, Line], meant: Line, to: int) -> None:
    lost = LostLines(scene.store, SystemClock())
    lost.note({scene.line: meant}, present)
    jobs = {(NAMESPACE, scene.job.name): scene.job}
    await lost.mend(present, {**{line: number for number, line in present.items()}, meant: to}, jobs)


async def test_runs_in_lanes_of_a_number_that_another_line_has_now_are_moved(scene: Scene) -> None:
    own, to = Line(NAMESPACE, "default", "report", job=scene.job.name), await scene.add_line("own")
    runs = await add(scene, 1, 1)
    await enter(scene, rule())
    await mended(scene, {scene.line: OTHER}, own, to)

    assert await scene.claimed(2) == []
    assert [run for run, _ in await scene.claimed(2, lines=[to])] == runs


async def test_runs_stay_where_the_number_is_another_line_of_the_same_job(scene: Scene) -> None:
    own = Line(NAMESPACE, "default", "report", job=scene.job.name)
    elsewhere = Line(NAMESPACE, "default", "report", address="press-1", job=scene.job.name)
    runs = await add(scene, 1)
    await mended(scene, {scene.line: elsewhere}, own, await scene.add_line("own"))

    assert [run for run, _ in await scene.claimed(1)] == runs


async def test_runs_of_a_plain_line_go_back_to_it_though_its_number_is_that_of_another_handler(scene: Scene) -> None:
    plain, to = Line(NAMESPACE, "default", scene.job.spec.handler), await scene.add_line("again")
    runs = await add(scene, 1)
    await mended(scene, {scene.line: Line(NAMESPACE, "default", "other")}, plain, to)

    assert await scene.claimed(1) == []
    assert [run for run, _ in await scene.claimed(1, lines=[to])] == runs


async def test_runs_stay_where_the_number_is_another_queue_of_the_same_handler(scene: Scene) -> None:
    plain = Line(NAMESPACE, "default", scene.job.spec.handler)
    runs = await add(scene, 1)
    await mended(scene, {scene.line: Line(NAMESPACE, "night", plain.handler)}, plain, await scene.add_line("again"))

    assert [run for run, _ in await scene.claimed(1)] == runs
