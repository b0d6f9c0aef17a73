"""The settlement of an attempt from a lane starts the lane's next run in the same commit; no lane has more than its limit."""

import pytest

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.limits.lanes import LaneRule, lane_of
from mainspring.domain.runs.attempt import Decision, Ended, HandedOver, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.postgres.hot.bundles import LIFE
from mainspring.store.postgres.hot.runs import MANY
from mainspring.testing.clock import START
from tests.factories import session, successes, token
from tests.store.scene import Scene, pairs
from tests.store.test_lanes import ENTRY, add, claim, enter, rule, taken
from tests.words import SECOND

Pair = tuple[RunId, Token]


@pytest.fixture(params=[False, True], ids=["rows", "bundles"])
def bundled(request: pytest.FixtureRequest) -> bool:
    """On SQLite, which has no bundles, both are the same."""
    return bool(request.param)


async def first_claim(scene: Scene, one: LaneRule, slots: list[SessionId], *, bundled: bool) -> list[Pair]:
    found = await scene.store.runs.claim_lanes([], one, [scene.line], slots, token=token(), now=START, bundled=bundled)
    return pairs(found.claims)


async def hand_over(scene: Scene, one: LaneRule, done: list[Pair], slots: list[SessionId] | None = None) -> HandedOver:
    return await scene.store.runs.hand_over(
        successes(done), [], one, [scene.line], slots or [scene.session.id] * len(done), token=token(), now=START
    )


async def test_the_next_run_of_each_key_starts_with_the_end_of_the_one_before(scene: Scene, *, bundled: bool) -> None:
    one = rule()
    a1, a2, b1, b2, a3 = await add(scene, 1, 1, 2, 2, 1)
    await enter(scene, one)
    first = await first_claim(scene, one, [scene.session.id] * 10, bundled=bundled)
    second = await hand_over(scene, one, first)
    third = await hand_over(scene, one, pairs(second.claims))

    assert {run for run, _ in first} == {a1, b1}
    assert (second.moved, {run for run, _ in pairs(second.claims)}) == (2, {a2, b2})
    assert (third.moved, [run for run, _ in pairs(third.claims)]) == (2, [a3])
    assert (await scene.get(a1)).state is RunState.SUCCEEDED
    found = await scene.get(a3)
    assert (found.state, found.reason, found.attempt) == (RunState.RUNNING, None, 1)


async def test_a_full_lane_stays_full_for_other_claims(scene: Scene, *, bundled: bool) -> None:
    one = rule(2)
    await add(scene, *[1] * 6)
    await enter(scene, one)
    first = await first_claim(scene, one, [scene.session.id] * 2, bundled=bundled)
    second = await hand_over(scene, one, first)

    assert len(pairs(second.claims)) == 2
    assert await taken(scene, one) == []


async def test_of_attempts_that_end_one_by_one_each_makes_room_for_one(scene: Scene, *, bundled: bool) -> None:
    one = rule(2)
    runs = await add(scene, *[1] * 6)
    await enter(scene, one)
    [ended, _] = await first_claim(scene, one, [scene.session.id] * 2, bundled=bundled)
    handed = await hand_over(scene, one, [ended])
    started = [*pairs(handed.claims), *await taken(scene, one)]

    assert (handed.moved, [run for run, _ in started]) == (1, runs[2:3])
    assert await taken(scene, one) == []


async def test_a_lane_without_a_next_run_is_open_for_one_that_comes(scene: Scene, *, bundled: bool) -> None:
    one = rule()
    await add(scene, 1)
    await enter(scene, one)
    first = await first_claim(scene, one, [scene.session.id] * 2, bundled=bundled)
    # It enters while the lane is full, and a claim that finds it full takes its turn away.
    (late,) = await add(scene, 1)
    await enter(scene, one)
    assert await taken(scene, one) == []
    handed = await hand_over(scene, one, first)

    assert [run for run, _ in pairs(handed.claims)] == [late]
    assert pairs((await hand_over(scene, one, pairs(handed.claims))).claims) == []
    (later,) = await add(scene, 1)
    await enter(scene, one)
    assert [run for run, _ in await taken(scene, one)] == [later]


async def test_places_go_to_the_sessions_that_had_them(scene: Scene, *, bundled: bool) -> None:
    one, other = rule(), session("executor-2")
    await scene.store.cluster.open_session(other, now=START)
    await add(scene, 1, 1, 2, 2, 3, 3, 4, 4)
    await enter(scene, one)
    slots = [scene.session.id, other.id] * 2
    first = await scene.store.runs.claim_lanes([], one, [scene.line], slots, token=token(), now=START, bundled=bundled)
    by_run = {run: claim.session for claim in first.claims for run in claim.runs}
    done = pairs(first.claims)
    handed = await hand_over(scene, one, done, [by_run[run] for run, _ in done])

    assert sorted((claim.session, len(claim)) for claim in handed.claims) == sorted([(slots[0], 2), (slots[1], 2)])


async def test_a_session_that_is_not_live_is_handed_nothing(scene: Scene, *, bundled: bool) -> None:
    one = rule()
    await add(scene, 1, 1)
    await enter(scene, one)
    first = await first_claim(scene, one, [scene.session.id], bundled=bundled)
    late = scene.session.lease_until + LIFE
    await scene.store.cluster.expire(before=late, now=late)
    handed = await hand_over(scene, one, first)

    assert (handed.moved, handed.claims) == (1, [])


