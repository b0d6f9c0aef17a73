"""Runs with routes of their own, beside runs of the same job that go by its route."""

from typing import Any

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.limits.policy import Limit, Policy
from mainspring.domain.queues.line import Line
from mainspring.domain.routing.own_route import OWN, own_address, own_route, route_of
from mainspring.domain.routing.route import Failover, Fixed, Hash, Route, Strategy
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.test_routing import fleet, say_load, started
from tests.scheduler.test_routing import turn as route_and_dispatch

NO_POLICY = Policy()
POLICIES = {
    "none": NO_POLICY,
    "limit": Policy(limits=(Limit(50),)),
    "key": Policy(limits=(Limit(5, key=("customer",)),)),
    "another route": Policy(route=Route("first")),
}


async def turn(scene: Scene) -> None:
    while await scene.scheduler.limits.routing.tick():
        pass
    await scene.scheduler.limits.gates.tick()
    await scene.scheduler.limits.sorting.tick()
    await route_and_dispatch(scene)


async def enqueue(scene: Scene, route: Route, count: int, *, customer: int | None = None) -> list[RunId]:
    customers = range(count) if customer is None else [customer] * count
    requests = [
        RunRequest(job="report", route=route, input=msgspec.json.encode({"customer": number})) for number in customers
    ]
    return [accepted.id for accepted in await scene.accept(*requests)]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
async def test_runs_take_turns_though_their_job_does_not_say_so(scene: Scene, policy: Policy) -> None:
    executors = await fleet(scene, policy, "a", "b", "c")
    runs = await enqueue(scene, Route("round_robin"), 9)
    await turn(scene)

    assert [len(started(one)) for one in executors.values()] == [3, 3, 3]
    assert sorted(run for one in executors.values() for run in started(one)) == sorted(runs)


@pytest.mark.parametrize(
    ("route", "counts"),
    [
        (Route("first"), [6, 0, 0]),
        (Route("last"), [0, 0, 6]),
        (Fixed("b"), [0, 6, 0]),
        (Failover("x", "c", "a"), [0, 0, 6]),
        (Route("least_used"), [2, 2, 2]),
        (Route("least_recent"), [2, 2, 2]),
    ],
    ids=lambda value: value.strategy if isinstance(value, Route) else None,
)
async def test_each_strategy_is_honoured(scene: Scene, route: Route, counts: list[int]) -> None:
    executors = await fleet(scene, NO_POLICY, "a", "b", "c")
    await enqueue(scene, route, 6)
    await turn(scene)

    assert [len(started(one)) for one in executors.values()] == counts


async def test_chance_gives_each_run_to_one_executor(scene: Scene) -> None:
    executors = await fleet(scene, NO_POLICY, "a", "b")
    runs = await enqueue(scene, Route("random"), 20)
    await turn(scene)

    assert sorted(run for one in executors.values() for run in started(one)) == sorted(runs)


async def test_the_same_key_goes_to_the_same_executor(scene: Scene) -> None:
    executors = await fleet(scene, NO_POLICY, "a", "b", "c")
    await enqueue(scene, Hash("customer"), 12, customer=42)
    await turn(scene)

    assert sorted(len(started(one)) for one in executors.values()) == [0, 0, 12]


@pytest.mark.parametrize("route", [Route("least_loaded"), Route("any")], ids=["least_loaded", "any"])
async def test_the_one_with_the_most_room_is_chosen_where_the_job_would_choose_another(
    scene: Scene, route: Route
) -> None:
    executors = await fleet(scene, Policy(route=Route("first")), "a", "b", room=10)
    await enqueue(scene, Fixed("a"), 6)
    await turn(scene)
    for executor in executors.values():
        await say_load(scene, executor)
    await enqueue(scene, route, 4)
    await turn(scene)

    assert [len(started(one)) for one in executors.values()] == [6, 4]


async def test_any_for_a_job_without_a_route_is_its_usual_way(scene: Scene) -> None:
    executors = await fleet(scene, NO_POLICY, "a")
    [run] = await enqueue(scene, Route("any"), 1)
    await scene.dispatch()

    assert started(executors["a"]) == [run]


