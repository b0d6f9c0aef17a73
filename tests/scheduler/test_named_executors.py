"""Runs that name the one executor that may take them, whatever their job says."""

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Limit, Policy
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.birth import RunRequest
from mainspring.errors import InvalidInputError
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_routing import fleet, started
from tests.scheduler.test_routing import turn as route_and_dispatch

NO_POLICY = Policy()
POLICIES = {
    "none": NO_POLICY,
    "limit": Policy(limits=(Limit(50),)),
    "key": Policy(limits=(Limit(5, key=("customer",)),)),
    "round robin": Policy(route=Route("round_robin")),
}


async def turn(scene: Scene) -> None:
    await scene.scheduler.limits.gates.tick()
    await scene.scheduler.limits.sorting.tick()
    await route_and_dispatch(scene)


async def enqueue_for(scene: Scene, executor: str, count: int = 5) -> list[RunId]:
    requests = [
        RunRequest(job="report", executor=executor, input=msgspec.json.encode({"customer": number}))
        for number in range(count)
    ]
    return [accepted.id for accepted in await scene.accept(*requests)]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
async def test_a_run_goes_to_the_executor_that_it_names_and_to_no_other(scene: Scene, policy: Policy) -> None:
    executors = await fleet(scene, policy, "a", "b", "c")
    runs = await enqueue_for(scene, "b")
    await turn(scene)

    assert [sorted(started(one)) for one in executors.values()] == [[], sorted(runs), []]


@pytest.mark.parametrize("policy", [NO_POLICY, POLICIES["limit"]], ids=["none", "limit"])
async def test_it_waits_for_an_executor_that_is_away_and_why_names_it(scene: Scene, policy: Policy) -> None:
    executors = await fleet(scene, policy, "a")
    [run] = await enqueue_for(scene, "b", 1)
    await turn(scene)
    # Longer than a job's route would wait for its executor.
    scene.clock.advance(6)
    await turn(scene)
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)
    assert (reasons[0].code, reasons[0].facts) == ("address", {"executor": "b"})
    assert started(executors["a"]) == []

    late = await fleet(scene, policy, "b")
    await turn(scene)
    assert started(late["b"]) == [run]


async def test_a_job_with_a_route_gives_such_a_run_to_another_one_by_its_own_policy(scene: Scene) -> None:
    executors = await fleet(scene, POLICIES["round robin"], "a")
    [run] = await enqueue_for(scene, "b", 1)
    await turn(scene)
    assert started(executors["a"]) == []
    scene.clock.advance(6)
    # Back to those without an executor, and from there to the one that is there.
    await turn(scene)
    await turn(scene)
    assert started(executors["a"]) == [run]


@pytest.mark.parametrize("name", ["", "@2.5", "..", "x" * 201, "a\x1b"])
async def test_a_name_that_no_executor_can_have_is_refused(scene: Scene, name: str) -> None:
    await fleet(scene, NO_POLICY, "a")
    with pytest.raises(InvalidInputError) as refused:
        await enqueue_for(scene, name, 1)
    assert (refused.value.field, refused.value.code) == ("executor", "bad_executor")


async def test_a_job_that_makes_children_takes_no_executor(scene: Scene) -> None:
    await scene.scheduler.catalog.register(
        NAMESPACE, [JobSpec(name="parts", handler="report", policy=Policy(slices=3))]
    )
    with pytest.raises(InvalidInputError) as refused:
        await scene.accept(RunRequest(job="parts", executor="a"))
    assert (refused.value.field, refused.value.code) == ("executor", "incompatible")
