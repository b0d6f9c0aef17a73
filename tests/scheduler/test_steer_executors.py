"""Steering executors: who takes nothing new, from when on, on whichever server; and what a drain brings about."""

from collections.abc import AsyncIterator

import pytest

from mainspring.domain.cluster.session import PoolUse
from mainspring.domain.jobs.job import Pool
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.operations.executors import HELD_MAX
from mainspring.store.interface import PresenceFilter, Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Beat, Drain, Goodbye, Leased, Load, Start
from tests.scheduler.scene import NAMESPACE, Scene, until_idle
from tests.words import ANNA

HERE = PresenceFilter(namespace=NAMESPACE)


@pytest.fixture
async def other(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    """A second server on the same store."""
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()


async def cordon(scene: Scene, executor: str = "e1") -> None:
    await scene.scheduler.executors.cordon(NAMESPACE, executor, actor=ANNA, reason="new disk")


async def uncordon(scene: Scene, executor: str = "e1") -> None:
    await scene.scheduler.executors.uncordon(NAMESPACE, executor, actor=ANNA, reason="")


async def drain(scene: Scene, executor: str = "e1", *, grace: float = 30.0) -> None:
    await scene.scheduler.executors.drain(NAMESPACE, executor, actor=ANNA, reason="", grace=grace)


async def test_a_cordoned_executor_is_given_nothing_by_claim_or_at_birth_and_others_are(scene: Scene) -> None:
    first = await scene.attach("e1")
    await scene.dispatch()
    await cordon(scene)
    second = await scene.attach("e2")
    await scene.dispatch()
    await scene.enqueue(count=5)
    await scene.dispatch()

    assert first.link.count(Start) == 0
    assert sum(len(one.runs) for one in second.link.heard if isinstance(one, Start)) == 5


async def test_a_run_that_only_cordoned_executors_could_take_says_so(scene: Scene, other: Scene) -> None:
    await scene.attach()
    await cordon(scene)
    [run] = await scene.enqueue()
    await scene.dispatch()
    await other.scheduler.catalog.tick()

    for server in (scene, other):
        found = await server.run(run)
        assert (found.state, found.reason) == (RunState.WAITING, "cordoned")
    await uncordon(scene)
    assert (await scene.run(run)).state is RunState.QUEUED


async def test_uncordoned_it_is_given_what_waits(scene: Scene) -> None:
    executor = await scene.attach()
    await cordon(scene)
    [run] = await scene.enqueue()
    await uncordon(scene)
    await scene.dispatch()

    assert (await executor.link.expect(Start)).runs == [run]


async def test_a_cordon_set_on_one_server_holds_on_the_other_before_that_has_heard_of_it(
    scene: Scene, other: Scene
) -> None:
    executor = await other.attach()
    await other.dispatch()
    await cordon(scene)
    [run] = await other.enqueue()
    await other.dispatch()

    assert executor.link.count(Start) == 0
    await uncordon(scene)
    await other.dispatch()
    assert (await executor.link.expect(Start)).runs == [run]


async def test_what_it_has_goes_on_and_is_settled(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await cordon(scene)
    executor.link.say(Beat(1, Load(1, 0, 0.0, 0)))
    await until_idle()
    await scene.scheduler.sessions.renewing.tick()
    assert (await executor.link.expect(Leased)).seq == 1

    await executor.settled(executor.report(start))
    assert (await scene.run(run)).state is RunState.SUCCEEDED


async def test_a_cordon_outlives_the_executor_s_restart(scene: Scene) -> None:
    first = await scene.attach()
    await cordon(scene)
    first.link.say(Goodbye())
    again = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()

    assert again.link.count(Start) == 0


async def test_a_server_that_missed_the_cordon_finds_it_when_the_executor_comes(scene: Scene, other: Scene) -> None:
    await scene.attach()
    await cordon(scene)
    other.scheduler.catalog.wake.clear()
    await other.attach()

    assert other.scheduler.catalog.wake.is_set()


async def test_a_drain_is_told_once_on_each_connection_by_whichever_server_has_it(scene: Scene, other: Scene) -> None:
    executor = await other.attach()
    await drain(scene, grace=12.5)
    for _ in range(3):
        await other.scheduler.catalog.tick()
    await until_idle()
    assert [one.grace for one in executor.link.heard if isinstance(one, Drain)] == [12.5]

    await executor.disconnect()
    await executor.connect()
    await until_idle()
    assert executor.link.count(Drain) == 1


async def test_a_second_drain_is_told_again_and_a_plain_cordon_tells_nothing(scene: Scene) -> None:
    executor = await scene.attach()
    await cordon(scene)
    await until_idle()
    assert executor.link.count(Drain) == 0

    await drain(scene)
    scene.clock.advance(1)
    await drain(scene)
    await cordon(scene)
    await until_idle()
    assert executor.link.count(Drain) == 2


async def test_what_a_drain_hands_back_goes_to_others(scene: Scene) -> None:
    executor = await scene.attach("e1")
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await drain(scene)
    other = await scene.attach("e2")
    await executor.settled(executor.report_failure(start, Outcome.RELEASED))
    await scene.dispatch()

    assert (await other.link.expect(Start)).runs == [run]
    assert (await scene.run(run)).failures == 0


async def test_how_busy_an_executor_is_can_be_asked_of_any_server(scene: Scene, other: Scene) -> None:
    executor = await scene.attach(room=10)
    await scene.enqueue(count=3)
    await scene.dispatch()
    await executor.link.expect(Start)
    await scene.scheduler.joining.tick()
    executor.link.say(Beat(1, Load(3, 0, 0.25, 5000)))
    await until_idle()
    await scene.scheduler.sessions.renewing.tick()

    [shown] = await other.scheduler.executors.list(HERE)
    assert shown.load is not None
    assert (shown.load.running, shown.load.cpu, shown.load.memory) == (3, 0.25, 5000)
    assert shown.load.pools == [PoolUse(Pool.LOOP, 10, 3)]
    assert (shown.server, shown.load.at) == ("s1", scene.clock.now())


async def test_what_an_executor_has_is_shown_up_to_a_bound(scene: Scene) -> None:
    executor = await scene.attach(room=HELD_MAX + 10)
    runs = await scene.enqueue(count=HELD_MAX + 1)
    await scene.dispatch()
    await executor.link.expect(Start)
    detail = await scene.scheduler.executors.get(NAMESPACE, "e1")

    assert len(detail.runs) == HELD_MAX
    assert detail.more
    assert {held.id for held in detail.runs} < set(runs)


async def test_an_executor_that_is_gone_is_found_by_its_cordon_alone(scene: Scene) -> None:
    executor = await scene.attach()
    await cordon(scene)
    executor.link.say(Goodbye())
    assert executor.serving is not None
    await executor.serving
    detail = await scene.scheduler.executors.get(NAMESPACE, "e1")
    assert (detail.sessions, detail.cordon is not None) == ([], True)

    ended = await scene.scheduler.executors.uncordon(NAMESPACE, "e1", actor=ANNA, reason="")
    assert (ended.sessions, ended.cordon) == ([], None)
    with pytest.raises(NotFoundError):
        await scene.scheduler.executors.get(NAMESPACE, "e1")


async def test_an_unknown_executor_can_be_neither_shown_nor_steered(scene: Scene) -> None:
    for act in (cordon, uncordon, drain):
        with pytest.raises(NotFoundError):
            await act(scene, "nobody")
    with pytest.raises(NotFoundError):
        await scene.scheduler.executors.get(NAMESPACE, "nobody")


@pytest.mark.parametrize(
    ("grace", "reason"), [(-1.0, ""), (1e9, ""), (float("nan"), ""), (1.0, "a\x00"), (1.0, "a" * 501)]
)
async def test_a_drain_with_a_bad_grace_or_reason_changes_nothing(scene: Scene, grace: float, reason: str) -> None:
    await scene.attach()
    with pytest.raises(InvalidInputError):
        await scene.scheduler.executors.drain(NAMESPACE, "e1", actor=ANNA, reason=reason, grace=grace)

    assert await scene.store.executors.cordons() == []
