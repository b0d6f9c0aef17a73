"""Blocking policies on each executor: what becomes of a run whose executor is at its limit for the job."""

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Blocking, Policy
from mainspring.domain.routing.route import Fixed, Hash, Route
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor

ROUND = Route("round_robin")


async def fleet(scene: Scene, policy: Policy, *names: str) -> dict[str, ScriptedExecutor]:
    executors = {}
    for name in names:
        executors[name] = scene.executor(name, room=10)
        executors[name].jobs = [JobSpec(name="report", handler="report", policy=policy)]
        await executors[name].connect()
    await scene.scheduler.catalog.tick()
    return executors


async def enqueue(scene: Scene, *customers: int) -> list[RunId]:
    requests = [RunRequest(job="report", input=msgspec.json.encode({"customer": one})) for one in customers]
    return [accepted.id for accepted in await scene.accept(*requests)]


async def turn(scene: Scene) -> None:
    limits = scene.scheduler.limits
    for duty in (limits.routing, limits.gates, limits.sorting):
        while await duty.tick():
            pass
    await scene.dispatch()


def started(executor: ScriptedExecutor) -> list[RunId]:
    return [run for message in executor.link.heard if isinstance(message, Start) for run in message.runs]


async def test_runs_of_an_executor_that_is_busy_with_the_job_are_discarded(scene: Scene) -> None:
    executors = await fleet(scene, Policy(executor_limit=1, blocking=Blocking.DISCARD, route=ROUND), "a", "b")
    runs = await enqueue(scene, 1, 2, 3)
    await turn(scene)

    assert sorted(len(started(one)) for one in executors.values()) == [1, 1]
    states = [await scene.run(run) for run in runs]
    assert [(one.state, one.reason) for one in states if one.state is not RunState.RUNNING] == [
        (RunState.SKIPPED, "blocked")
    ]


async def test_each_executor_has_its_own_latest(scene: Scene) -> None:
    policy = Policy(executor_limit=1, blocking=Blocking.LATEST, route=ROUND)
    executors = await fleet(scene, policy, "a", "b")
    runs = await enqueue(scene, *range(6))
    await turn(scene)

    found = [await scene.run(run) for run in runs]
    assert sum(one.state is RunState.RUNNING for one in found) == 2
    assert [one.reason for one in found[2:]] == ["superseded", "superseded", "limit", "limit"]
    for executor in executors.values():
        await executor.settled(executor.report(await executor.link.expect(Start)))
    assert {run for one in executors.values() for run in started(one)} == set(runs[4:])


async def test_one_executor_replaces_its_run_and_no_other_s(scene: Scene) -> None:
    policy = Policy(executor_limit=1, blocking=Blocking.REPLACE, route=Hash("customer"))
    await fleet(scene, policy, "a", "b", "c", "d")
    first = await enqueue(scene, *range(8))
    await turn(scene)
    under_way = {run for run in first if (await scene.run(run)).state is RunState.RUNNING}
    await enqueue(scene, 0)
    await turn(scene)

    replaced = {run for run in under_way if (await scene.run(run)).reason == "cancelling"}
    assert len(under_way) > len(replaced) == 1


async def test_why_names_the_executor_and_who_holds_its_limit(scene: Scene) -> None:
    policy = Policy(executor_limit=1, blocking=Blocking.LATEST, route=Fixed("a"))
    executors = await fleet(scene, policy, "a")
    first, second = await enqueue(scene, 1, 2)
    await turn(scene)
    _, [reason] = await scene.scheduler.limits.why.run(NAMESPACE, second)

    assert started(executors["a"]) == [first]
    assert reason.code == "executor_limit"
    assert reason.text.startswith("Limit 1 of report on executor a is held by run ")


@pytest.mark.parametrize("blocking", [Blocking.DISCARD, Blocking.LATEST])
async def test_a_run_that_ends_gives_its_executor_s_limit_back(scene: Scene, blocking: Blocking) -> None:
    policy = Policy(executor_limit=1, blocking=blocking, route=Fixed("a"))
    executors = await fleet(scene, policy, "a")
    [first] = await enqueue(scene, 1)
    await turn(scene)
    start = await executors["a"].link.expect(Start)
    await executors["a"].settled(executors["a"].report(start))
    [second] = await enqueue(scene, 2)
    await turn(scene)

    assert start.runs == [first]
    assert started(executors["a"]) == [second]


async def test_runs_in_lanes_fail_with_their_executor_if_the_route_says_so(scene: Scene) -> None:
    route = Route("first", on_absent="fail", patience=1)
    executors = await fleet(scene, Policy(executor_limit=1, blocking=Blocking.LATEST, route=route), "a")
    _, waiting = await enqueue(scene, 1, 2)
    await turn(scene)
    assert (await scene.run(waiting)).reason == "limit"
    await scene.store.cluster.close_session(executors["a"].session, now=scene.clock.now())
    await executors["a"].disconnect()
    for _ in range(3):
        await scene.scheduler.catalog.tick()
        await turn(scene)
        scene.clock.advance(1)
    found = await scene.run(waiting)

    assert (found.state, found.reason) == (RunState.FAILED, "executor_absent")
