"""Resources are booked while an attempt runs, and never more of them than an executor has."""

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import Holding, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor


async def join(scene: Scene, policy: Policy, resources: dict[str, float], *, room: int = 50) -> ScriptedExecutor:
    executor = scene.executor("a", room=room, handlers=["report", "plain"])
    executor.jobs = [
        JobSpec(name="report", handler="report", policy=policy),
        JobSpec(name="plain", handler="plain"),
    ]
    executor.resources = resources
    await executor.connect()
    await scene.scheduler.catalog.tick()
    return executor


async def enqueue(scene: Scene, count: int, job: str = "report") -> list[RunId]:
    return [accepted.id for accepted in await scene.accept(*[RunRequest(job=job)] * count)]


async def started(scene: Scene, executor: ScriptedExecutor) -> list[Start]:
    await scene.dispatch()
    starts = [message for message in executor.link.heard if isinstance(message, Start)]
    for start in starts:
        executor.link.heard.remove(start)
    return starts


async def test_as_many_run_as_the_resources_allow_and_the_next_when_one_ends(scene: Scene) -> None:
    executor = await join(scene, Policy(uses={"gpu": 1, "memory": "4GiB"}), {"gpu": 3, "memory": 9 * 2**30})
    runs = await enqueue(scene, 5)
    [start] = await started(scene, executor)

    assert start.runs == runs[:2]
    await executor.settled(executor.report(start, runs=start.runs[:1]))
    [after] = await started(scene, executor)
    assert after.runs == runs[2:3]


async def test_bookings_are_rebuilt_when_an_executor_connects_again(scene: Scene) -> None:
    executor = await join(scene, Policy(uses={"gpu": 0.5}), {"gpu": 1})
    runs = await enqueue(scene, 3)
    [start] = await started(scene, executor)
    await executor.disconnect()
    await executor.connect([Holding(start.token, start.runs)])

    assert start.runs == runs[:2]
    assert await started(scene, executor) == []
    await executor.settled(executor.report(start))
    [after] = await started(scene, executor)
    assert after.runs == runs[2:]


async def test_an_attempt_may_take_several_slots(scene: Scene) -> None:
    executor = await join(scene, Policy(uses={"slots": 3}), {}, room=7)
    await enqueue(scene, 5)
    [start] = await started(scene, executor)
    plain = await enqueue(scene, 5, "plain")
    [rest] = await started(scene, executor)

    assert (len(start.runs), rest.runs) == (2, plain[:1])


async def test_an_executor_takes_no_more_of_a_job_than_its_limit(scene: Scene) -> None:
    executor = await join(scene, Policy(executor_limit=2), {})
    runs = await enqueue(scene, 3)
    [start] = await started(scene, executor)

    assert start.runs == runs[:2]


async def test_a_run_that_no_executor_is_large_enough_for_waits_and_says_so(scene: Scene) -> None:
    executor = await join(scene, Policy(uses={"gpu": 4}), {"gpu": 2})
    [run] = await enqueue(scene, 1)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert await started(scene, executor) == []
    assert (found.state, found.reason, reasons[0].code) == (RunState.WAITING, "no_executor", "resources")
    assert reasons[0].text == "It uses gpu = 4; the largest of 1 executors, a, has 2"


async def test_a_run_that_waits_for_resources_says_which(scene: Scene) -> None:
    executor = await join(scene, Policy(uses={"gpu": 2}), {"gpu": 3})
    [_, second] = await enqueue(scene, 2)
    await started(scene, executor)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, second)

    assert found.state is RunState.QUEUED
    assert (reasons[0].code, reasons[0].text) == ("booked", "It uses gpu = 2; the executor that fits, a, has 1 free")
