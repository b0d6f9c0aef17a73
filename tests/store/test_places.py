"""Where a run stands in its line or lane: as many are before it as claims take before it, counted up to a bound."""

from datetime import datetime, timedelta

import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.limits.explain import LinePlace
from mainspring.testing.clock import START
from tests.store.scene import Scene
from tests.store.test_lanes import add, enter, rule
from tests.words import HOUR, SECOND

KINDS = [(priority, START - late) for priority in (0, 5, 9) for late in (HOUR, SECOND, timedelta())]
ENOUGH = 100


async def ahead(scene: Scene, run: RunId, *, now: datetime = START, limit: int = ENOUGH) -> int:
    place = await scene.store.limits.place(run, now=now, limit=limit)
    assert place is not None
    return place.ahead


async def test_the_place_of_each_run_is_its_turn_in_the_order_of_claims(scene: Scene) -> None:
    other = await scene.add_line("other")
    mine = []
    for priority, due_at in KINDS:
        mine += await scene.add(2, priority=priority, due_at=due_at)
        await scene.add(1, priority=priority, due_at=due_at, line=other)
        await scene.add(1, priority=priority, due_at=START + HOUR)
    places = {run: await ahead(scene, run) for run in mine}
    claimed = [run for run, _ in await scene.claimed(2 * len(KINDS))]

    assert [places[run] for run in claimed] == list(range(2 * len(KINDS)))


async def test_a_run_that_is_not_due_has_the_due_ones_before_it(scene: Scene) -> None:
    await scene.add(2)
    await scene.add(3, due_at=START + SECOND)
    [late] = await scene.add(1, due_at=START + HOUR)

    assert await ahead(scene, late) == 2
    assert await ahead(scene, late, now=START + SECOND) == 5


@pytest.mark.parametrize("above", [5, 9])
async def test_the_count_ends_at_its_bound(scene: Scene, above: int) -> None:
    await scene.add(5, priority=above)
    [last] = await scene.add(1)

    assert [await ahead(scene, last, limit=limit) for limit in (4, 5, 6)] == [4, 5, 5]


async def test_a_run_that_is_not_queued_has_no_place(scene: Scene) -> None:
    [(run, _)] = await scene.started()
    [waiting] = await scene.add(1)

    assert await scene.store.limits.place(run, now=START, limit=ENOUGH) is None
    assert await scene.store.limits.place(waiting, now=START, limit=ENOUGH) == LinePlace(line=scene.line)


async def test_the_place_in_a_lane_follows_priority_and_due_time_within_the_key(scene: Scene) -> None:
    kinds = [(9, START - SECOND), (9, START), (5, START - HOUR), (5, START), (0, START - HOUR)]
    runs = []
    for priority, due_at in kinds:
        mine, twin, _ = await add(scene, 1, 1, 2, priority=priority, due_at=due_at)
        runs += [mine, twin]
    await enter(scene, rule())
    found = [await scene.store.lanes.place(run, limit=ENOUGH) for run in runs]
    bounded = await scene.store.lanes.place(runs[-1], limit=3)

    assert [place and place.ahead for place in found] == list(range(len(runs)))
    assert bounded is not None
    assert bounded.ahead == 3
