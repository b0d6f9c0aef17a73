"""Input while a release rolls out: taken by the code that knows it, and refused, with the versions, if none does."""

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Limit, Policy
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.birth import RunRequest
from mainspring.errors import InvalidInputError
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.scheduler.test_routing import started, turn

NO_POLICY = Policy()


def schema(argument: str) -> bytes:
    properties = {argument: {"type": "string"}}
    return msgspec.json.encode(
        {"type": "object", "properties": properties, "required": [argument], "additionalProperties": False}
    )


async def connect(scene: Scene, version: str, argument: str, policy: Policy = NO_POLICY) -> ScriptedExecutor:
    executor = scene.executor(f"e-{argument}-{version}")
    executor.code_version = version
    executor.jobs = [JobSpec(name="report", handler="report", schema=schema(argument), policy=policy)]
    await executor.connect()
    await scene.scheduler.catalog.tick()
    return executor


async def enqueue(scene: Scene, **arguments: str) -> RunId:
    [accepted] = await scene.accept(RunRequest(job="report", input=msgspec.json.encode(arguments)))
    return accepted.id


@pytest.mark.parametrize("policy", [NO_POLICY, Policy(limits=(Limit(50),))], ids=["none", "limit"])
async def test_input_that_only_older_code_takes_goes_to_that_code(scene: Scene, policy: Policy) -> None:
    old, new = await connect(scene, "1", "mail", policy), await connect(scene, "2", "address", policy)
    of_old, of_new = await enqueue(scene, mail="a@b.c"), await enqueue(scene, address="a@b.c")
    await scene.scheduler.limits.gates.tick()
    await turn(scene)

    assert started(old)[:1] == [of_old]
    assert of_new in [*started(old), *started(new)]
    assert of_old not in started(new)


async def test_it_waits_for_that_code_and_for_no_other_once_it_is_gone(scene: Scene) -> None:
    old, new = await connect(scene, "1", "mail"), await connect(scene, "2", "address")
    run = await enqueue(scene, mail="a@b.c")
    await scene.store.cluster.close_session(old.session, now=scene.clock.now())
    await old.disconnect()
    for _ in range(4):
        await scene.scheduler.catalog.tick()
        await turn(scene)
        scene.clock.advance(3)
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert started(new) == []
    assert reasons[0].text == "It is for code version 1, of which there is none"


async def test_input_that_no_connected_version_takes_is_refused_with_the_versions(scene: Scene) -> None:
    await connect(scene, "1", "mail")
    await connect(scene, "2", "address")
    with pytest.raises(InvalidInputError) as refused:
        await enqueue(scene, phone="1")

    assert refused.value.code == "bad_arguments"
    assert "no connected version of the code takes it (1, 2)" in refused.value.reason


async def test_code_that_has_left_is_not_counted_on(scene: Scene) -> None:
    old = await connect(scene, "1", "mail")
    await connect(scene, "2", "address")
    await scene.store.cluster.close_session(old.session, now=scene.clock.now())
    await old.disconnect()
    await scene.scheduler.catalog.tick()
    with pytest.raises(InvalidInputError, match=r"takes it \(2\)"):
        await enqueue(scene, mail="a@b.c")


@pytest.mark.parametrize(
    "request_",
    [{"executor": "e-mail-1"}, {"route": Route("first")}],
    ids=["executor", "route"],
)
async def test_a_run_that_names_its_executor_goes_by_the_newest_definition(
    scene: Scene, request_: dict[str, object]
) -> None:
    await connect(scene, "1", "mail")
    await connect(scene, "2", "address")
    wanted = RunRequest(job="report", input=b'{"mail": "a@b.c"}', **request_)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError):
        await scene.accept(wanted)


async def test_executors_that_name_no_version_are_told_apart_by_nothing(scene: Scene) -> None:
    await connect(scene, "", "mail")
    await connect(scene, "", "address")
    with pytest.raises(InvalidInputError) as refused:
        await enqueue(scene, mail="a@b.c")

    assert "version" not in refused.value.reason