async def test_a_late_outcome_is_handed_nothing_twice(scene: Scene, *, bundled: bool) -> None:
    one = rule()
    await add(scene, 1, 1, 1)
    await enter(scene, one)
    first = await first_claim(scene, one, [scene.session.id], bundled=bundled)
    second = await hand_over(scene, one, first)
    again = await hand_over(scene, one, first)

    assert (second.moved, len(pairs(second.claims))) == (1, 1)
    assert (again.moved, again.claims) == (0, [])
    assert await taken(scene, one) == []


async def test_an_outcome_that_is_told_twice_frees_one_slot(scene: Scene) -> None:
    one = rule()
    await add(scene, 1, 2, 3)
    await enter(scene, one)
    first = await first_claim(scene, one, [scene.session.id], bundled=False)
    await scene.succeed(first)

    assert await hand_over(scene, one, first) == HandedOver(0, [])


async def test_a_bundle_from_a_lane_that_lasts_is_undone_and_counts_as_before(scene: Scene, *, bundled: bool) -> None:
    one = rule()
    _, second = await add(scene, 1, 1)
    await enter(scene, one)
    [(run, held)] = await first_claim(scene, one, [scene.session.id], bundled=bundled)
    await scene.store.runs.unbundle(now=START + 2 * LIFE)

    assert (await scene.get(run)).reason is None
    assert await taken(scene, one) == []
    await scene.settle([Ended(run=run, token=held, outcome=Outcome.FAILED)], Decision(RunState.FAILED, reason="error"))
    assert [each for each, _ in await taken(scene, one)] == [second]


async def test_a_key_s_own_number_counts_attempts_in_bundles(scene: Scene, *, bundled: bool) -> None:
    one = rule(None, fair=True)
    await add(scene, *[1] * 5)
    await enter(scene, one)
    await scene.store.lanes.set_key(one, lane_of(one, b'{"customer":1}'), at_once=2, weight=1, entry=ENTRY)

    assert len(await first_claim(scene, one, [scene.session.id] * 5, bundled=bundled)) == 2
    assert await taken(scene, one) == []


async def test_the_turn_of_a_lane_that_is_gone_calls_for_no_other_look(scene: Scene, *, bundled: bool) -> None:
    one = rule()
    await add(scene, 1)
    await enter(scene, one)
    held = await first_claim(scene, one, [scene.session.id], bundled=bundled)
    await scene.store.lanes.prune(before=START + 3600 * SECOND)
    await scene.succeed(held)
    await claim(scene, one)

    assert not (await claim(scene, one)).again


async def test_many_attempts_that_end_one_by_one_are_followed_by_as_many(scene: Scene) -> None:
    one, keys = rule(), range(MANY)
    await add(scene, *keys, *keys, *keys)
    await enter(scene, one)
    first = await first_claim(scene, one, [scene.session.id] * MANY, bundled=False)
    second = await hand_over(scene, one, first)
    third = await hand_over(scene, one, pairs(second.claims))

    assert (second.moved, len(pairs(second.claims))) == (MANY, MANY)
    assert (third.moved, len(pairs(third.claims))) == (MANY, MANY)
    assert await taken(scene, one) == []


async def test_lanes_with_few_runs_behind_them_fill_a_claim(scene: Scene) -> None:
    one = rule(5)
    runs = await add(scene, *range(20))
    await enter(scene, one)

    assert sorted(run for run, _ in await taken(scene, one, slots=20)) == sorted(runs)


async def test_looks_in_vain_are_told_so_that_more_follow(scene: Scene, *, bundled: bool) -> None:
    """Turns of lanes that are full stand in front of one that is not."""
    one = rule()
    await add(scene, *range(10), *range(10))
    await enter(scene, one)
    await first_claim(scene, one, [scene.session.id] * 10, bundled=bundled)
    await scene.store.lanes.set_key(one, lane_of(one, b'{"customer":3}'), at_once=2, weight=1, entry=ENTRY)
    found: list[RunId] = []
    for _ in range(5):
        looked = await scene.store.runs.claim_lanes(
            [], one, [scene.line], [scene.session.id] * 2, token=token(), now=START, bundled=bundled
        )
        found += [run for run, _ in pairs(looked.claims)]
        if not looked.again:
            break

    assert len(found) == 1


async def test_of_a_bundle_that_ends_in_pieces_each_makes_room_for_one(scene: Scene, *, bundled: bool) -> None:
    one = rule(1)
    runs = await add(scene, 1, 2, 3, 1, 2, 3)
    following = dict(zip(runs[:3], runs[3:], strict=True))
    await enter(scene, one)
    first, second, third = await first_claim(scene, one, [scene.session.id] * 3, bundled=bundled)
    handed = await hand_over(scene, one, [first])
    assert [run for run, _ in [*pairs(handed.claims), *await taken(scene, one)]] == [following[first[0]]]

    ended = [Ended(run=second[0], token=second[1], outcome=Outcome.FAILED)]
    await scene.settle(ended, Decision(RunState.FAILED, failures=1))
    assert [run for run, _ in await taken(scene, one)] == [following[second[0]]]
    handed = await hand_over(scene, one, [third])
    assert [run for run, _ in [*pairs(handed.claims), *await taken(scene, one)]] == [following[third[0]]]
