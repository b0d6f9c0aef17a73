"""Limits in the hand of dispatch: asked for only while there is room, and again as soon as an attempt ends."""

import pytest

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.gates import LimitRule, Scope
from mainspring.domain.limits.policy import Limit, Policy, Rate
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError, InvalidInputError
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA


async def limited(scene: Scene, policy: Policy, *, room: int = 100) -> ScriptedExecutor:
    """An executor whose code gives its job that policy."""
    executor = scene.executor(room=room)
    executor.jobs = [JobSpec(name="report", handler="report", policy=policy)]
    await executor.connect()
    await settled(scene)
    return executor


async def settled(scene: Scene) -> None:
    """Let the lines of jobs and their gates be made."""
    await scene.scheduler.limits.own_lines.tick()
    await scene.scheduler.limits.gates.tick()


async def start(scene: Scene, executor: ScriptedExecutor) -> list[RunId]:
    await scene.dispatch()
    return [run for message in executor.link.heard if isinstance(message, Start) for run in message.runs]


async def test_at_most_one_of_a_job_is_under_way(scene: Scene) -> None:
    executor = await limited(scene, Policy(at_once=1))
    runs = await scene.enqueue(count=3)
    await settled(scene)

    assert await start(scene, executor) == runs[:1]
    await executor.settled(executor.report(await executor.link.expect(Start)))
    assert await start(scene, executor) == runs[1:2]


async def test_the_next_one_starts_without_a_poll_when_one_ends(scene: Scene) -> None:
    executor = await limited(scene, Policy(at_once=1))
    [_, second] = await scene.enqueue(count=2)
    await settled(scene)
    await scene.dispatch()
    dispatch = scene.scheduler.dispatch
    dispatch.wake.clear()
    await executor.settled(executor.report(await executor.link.expect(Start)))

    assert dispatch.wake.is_set()
    await dispatch.tick()
    assert (await executor.link.expect(Start)).runs == [second]


async def test_a_full_limit_is_not_asked_again_before_something_ends(scene: Scene) -> None:
    executor = await limited(scene, Policy(at_once=1))
    await scene.enqueue(count=2)
    await settled(scene)
    await scene.dispatch()

    assert not await scene.scheduler.dispatch.tick()
    assert scene.scheduler.dispatch.period > 0
    assert executor.link.count(Start) == 1


async def test_a_rate_wakes_dispatch_at_the_next_token(scene: Scene) -> None:
    executor = await limited(scene, Policy(rate=Rate("10/s", burst=1)))
    runs = await scene.enqueue(count=2)
    await settled(scene)

    assert await start(scene, executor) == runs[:1]
    assert scene.scheduler.dispatch.period == pytest.approx(0.1)
    scene.clock.advance(0.1)
    await scene.scheduler.dispatch.tick()
    assert [run for message in executor.link.heard for run in getattr(message, "runs", [])] == runs


async def test_jobs_share_a_limit_by_its_name(scene: Scene) -> None:
    rules = scene.scheduler.limits.rules
    await rules.set(LimitRule(namespace=NAMESPACE, scope=Scope.NAMED, name="erp", at_once=1), actor=ANNA)
    executor = scene.executor(handlers=["left", "right"])
    shared = Policy(limits=(Limit(name="erp"),))
    executor.jobs = [JobSpec(name=name, handler=name, policy=shared) for name in ("left", "right")]
    await executor.connect()
    [left] = await scene.enqueue("left")
    [right] = await scene.enqueue("right")
    await settled(scene)

    [first] = await start(scene, executor)
    await executor.settled(executor.report(await executor.link.expect(Start)))
    [second] = await start(scene, executor)
    assert {first, second} == {left, right}

    with pytest.raises(ConflictError, match="left"):
        await rules.delete(NAMESPACE, Scope.NAMED, "erp", actor=ANNA)


async def test_a_queue_s_limit_holds_back_every_job_of_it(scene: Scene) -> None:
    executor = await scene.attach(handlers=["left", "right"])
    rule = LimitRule(namespace=NAMESPACE, scope=Scope.QUEUE, name="default", at_once=1)
    await scene.enqueue("left")
    await scene.enqueue("right")
    await scene.scheduler.limits.rules.set(rule, actor=ANNA)
    await settled(scene)

    assert len(await start(scene, executor)) == 1


async def test_why_names_the_limit_and_who_holds_it(scene: Scene) -> None:
    await limited(scene, Policy(at_once=1))
    [first, second] = await scene.enqueue(count=2)
    await settled(scene)
    await scene.dispatch()
    run, reasons = await scene.scheduler.limits.why.run(NAMESPACE, second)

    assert (run.state, run.reason) == (RunState.WAITING, "limit")
    assert reasons[0].code == "job_limit"
    assert (reasons[0].facts["held"], reasons[0].facts["runs"]) == (1, [id_text(first)])


async def test_a_limit_is_raised_for_what_already_waits(scene: Scene) -> None:
    executor = await limited(scene, Policy(at_once=1))
    runs = await scene.enqueue(count=5)
    await settled(scene)
    await scene.dispatch()
    changed = JobSpec(name="report", handler="report", policy=Policy(at_once=4))
    await scene.scheduler.catalog.register(NAMESPACE, [changed])
    await settled(scene)

    assert await start(scene, executor) == runs[:4]


async def test_policies_that_no_server_follows_are_refused(scene: Scene) -> None:
    jobs = scene.scheduler.jobs
    await scene.attach()
    with pytest.raises(InvalidInputError, match="erp"):
        jobs._checked(NAMESPACE, JobSpec(name="x", handler="report", policy=Policy(limits=(Limit(name="erp"),))))
