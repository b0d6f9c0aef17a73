"""Servers name each other, share executors, and are drained by operators."""

import pytest

from mainspring.domain.cluster.server import Place, ServerState
from mainspring.domain.runs.birth import RunRequest
from mainspring.errors import ConflictError, DrainingError, NotFoundError
from mainspring.scheduler.engine import Scheduler
from mainspring.settings import SchedulerSettings
from mainspring.wire.messages import Beat, Leased, Leave, Load, Refused
from tests.scheduler.scene import NAMESPACE, MemoryLink, Scene, until_idle
from tests.words import ANNA


def neighbour(scene: Scene, name: str = "other") -> Scheduler:
    """Another server on the same store."""
    place = Place(url=f"https://{name}:1", version="9.9")
    return Scheduler(scene.store, SchedulerSettings(name=name), scene.clock, scene.ids, place=place)


async def test_a_server_that_joins_later_is_named_with_the_next_renewal(scene: Scene) -> None:
    await scene.scheduler.joining.tick()
    executor = scene.executor()
    assert (await executor.connect()).servers == []

    await neighbour(scene).joining.tick()
    await scene.scheduler.joining.tick()
    executor.link.say(Beat(1, Load(0, 0, 0.0, 0)))
    await until_idle()
    await scene.scheduler.sessions.renewing.tick()

    assert [one.url for one in (await executor.link.expect(Leased)).servers] == ["https://other:1"]
    assert [one.url for one in (await scene.executor("e2").connect()).servers] == ["https://other:1"]


async def test_a_drained_server_sends_executors_and_callers_elsewhere_until_it_is_resumed(scene: Scene) -> None:
    mine, other = scene.scheduler, neighbour(scene)
    await mine.joining.tick()
    await other.joining.tick()
    executor, late = await scene.attach(), MemoryLink()

    drained = await other.servers.drain("s1", actor=ANNA, reason="new kernel")
    await mine.joining.tick()
    await mine.attach(late)

    assert drained.state is ServerState.DRAINING
    assert [one.url for one in (await executor.link.expect(Leave)).servers] == ["https://other:1"]
    assert [one.url for one in (await late.expect(Refused)).servers] == ["https://other:1"]
    assert not mine.readiness().ready
    with pytest.raises(DrainingError):
        await mine.accept(NAMESPACE, [RunRequest(job="report")])

    await other.servers.resume("s1", actor=ANNA, reason="")
    await mine.joining.tick()
    assert mine.readiness().ready


async def test_the_last_server_that_takes_work_is_not_drained(scene: Scene) -> None:
    servers = scene.scheduler.servers
    await scene.scheduler.joining.tick()

    with pytest.raises(ConflictError, match="last one"):
        await servers.drain("s1", actor=ANNA, reason="")
    with pytest.raises(NotFoundError):
        await servers.resume("nobody", actor=ANNA, reason="")


async def test_a_server_with_too_many_executors_hands_idle_ones_over(scene: Scene) -> None:
    await neighbour(scene).joining.tick()
    sharing = Scheduler(
        scene.store, SchedulerSettings(name="s2"), scene.clock, scene.ids, place=Place(url="https://s2:1")
    )
    sharing.begin()
    scene.scheduler = sharing
    await scene.start()
    executors = [await scene.attach(f"e{at}") for at in range(6)]
    await sharing.joining.tick()

    await sharing.membership.sharing.tick()
    await sharing.membership.sharing.tick()
    await until_idle()

    left = [executor for executor in executors if executor.link.count(Leave)]
    assert len(left) == 2


async def test_a_server_whose_database_is_too_weak_is_not_ready_and_still_takes_runs(scene: Scene) -> None:
    strict = SchedulerSettings(name="s3", require_durability="sync")
    scene.scheduler = Scheduler(scene.store, strict, scene.clock, scene.ids)
    await scene.start()
    await scene.scheduler.observation.watching.tick()

    assert "below sync" in scene.scheduler.readiness().reason
    await scene.attach()
    assert len(await scene.enqueue()) == 1