async def test_a_run_is_routed_again_by_its_own_route_when_its_executor_stays_away(scene: Scene) -> None:
    executors = await fleet(scene, NO_POLICY, "a", "b", room=1)
    await enqueue(scene, Route("first"), 1)
    await turn(scene)
    [waiting] = await enqueue(scene, Route("first"), 1)
    await turn(scene)
    await scene.store.cluster.close_session(executors["a"].session, now=scene.clock.now())
    await executors["a"].disconnect()
    for _ in range(5):
        await scene.scheduler.catalog.tick()
        await turn(scene)
        scene.clock.advance(3)

    assert started(executors["b"])[0] == waiting


async def test_a_run_whose_executor_stays_away_fails_if_its_route_says_so(scene: Scene) -> None:
    await fleet(scene, NO_POLICY, "a")
    [run] = await enqueue(scene, Fixed("b", on_absent="fail"), 1)
    await turn(scene)
    scene.clock.advance(6)
    await turn(scene)
    failed = await scene.run(run)

    assert (failed.state, failed.reason) == (RunState.FAILED, "executor_absent")


async def test_why_names_the_executors_that_a_run_could_go_to(scene: Scene) -> None:
    await fleet(scene, NO_POLICY, "a")
    [fixed], [either] = await enqueue(scene, Fixed("b"), 1), await enqueue(scene, Failover("x", "y"), 1)
    await turn(scene)
    whys = [(await scene.scheduler.limits.why.run(NAMESPACE, run))[1][0] for run in (fixed, either)]

    assert [(one.code, one.facts) for one in whys] == [
        ("address", {"executor": "b"}),
        ("address", {"executor": "x or y"}),
    ]


@pytest.mark.parametrize(
    ("request_", "field", "code"),
    [
        ({"route": Route("nearest")}, "route.strategy", "bad_route"),
        ({"route": Route("broadcast")}, "route.strategy", "incompatible"),
        ({"route": Route("fixed")}, "route.executors", "bad_route"),
        ({"route": Route("first", ["a"])}, "route.executors", "bad_route"),
        ({"route": Route("hash")}, "route.key", "bad_route"),
        ({"route": Hash("colour")}, "input", "missing_key"),
        ({"route": Route("first", on_absent="perhaps")}, "route.on_absent", "bad_route"),
        ({"route": Route("first", patience=-1)}, "route.patience", "bad_route"),
        ({"route": Route("first"), "executor": "a"}, "route", "incompatible"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_a_route_that_no_run_can_have_is_refused(
    scene: Scene, request_: dict[str, Any], field: str, code: str
) -> None:
    await fleet(scene, NO_POLICY, "a")
    with pytest.raises(InvalidInputError) as refused:
        await scene.accept(RunRequest(job="report", **request_))

    assert (refused.value.field, refused.value.code) == (field, code)


async def test_runs_that_have_children_cannot_have_routes_of_their_own(scene: Scene) -> None:
    await fleet(scene, Policy(slices=3), "a")
    with pytest.raises(InvalidInputError) as refused:
        await enqueue(scene, Route("first"), 1)

    assert (refused.value.field, refused.value.code) == ("route", "incompatible")


def test_an_address_is_read_as_it_was_written() -> None:
    route = Failover("a", '@"?b')
    found = own_route(own_address(route, "a"))

    assert found is not None
    assert (found.executor, found.route) == ("a", route)
    assert route_of(Line(NAMESPACE, "default", "report", own_address(route)), None) == route


@pytest.mark.parametrize(
    "address", ["", "a", "@2.5", f"{OWN}2.5", f"{OWN}[", f'{OWN}["a"]', f'{OWN}["a",{{"strategy":"x"}}]']
)
def test_other_addresses_have_no_route(address: str) -> None:
    assert own_route(address) is None
    assert route_of(Line(NAMESPACE, "default", "report", address), None).strategy is Strategy.ANY
