"""A limit by key that is raised counts for lanes that were full."""

import msgspec

from mainspring.domain.limits.lanes import FIRST
from mainspring.testing.clock import START
from tests.store.scene import Scene
from tests.store.test_lanes import add, enter, rule, taken


async def test_a_full_lane_is_looked_at_again_once_its_limit_is_raised(scene: Scene) -> None:
    one, two = rule(1), rule(2)
    await add(scene, *[1, 1, 1], *[2, 2])
    await enter(scene, one)
    assert len(await taken(scene, one)) == 2
    assert await taken(scene, one) == []

    raised = msgspec.structs.replace(two, gate=msgspec.structs.replace(two.gate, revision=2))
    await scene.store.limits.set_gates([raised.gate], {})
    first = await scene.store.lanes.wake(raised, after=FIRST, now=START, limit=1)
    assert first is not None
    last = await scene.store.lanes.wake(raised, after=first, now=START, limit=1)
    assert last is not None
    assert await scene.store.lanes.wake(raised, after=last, now=START, limit=1) is None

    assert len(await taken(scene, raised)) == 2
    assert await taken(scene, raised) == []
