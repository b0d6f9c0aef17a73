"""The order of a claim where a queue wants one of its own: old runs, urgent runs, then priority and due time."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from mainspring.domain.ids import RunId
from mainspring.domain.limits.gates import Scope, gate
from mainspring.domain.queues.policy import ClaimOrder
from mainspring.domain.runs.attempt import GatedClaims
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run, token
from tests.store.scene import Scene, pairs
from tests.words import HOUR, MINUTE, SECOND

OLD = START - 10 * MINUTE
ALL_URGENT = ClaimOrder(urgent_until=START + HOUR)


async def add(
    scene: Scene,
    *,
    priority: int = 5,
    due: datetime = START,
    deadline: timedelta | None = None,
    line: int | None = None,
) -> RunId:
    at = None if deadline is None else START + deadline
    place = scene.line if line is None else line
    run = replace(new_run(scene.job.id, place, priority=priority, due_at=due), deadline_at=at)
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    return run.id


async def claim(scene: Scene, order: ClaimOrder, *, slots: int = 10, lines: list[int] | None = None) -> GatedClaims:
    mine = [scene.session.id] * slots
    return await scene.store.runs.claim_gated([], lines or [scene.line], mine, order=order, token=token(), now=START)


async def taken(scene: Scene, order: ClaimOrder, *, slots: int = 10, lines: list[int] | None = None) -> list[RunId]:
    return [run for run, _ in pairs((await claim(scene, order, slots=slots, lines=lines)).claims)]


def aged(slots: int) -> ClaimOrder:
    return ClaimOrder(aged=slots, aged_until=START - 5 * MINUTE)


async def test_old_runs_get_their_slots_whatever_their_priority(scene: Scene) -> None:
    urgent = [await add(scene, priority=9) for _ in range(3)]
    older = await add(scene, priority=0, due=OLD - SECOND)
    old = await add(scene, priority=3, due=OLD)

    assert sorted(await taken(scene, aged(2), slots=3)) == sorted([older, old, urgent[0]])


async def test_the_oldest_goes_first_over_all_priorities_and_lines(scene: Scene) -> None:
    other = await scene.add_line("other")
    await add(scene, priority=9, due=OLD + SECOND)
    oldest = await add(scene, priority=0, due=OLD - SECOND, line=other)

    assert await taken(scene, aged(1), slots=1, lines=[scene.line, other]) == [oldest]


async def test_slots_that_no_old_run_wants_go_by_priority(scene: Scene) -> None:
    low, high = await add(scene, priority=1), await add(scene, priority=8)
    runs = await taken(scene, aged(2), slots=2)

    assert runs == [high, low]


async def test_a_run_is_taken_once_though_it_is_old_and_first_by_priority(scene: Scene) -> None:
    both = [await add(scene, priority=9, due=OLD), await add(scene, priority=9, due=OLD)]

    assert await taken(scene, aged(1), slots=10) == both
    assert await taken(scene, aged(1), slots=10) == []


async def test_the_earliest_deadline_goes_first_inside_a_priority(scene: Scene) -> None:
    calm = await add(scene, due=OLD)
    later = await add(scene, deadline=2 * MINUTE)
    sooner = await add(scene, deadline=MINUTE)
    above = await add(scene, priority=6)

    assert await taken(scene, ALL_URGENT) == [above, sooner, later, calm]


async def test_the_earliest_deadline_goes_first_over_all_lines(scene: Scene) -> None:
    other = await scene.add_line("other")
    later = await add(scene, deadline=2 * MINUTE)
    sooner = await add(scene, deadline=MINUTE, line=other)

    assert await taken(scene, ALL_URGENT, lines=[scene.line, other]) == [sooner, later]


async def test_a_deadline_that_is_far_changes_nothing(scene: Scene) -> None:
    first = await add(scene, due=OLD)
    far = await add(scene, deadline=30 * MINUTE)

    assert await taken(scene, ClaimOrder(urgent_until=START + MINUTE)) == [first, far]


async def test_a_run_past_its_deadline_or_not_due_is_never_taken(scene: Scene) -> None:
    await add(scene, due=OLD, deadline=-SECOND)
    await add(scene, due=START + SECOND, deadline=MINUTE)
    order = ClaimOrder(aged=5, aged_until=START, urgent_until=START + HOUR)

    assert await taken(scene, order) == []


async def test_the_order_holds_through_gates(scene: Scene) -> None:
    one = gate(NAMESPACE, Scope.NAMED, "erp", 2, None, 1)
    await scene.store.limits.set_gates([one], {scene.line: [one.id]})
    await add(scene, priority=9)
    old = await add(scene, priority=0, due=OLD)
    await add(scene, priority=9)
    slots = [scene.session.id] * 5
    found = await scene.store.runs.claim_gated([one.id], [scene.line], slots, order=aged(1), token=token(), now=START)

    assert (found.room, len(pairs(found.claims))) == (2, 2)
    assert old in [run for run, _ in pairs(found.claims)]
    [state] = await scene.store.limits.gate_states([one.id], now=START)
    assert state.held == 2


async def test_what_was_taken_in_order_is_settled_like_any_other(scene: Scene) -> None:
    await add(scene, due=OLD, priority=1)
    await add(scene)
    held = pairs((await claim(scene, aged(1))).claims)

    assert await scene.succeed(held) == 2


async def test_a_session_that_is_not_live_gets_nothing(scene: Scene) -> None:
    await add(scene, due=OLD)
    await scene.store.cluster.close_session(scene.session.id, now=START)

    assert (await claim(scene, aged(1), slots=1)).claims == []


@pytest.mark.parametrize("slots", [1, 4])
async def test_a_claim_without_old_or_urgent_runs_is_one_by_priority(scene: Scene, slots: int) -> None:
    runs = [await add(scene, priority=priority) for priority in (9, 7, 5, 3)]

    assert (
        await taken(scene, ClaimOrder(aged=slots, aged_until=OLD, urgent_until=START + MINUTE), slots=slots)
        == (runs[:slots])
    )
