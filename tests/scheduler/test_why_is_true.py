"""What `why` names is what keeps a run from starting: once the one obstacle that it names is gone, the run starts (S47)."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.gates import LimitRule, Scope
from mainspring.domain.limits.policy import Limit, Policy, Rate
from mainspring.domain.routing.route import Route, Strategy
from mainspring.scheduler.operations.jobs import ANY, Words
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA

Act = Callable[[Scene], Awaitable[object]]


class Lever(msgspec.Struct, frozen=True):
    """Something that keeps a run back, what `why` calls it, and what takes it away."""

    code: str
    put_up: Act | None
    take_away: Act
    policy: Policy = Policy()
    busy: bool = False
    """Whether another run of the job is under way."""


async def change(scene: Scene, policy: Policy) -> None:
    def edit(spec: JobSpec) -> JobSpec:
        return msgspec.structs.replace(spec, policy=policy)

    await scene.scheduler.jobs.change(NAMESPACE, "report", edit, ANY, Words(actor=ANNA))


def to(policy: Policy) -> Act:
    return lambda scene: change(scene, policy)


def limit(scope: Scope, name: str, at_once: int | None, rate: str | None = None) -> Act:
    said = None if rate is None else Rate(rate, burst=100)
    rule = LimitRule(namespace=NAMESPACE, scope=scope, name=name, at_once=at_once, rate=said)
    return lambda scene: scene.scheduler.limits.rules.set(rule, actor=ANNA)


async def join_with_gpu(scene: Scene) -> None:
    other = scene.executor("e2")
    other.labels, other.resources, other.code_version = {"gpu": "yes"}, {"gpu": 2.0}, "2.4"
    other.jobs = []
    await other.connect()


async def end_pass(scene: Scene) -> None:
    scene.clock.advance(61)


PAUSES = "queue_paused job_paused namespace_paused maintenance"
LEVERS = {
    "queue paused": Lever(
        "queue_paused",
        lambda scene: scene.scheduler.queues.pause(NAMESPACE, "default", reason="", actor=ANNA),
        lambda scene: scene.scheduler.queues.resume(NAMESPACE, "default", actor=ANNA),
    ),
    "job paused": Lever(
        "job_paused",
        lambda scene: scene.scheduler.limits.pauses.pause_job(NAMESPACE, "report", reason="", actor=ANNA),
        lambda scene: scene.scheduler.limits.pauses.resume_job(NAMESPACE, "report", actor=ANNA),
    ),
    "namespace paused": Lever(
        "namespace_paused",
        lambda scene: scene.scheduler.limits.pauses.pause_namespace(NAMESPACE, reason="", actor=ANNA),
        lambda scene: scene.scheduler.limits.pauses.resume_namespace(NAMESPACE, actor=ANNA),
    ),
    "maintenance": Lever(
        "maintenance",
        lambda scene: scene.scheduler.limits.pauses.begin_maintenance(reason="", actor=ANNA),
        lambda scene: scene.scheduler.limits.pauses.end_maintenance(actor=ANNA),
    ),
    "cordoned": Lever(
        "cordoned",
        lambda scene: scene.scheduler.executors.cordon(NAMESPACE, "e1", actor=ANNA, reason=""),
        lambda scene: scene.scheduler.executors.uncordon(NAMESPACE, "e1", actor=ANNA, reason=""),
    ),
    "requirement": Lever("requirement", None, join_with_gpu, Policy(requires=("gpu",))),
    "version": Lever("version", None, join_with_gpu, Policy(runs_on=">=2.4")),
    "resources": Lever("resources", None, join_with_gpu, Policy(uses={"gpu": 1})),
    "address": Lever("address", None, join_with_gpu, Policy(route=Route(Strategy.FIXED, executors=("e2",)))),
    "job limit": Lever("job_limit", None, to(Policy(at_once=2)), Policy(at_once=1), busy=True),
    "key limit": Lever(
        "key_limit", None, to(Policy(at_once=2, limit_key=("n",))), Policy(at_once=1, limit_key=("n",)), busy=True
    ),
    "named limit": Lever(
        "named_limit",
        limit(Scope.NAMED, "erp", 1),
        limit(Scope.NAMED, "erp", 2),
        Policy(limits=(Limit(name="erp"),)),
        busy=True,
    ),
    "queue limit": Lever("queue_limit", limit(Scope.QUEUE, "default", 1), limit(Scope.QUEUE, "default", 2), busy=True),
    "namespace limit": Lever(
        "namespace_limit", limit(Scope.NAMESPACE, NAMESPACE, 1), limit(Scope.NAMESPACE, NAMESPACE, 2), busy=True
    ),
    "rate": Lever("rate", None, end_pass, Policy(rate=Rate("1/m")), busy=True),
    "executor limit": Lever("executor_limit", None, to(Policy()), Policy(executor_limit=1), busy=True),
    "breaker": Lever(
        "breaker_forced_open",
        lambda scene: scene.scheduler.limits.breakers.force_open(NAMESPACE, "gateway", reason="", actor=ANNA),
        lambda scene: scene.scheduler.limits.breakers.resume(NAMESPACE, "gateway", reason="", actor=ANNA),
        Policy(breaker="gateway"),
    ),
}


async def turn(scene: Scene) -> None:
    """What duties do when they are woken."""
    limits = scene.scheduler.limits
    await scene.scheduler.catalog.tick()
    for duty in (limits.turning, limits.own_lines, limits.gates, limits.routing):
        await duty.tick()
    while await limits.sorting.tick():
        pass
    await scene.dispatch()


def started(*executors: ScriptedExecutor) -> list[RunId]:
    return [run for one in executors for said in one.link.heard if isinstance(said, Start) for run in said.runs]


@pytest.mark.parametrize("name", LEVERS)
async def test_the_only_obstacle_once_removed_lets_the_run_start(scene: Scene, name: str) -> None:
    lever = LEVERS[name]
    executor = scene.executor()
    executor.jobs = [JobSpec(name="report", handler="report", policy=lever.policy, input=b'{"n":1}')]
    await executor.connect()
    await turn(scene)
    if lever.put_up is not None:
        await lever.put_up(scene)
    await turn(scene)
    if lever.busy:
        [first] = await scene.enqueue()
        await turn(scene)
        assert started(executor) == [first]
    [run] = await scene.enqueue()
    await turn(scene)
    assert run not in started(executor)

    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)
    assert reasons[0].code == lever.code, reasons
    assert [one.code for one in reasons[1:]] in ([], ["turn"])
    assert reasons[0].remedy or reasons[0].until is not None

    await lever.take_away(scene)
    await turn(scene)
    assert run in started(*scene._executors)
