"""`why` of a workflow run walks down to the run that everything waits for, on each database."""

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.limits.obstacles import Obstacle
from mainspring.domain.workflows.spec import StepSpec
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_workflows import CHAIN, DIAMOND
from tests.scheduler.workflow_scene import WorkflowScene, echo, workflow

ANNA = Actor("anna")


async def why(scene: Scene, run: RunId) -> list[Obstacle]:
    return (await scene.scheduler.limits.why.run(NAMESPACE, run))[1]


async def test_why_names_the_step_under_way_and_those_that_wait_for_it(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": CHAIN})
    run = await stage.enqueue()
    await stage.tick()
    found = await why(scene, run)

    assert [one.code for one in found] == ["step_under_way", "step_waits", "step_waits"]
    assert found[0].text.startswith("Step a is running")
    assert [one.facts["waits_for"] for one in found[1:]] == [["a"], ["b"]]
    [step] = await scene.store.workflows.steps(run, after=None, limit=10)
    assert found[0].facts["chain"] == [id_text(step.run)]


async def test_why_walks_through_a_workflow_inside_of_another(scene: Scene) -> None:
    inner = workflow("$.ask", ask=StepSpec(approval="A large order"))
    outer = workflow("$.sub", sub=StepSpec(job="inner"))
    stage = await WorkflowScene.make(scene, {"inner": inner, "flow": outer})
    run = await stage.enqueue()
    await stage.tick()
    first = (await why(scene, run))[0]

    [sub] = await scene.store.workflows.steps(run, after=None, limit=10)
    [ask] = await scene.store.workflows.steps(sub.run, after=None, limit=10)
    assert first.facts["chain"] == [id_text(sub.run), id_text(ask.run)]
    assert "Step ask is waiting" in first.text


async def test_why_says_that_a_workflow_run_is_paused(scene: Scene) -> None:
    stage = await WorkflowScene.make(scene, {"flow": DIAMOND})
    run = await stage.enqueue(order=7)
    await scene.scheduler.workflows.beginning.tick()
    await scene.scheduler.workflows.operations.pause(NAMESPACE, run, actor=ANNA)
    await stage.play(echo)
    codes = [one.code for one in await why(scene, run)]

    assert codes[0] == "workflow_paused"
    assert "workflow_stuck" not in codes
