"""A policy that an older server in the fleet does not know is refused: that server would start runs past it."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.cluster.server import Place
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.gates import LimitRule, Scope
from mainspring.domain.limits.policy import Policy, Rate
from mainspring.domain.limits.releases import FIRST, is_older, release_of
from mainspring.errors import ConflictError
from mainspring.scheduler.engine import Scheduler
from mainspring.scheduler.operations.jobs import ANY, Words
from mainspring.settings import SchedulerSettings
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA

WORDS = Words(actor=Actor("anna"))
LIMITED = JobSpec(name="report", handler="report", policy=Policy(at_once=1))


async def join(scene: Scene, version: str) -> Scheduler:
    """Another server of that release on the same store, which this one has seen."""
    place = Place(url="https://old:1", version=version)
    other = Scheduler(scene.store, SchedulerSettings(name="old"), scene.clock, scene.ids, place=place)
    await other.joining.tick()
    await scene.scheduler.joining.tick()
    return other


async def limit_job(scene: Scene) -> object:
    edit: Callable[[JobSpec], JobSpec] = lambda spec: msgspec.structs.replace(spec, policy=Policy(at_once=2))  # noqa: E731
    return await scene.scheduler.jobs.change(NAMESPACE, "report", edit, ANY, WORDS)


async def describe_job(scene: Scene) -> object:
    edit: Callable[[JobSpec], JobSpec] = lambda spec: msgspec.structs.replace(spec, description="monthly")  # noqa: E731
    return await scene.scheduler.jobs.change(NAMESPACE, "report", edit, ANY, WORDS)


async def limit_by_name(scene: Scene) -> object:
    rule = LimitRule(namespace=NAMESPACE, scope=Scope.NAMED, name="erp", at_once=5)
    return await scene.scheduler.limits.rules.set(rule, actor=ANNA)


async def set_breaker(scene: Scene) -> object:
    return await scene.scheduler.limits.breakers.set(NAMESPACE, "gateway", BreakerSpec(), actor=ANNA)


async def age_queue(scene: Scene) -> object:
    return await scene.scheduler.queues.change(NAMESPACE, "default", {"ageing": 60.0}, actor=ANNA, new=True)


@pytest.mark.parametrize("act", [limit_job, limit_by_name, set_breaker, age_queue])
async def test_no_policy_is_saved_while_an_older_server_lives(
    scene: Scene, act: Callable[[Scene], Awaitable[object]]
) -> None:
    await scene.attach()
    old = await join(scene, "0.0.9")
    await describe_job(scene)
    with pytest.raises(ConflictError, match="upgrade it first") as refused:
        await act(scene)

    assert (refused.value.code, refused.value.key) == ("old_server", "old")
    await scene.store.cluster.leave(old.server)
    await scene.scheduler.joining.tick()
    await act(scene)


async def test_a_server_of_the_same_release_or_a_newer_one_is_no_reason(scene: Scene) -> None:
    await scene.attach()
    await join(scene, "1.0.0rc1")

    await limit_job(scene)


async def test_jobs_of_code_wait_until_the_older_server_is_gone(scene: Scene) -> None:
    old = await join(scene, "0.0.9")
    executor = scene.executor()
    executor.jobs = [LIMITED]
    await executor.connect()
    await scene.scheduler.sessions.following.tick()
    assert (NAMESPACE, "report") not in scene.scheduler.catalog.jobs

    await scene.store.cluster.leave(old.server)
    await scene.scheduler.joining.tick()
    await scene.scheduler.sessions.following.tick()

    assert scene.scheduler.catalog.jobs[NAMESPACE, "report"].spec.policy == LIMITED.policy


def test_only_what_a_policy_says_anew_is_asked_of_a_server() -> None:
    later = {"canary": "0.2.0", "rate": "0.10.0"}
    policy = Policy(at_once=1)

    assert release_of(Policy(), later=later) == ""
    assert release_of(policy, before=policy, later=later) == ""
    assert release_of(Policy(), before=policy, later=later) == ""
    assert release_of(policy, later=later) == FIRST
    assert release_of(Policy(at_once=1, rate=Rate("1/s")), later=later) == "0.10.0"
    assert is_older("0.2.1", "0.10.0")
    assert not is_older("", FIRST)
