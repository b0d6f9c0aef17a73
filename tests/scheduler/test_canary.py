"""A version of the code gets its share of a job's runs, and no other runs."""

import pytest

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.routing.canary import Canary
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor

CANARY = Policy(canary=Canary("2.5", 0.05))


async def join(scene: Scene, version: str) -> ScriptedExecutor:
    executor = scene.executor(f"e-{version}")
    executor.jobs = [JobSpec(name="report", handler="report", policy=CANARY)]
    executor.code_version = version
    await executor.connect()
    await scene.scheduler.catalog.tick()
    return executor


async def leave(scene: Scene, executor: ScriptedExecutor) -> None:
    await scene.store.cluster.close_session(executor.session, now=scene.clock.now())
    await executor.disconnect()
    await scene.scheduler.catalog.tick()


async def turn(scene: Scene) -> None:
    while await scene.scheduler.limits.routing.tick():
        pass
    await scene.dispatch()


def count(executor: ScriptedExecutor) -> int:
    return sum(len(message.runs) for message in executor.link.heard if isinstance(message, Start))


async def test_the_canary_gets_its_share_and_no_more(scene: Scene) -> None:
    old, new = await join(scene, "2.4"), await join(scene, "2.5")
    await scene.accept(*[RunRequest(job="report")] * 60)
    await turn(scene)

    assert (count(old), count(new)) == (57, 3)


@pytest.mark.parametrize("version", ["2.4", "2.5"])
async def test_whichever_version_is_alone_gets_all(scene: Scene, version: str) -> None:
    executor = await join(scene, version)
    await scene.accept(*[RunRequest(job="report")] * 30)
    await turn(scene)

    assert count(executor) == 30


async def test_runs_of_a_version_that_goes_are_given_to_the_other(scene: Scene) -> None:
    old, new = await join(scene, "2.4"), await join(scene, "2.5")
    await scene.scheduler.limits.routing.tick()
    accepted = await scene.accept(*[RunRequest(job="report")] * 20)
    await scene.scheduler.limits.routing.tick()
    await leave(scene, new)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, accepted[-1].id)
    assert (found.state, reasons[0].code) == (RunState.WAITING, "address")
    assert reasons[0].text == "It is for code version 2.5, of which there is none"
    for _ in range(4):
        scene.clock.advance(3)
        await scene.scheduler.catalog.tick()
        await turn(scene)

    assert count(old) == 20
