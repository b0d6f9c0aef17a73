"""How far many runs of a workflow have come is read at once, on each database."""

from mainspring.domain.runs.run import RunState
from mainspring.domain.waits.awaited import awaited, steps_under_way, unsuccessful_steps
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_workflow_changes import failing
from tests.scheduler.test_workflows import DIAMOND
from tests.scheduler.workflow_scene import WorkflowScene


async def test_runs_that_are_over_live_and_not_begun_are_told_apart(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND})
    over = await stage.enqueue(order=1)
    await stage.play(failing("charge"))
    live = await stage.enqueue(order=2)
    await stage.tick()
    later = await stage.enqueue(order=3)
    operations = scene.scheduler.workflows.operations
    job = await scene.scheduler.jobs.get(NAMESPACE, "flow")

    found = await operations.some(job, [over, live, later])

    assert set(found) == {over, live}
    assert await stage.state(over) is RunState.FAILED
    (past, graph), (present, _) = found[over], found[live]
    assert (past.finished_at is None, present.finished_at is None) == (False, True)
    assert (unsuccessful_steps(graph, past.flow), steps_under_way(graph, past.flow)) == (["charge"], [])
    assert (unsuccessful_steps(graph, present.flow), steps_under_way(graph, present.flow)) == ([], ["charge", "pack"])
    assert awaited(graph, present.flow) == []
    assert await operations.some(job, []) == {}
