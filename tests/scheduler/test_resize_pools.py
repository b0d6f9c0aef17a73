"""Sizes of pools that operators want: kept by name, told to executors wherever they are, shown beside the sizes in force."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.operations.executors import ExecutorDetail
from mainspring.store.interface import AuditFilter, Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import (
    Beat,
    Goodbye,
    Load,
    Refused,
    Room,
    Start,
)
from mainspring.wire.pools import Resize, Resized
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle
from tests.words import ANNA

OWN = PoolSize(Pool.LOOP, 0, 100, 0)
WISH = PoolSize(Pool.LOOP, 1, 3, 4)


@pytest.fixture
async def other(store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    """A second server on the same store."""
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()


async def resize(scene: Scene, size: PoolSize | None = WISH, executor: str = "e1") -> ExecutorDetail:
    sizes = {Pool.LOOP if size is None else size.pool: size}
    return await scene.scheduler.executors.resize(NAMESPACE, executor, sizes, actor=ANNA, reason="rush hour")


async def follow(executor: ScriptedExecutor, wish: PoolSize | None = WISH) -> None:
    """Say what an executor that follows a wish says."""
    size = wish or OWN
    executor.link.say(Resized([size], [] if wish is None else [wish]), Room({"loop": size.room}))
    await executor.answer_welcome()


async def leave(executor: ScriptedExecutor) -> None:
    executor.link.say(Goodbye())
    assert executor.serving is not None
    await executor.serving


async def test_a_wish_is_told_at_once_and_shown_beside_the_size_in_force_until_the_executor_follows(
    scene: Scene,
) -> None:
    executor = await scene.attach()
    shown = await resize(scene)
    assert (await executor.link.expect(Resize)).pools == [WISH]
    assert [wish.size for wish in shown.wanted] == [WISH]
    assert shown.sessions[0].session.abilities.pools == [OWN]

    await follow(executor)
    found = await scene.scheduler.executors.get(NAMESPACE, "e1")
    assert found.sessions[0].session.abilities.pools == [WISH]
    assert executor.link.count(Resize) == 0


async def test_dispatch_gives_a_resized_pool_no_more_than_its_new_room(scene: Scene) -> None:
    executor = await scene.attach()
    await resize(scene)
    await executor.link.expect(Resize)
    await follow(executor)
    await scene.enqueue(count=20)
    await scene.dispatch()

    assert sum(len(one.runs) for one in executor.link.heard if isinstance(one, Start)) == WISH.room


async def test_a_wish_outlives_reconnects_and_restarts_and_is_told_by_whichever_server_has_the_executor(
    scene: Scene, other: Scene
) -> None:
    executor = await scene.attach()
    await resize(scene)
    await executor.link.expect(Resize)
    await follow(executor)
    await leave(executor)

    again = await other.attach()
    await other.scheduler.membership.resizing.tick()
    assert (await again.link.expect(Resize)).pools == [WISH]


async def test_a_wish_set_on_another_server_is_found_by_the_poll(scene: Scene, other: Scene) -> None:
    executor = await other.attach()
    await resize(scene)
    await other.scheduler.membership.resizing.tick()
    assert (await executor.link.expect(Resize)).pools == [WISH]


async def test_an_executor_that_follows_a_wish_taken_back_while_it_was_away_is_told_so(scene: Scene) -> None:
    executor = await scene.attach()
    await resize(scene)
    await executor.link.expect(Resize)
    await follow(executor)
    await executor.disconnect()
    await resize(scene, None)
    await executor.connect()
    await follow(executor)
    assert (await executor.link.expect(Resize)).pools == []

    await follow(executor, None)
    found = await scene.scheduler.executors.get(NAMESPACE, "e1")
    assert (found.wanted, found.sessions[0].session.abilities.pools) == ([], [OWN])
    assert executor.link.count(Resize) == 0


async def test_an_executor_without_wishes_is_told_nothing(scene: Scene) -> None:
    executor = await scene.attach()
    await resize(scene, executor="e1")
    bystander = await scene.attach("e2")
    await scene.scheduler.membership.resizing.tick()

    assert executor.link.count(Resize) == 1
    assert bystander.link.count(Resize) == 0


async def test_a_change_is_in_the_audit_log_and_leaves_other_pools_alone(scene: Scene, store: Store) -> None:
    first = await scene.attach()
    await resize(scene)
    await leave(first)
    # While it is away any pool may be wished for: the next start may have it.
    await resize(scene, PoolSize(Pool.THREADS, 0, 1, 0))
    found = await resize(scene, None)

    assert [wish.size for wish in found.wanted] == [PoolSize(Pool.THREADS, 0, 1, 0)]
    entries = [one for _, one in await store.access.audit(AuditFilter(kind="executor", key="e1"))]
    assert [one.act for one in entries] == ["executor.resize"] * 3
    assert msgspec.json.decode(entries[-1].details) == {"reason": "rush hour", "pools": {"loop": [1, 3, 4]}}
    assert msgspec.json.decode(entries[0].details)["pools"] == {"loop": None}


async def test_an_executor_that_was_never_seen_cannot_be_resized(scene: Scene, store: Store) -> None:
    with pytest.raises(NotFoundError):
        await resize(scene, executor="nobody")
    assert await store.executors.pool_wishes() == []


async def test_a_pool_that_a_connected_executor_has_not_is_refused_with_those_that_it_has(scene: Scene) -> None:
    await scene.attach()
    with pytest.raises(InvalidInputError, match="it has loop") as refused:
        await resize(scene, PoolSize(Pool.PROCESSES, 0, 1, 0))
    assert (refused.value.code, refused.value.field) == ("no_pool", "pools.processes")


@pytest.mark.parametrize(
    ("size", "field"),
    [
        (PoolSize(Pool.LOOP, 4, 3, 0), "core"),
        (PoolSize(Pool.LOOP, -1, 3, 0), "core"),
        (PoolSize(Pool.LOOP, 0, 0, 0), "max"),
        (PoolSize(Pool.THREADS, 0, 10_001, 0), "max"),
        (PoolSize(Pool.PROCESSES, 0, 1_001, 0), "max"),
        (PoolSize(Pool.LOOP, 0, 1, -1), "queue"),
        (PoolSize(Pool.LOOP, 0, 1, 1_000_000), "queue"),
    ],
)
async def test_a_size_that_no_pool_can_have_is_refused(scene: Scene, size: PoolSize, field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        await resize(scene, size)
    assert (refused.value.code, refused.value.field) == ("bad_pools", f"pools.{size.pool}.{field}")


@pytest.mark.parametrize(
    "pools",
    [[], [PoolSize(Pool.LOOP, 0, 2**31, 0)], [WISH, WISH], [WISH, PoolSize(Pool.THREADS, 0, 1, 0)]],
    ids=["none", "too large", "twice", "another"],
)
async def test_an_executor_that_says_nonsense_of_its_pools_is_turned_out_and_its_sizes_stay(
    scene: Scene, pools: list[PoolSize]
) -> None:
    executor = await scene.attach()
    executor.link.say(Resized(pools, []))

    assert (await executor.link.expect(Refused)).code == "bad_frame"
    [shown] = (await scene.scheduler.executors.get(NAMESPACE, "e1")).sessions
    assert shown.session.abilities.pools == [OWN]


async def test_why_names_a_full_pool_and_the_command_that_changes_it(scene: Scene) -> None:
    executor = await scene.attach(room=2)
    await scene.enqueue(count=2)
    await scene.dispatch()
    [run] = await scene.enqueue()
    await scene.dispatch()
    executor.link.say(Beat(1, Load(2, 0, 0.0, 0)))
    await until_idle()
    await scene.scheduler.sessions.renewing.tick()

    _, found = await scene.scheduler.limits.why.run(NAMESPACE, run)
    full = next(one for one in found if one.code == "pool_full")
    assert full.text == "Pool loop of executor e1 is full: 2 of 2 attempts"
    assert full.remedy == "mainspring executors pools e1 loop=CORE:MAX:QUEUE"
    assert full.facts == {"pool": "loop", "executors": ["e1"], "taken": 2, "room": 2}
