"""Runs that are routed: to whom, in which share, and where they go when their executor is away."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.routing.choose import RouteState
from mainspring.domain.routing.order import WEIGHT_MIN, weight_of
from mainspring.domain.routing.route import Failover, Fixed, Hash, Route
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import Beat, Load, Start
from tests.factories import abilities, session
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor

NAMES = ["a", "b", "c"]
NO_LABELS: Mapping[str, dict[str, str]] = {}


async def fleet(
    scene: Scene, policy: Policy, *names: str, room: int = 100, labels: Mapping[str, dict[str, str]] = NO_LABELS
) -> dict[str, ScriptedExecutor]:
    executors = {}
    for name in names:
        executors[name] = scene.executor(name, room=room)
        executors[name].labels = labels.get(name, {})
        executors[name].jobs = [JobSpec(name="report", handler="report", policy=policy)]
        await executors[name].connect()
    await scene.scheduler.catalog.tick()
    return executors


async def enqueue(scene: Scene, count: int) -> list[RunId]:
    requests = [RunRequest(job="report", input=msgspec.json.encode({"customer": number})) for number in range(count)]
    return [accepted.id for accepted in await scene.accept(*requests)]


async def turn(scene: Scene) -> None:
    while await scene.scheduler.limits.routing.tick():
        pass
    await scene.dispatch()


def started(executor: ScriptedExecutor) -> list[RunId]:
    return [run for message in executor.link.heard if isinstance(message, Start) for run in message.runs]


async def test_round_robin_is_even_to_one_run(scene: Scene) -> None:
    executors = await fleet(scene, Policy(route=Route("round_robin")), *NAMES)
    await enqueue(scene, 31)
    await turn(scene)

    counts = sorted(len(started(one)) for one in executors.values())
    assert sum(counts) == 31
    assert counts[-1] - counts[0] <= 1


async def test_a_fixed_executor_that_is_away_is_waited_for(scene: Scene) -> None:
    executors = await fleet(scene, Policy(route=Fixed("b")), "a")
    [run] = await enqueue(scene, 1)
    await turn(scene)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert (found.state, reasons[0].code, reasons[0].facts) == (RunState.WAITING, "address", {"executor": "b"})
    assert started(executors["a"]) == []
    late = await fleet(scene, Policy(route=Fixed("b")), "b")
    await turn(scene)
    assert started(late["b"]) == [run]


async def test_runs_of_an_executor_that_stays_away_go_to_another(scene: Scene) -> None:
    executors = await fleet(scene, Policy(route=Route("first")), "a", "b")
    await scene.scheduler.limits.routing.tick()
    runs = await enqueue(scene, 2)
    await scene.scheduler.limits.routing.tick()
    await scene.store.cluster.close_session(executors["a"].session, now=scene.clock.now())
    await executors["a"].disconnect()
    for _ in range(5):
        await scene.scheduler.catalog.tick()
        await turn(scene)
        scene.clock.advance(3)

    assert set(started(executors["b"])) == set(runs)


async def test_requirements_choose_and_why_names_what_is_missing(scene: Scene) -> None:
    executors = await fleet(scene, Policy(requires=("cuda >= 12",)), "a")
    [run] = await enqueue(scene, 1)
    await turn(scene)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert started(executors["a"]) == []
    assert (found.state, found.reason, reasons[0].code) == (RunState.WAITING, "no_executor", "requirement")
    assert "cuda >= 12" in reasons[0].text


@pytest.mark.parametrize(
    ("route", "expected"),
    [
        (Route("first"), {"a": 9}),
        (Route("last"), {"c": 9}),
        (Failover("x", "b", "a"), {"b": 9}),
        (Route("least_used"), {"a": 3, "b": 3, "c": 3}),
        (Route("least_recent"), {"a": 3, "b": 3, "c": 3}),
    ],
)
def test_strategies_choose_by_name_and_by_use(route: Route, expected: dict[str, int]) -> None:
    state = RouteState(lambda: 0.0)

    assert Counter(state.choose(route, NAMES, "") for _ in range(9)) == expected


def test_an_executor_that_goes_moves_only_its_own_keys() -> None:
    state = RouteState(lambda: 0.0)
    keys = [str(number) for number in range(200)]
    before = {key: state.choose(Hash("customer"), NAMES, key) for key in keys}
    after = {key: state.choose(Hash("customer"), ["a", "c"], key) for key in keys}

    assert set(before.values()) == set(NAMES)
    assert {key for key in keys if before[key] != after[key]} == {key for key in keys if before[key] == "b"}


def test_random_draws_from_all() -> None:
    draws = iter([0.0, 0.5, 0.99])
    state = RouteState(lambda: next(draws))

    assert [state.choose(Route("random"), NAMES, "") for _ in range(3)] == NAMES


async def say_load(scene: Scene, executor: ScriptedExecutor, *, cpu: float = 0.0) -> None:
    """Have an executor report how busy it is, as with a beat."""
    attached = scene.scheduler.gateway.attached[executor.session]
    attached.hear_beat(Beat(1, Load(0, 0, cpu, 0)))
    scene.scheduler.sessions.renewing.add(attached)
    await scene.scheduler.sessions.renewing.tick()


async def test_runs_of_an_executor_that_stays_full_go_to_one_with_room(scene: Scene) -> None:
    executors = await fleet(scene, Policy(route=Route("first")), "a", "b", room=2)
    runs = await enqueue(scene, 4)
    await turn(scene)
    for executor in executors.values():
        await say_load(scene, executor)
    assert [len(started(one)) for one in executors.values()] == [2, 0]
    for _ in range(3):
        await turn(scene)
        scene.clock.advance(3)

    assert set(started(executors["b"])) == set(runs[2:])


async def test_runs_that_wait_for_their_executor_stay_with_it_when_it_is_full(scene: Scene) -> None:
    executors = await fleet(scene, Policy(route=Route("first", on_absent="wait")), "a", "b", room=2)
    await enqueue(scene, 4)
    await turn(scene)
    await say_load(scene, executors["a"])
    for _ in range(3):
        await turn(scene)
        scene.clock.advance(3)

    assert started(executors["b"]) == []


async def test_runs_of_a_full_executor_fail_if_their_policy_says_so(scene: Scene) -> None:
    executors = await fleet(scene, Policy(route=Route("first", on_absent="fail", patience=1)), "a", "b", room=1)
    [_, second] = await enqueue(scene, 2)
    await turn(scene)
    await say_load(scene, executors["a"])
    for _ in range(3):
        await turn(scene)
        scene.clock.advance(1)

    assert (await scene.run(second)).state is RunState.FAILED


async def test_the_least_loaded_executor_is_filled_first(scene: Scene) -> None:
    executors = await fleet(scene, Policy(route=Route("least_loaded")), "a", "b", "c", room=10)
    await say_load(scene, executors["a"], cpu=0.95)
    await say_load(scene, executors["b"], cpu=0.5)
    await enqueue(scene, 4)
    await turn(scene)

    assert [len(started(one)) for one in executors.values()] == [0, 0, 4]


async def test_a_preferred_executor_is_filled_first_and_by_weight(scene: Scene) -> None:
    labels = {"a": {"ssd": "true"}, "b": {"zone": "eu"}, "c": {}}
    executors = await fleet(scene, Policy(prefers=("ssd", "zone = eu * 3")), *NAMES, room=3, labels=labels)
    await enqueue(scene, 5)
    await turn(scene)

    assert [len(started(one)) for one in executors.values()] == [2, 3, 0]


def test_shares_in_turn_and_by_chance_follow_weights() -> None:
    draws = iter([n / 40 for n in range(40)])
    weights = {"a": 2.0, "c": 0.5}
    state = RouteState(lambda: next(draws))
    turns = [state.choose(Route("round_robin"), NAMES, "", weights) for _ in range(35)]
    chances = Counter(state.choose(Route("random"), NAMES, "", weights) for _ in range(35))

    assert Counter(turns) == {"a": 20, "b": 10, "c": 5}
    assert chances["a"] > chances["b"] > chances["c"]


def test_an_executor_that_warms_up_has_a_growing_weight() -> None:
    labels = {"weight": "4", "warm_up": "1m"}
    began = datetime(2030, 1, 1, tzinfo=UTC)
    found = msgspec.structs.replace(session(), abilities=msgspec.structs.replace(abilities(), labels=labels))
    weights = [weight_of(found, began, began + timedelta(seconds=seconds)) for seconds in (0, 15, 60, 600)]

    assert weights == [WEIGHT_MIN, 1.0, 4.0, 4.0]
