"""Who gets which run, and in which order."""

from datetime import timedelta

from mainspring.domain.runs.run import RunState
from mainspring.testing.clock import START
from tests.factories import run_ids, session, token
from tests.store.scene import Scene, pairs
from tests.words import SECOND


async def test_a_claim_carries_all_that_an_executor_needs(scene: Scene) -> None:
    (run,) = await scene.add()
    mine = token()
    (claim,) = await scene.claim(token=mine)

    assert (claim.session, claim.token, claim.runs) == (scene.session.id, mine, [run])
    assert (claim.lines, claim.jobs, claim.attempts) == ([scene.line], [scene.job.id], [1])
    assert claim.inputs == [b'{"args":[]}']


async def test_a_claimed_run_is_running_with_its_executor_known(scene: Scene) -> None:
    await scene.add()
    ((run, _),) = await scene.claimed(now=START + SECOND)

    found = await scene.get(run)
    assert (found.state, found.attempt, found.executor) == (RunState.RUNNING, 1, "executor-1")


async def test_nothing_due_is_no_claim(scene: Scene) -> None:
    assert await scene.claim(5) == []
    assert await scene.store.runs.claim([], [scene.session.id], token=token(), now=START) == []
    assert await scene.store.runs.claim([scene.line], [], token=token(), now=START) == []


async def test_the_more_urgent_run_goes_first_whenever_it_came(scene: Scene) -> None:
    low = await scene.add(priority=0)
    middle = await scene.add(priority=5)
    high = await scene.add(priority=9)

    assert [run for run, _ in await scene.claimed(3)] == high + middle + low


async def test_within_a_priority_the_earlier_due_goes_first(scene: Scene) -> None:
    late = await scene.add(due_at=START - SECOND)
    early = await scene.add(due_at=START - 2 * SECOND)

    assert [run for run, _ in await scene.claimed(2)] == early + late


async def test_runs_due_together_go_in_the_order_of_acceptance(scene: Scene) -> None:
    runs = await scene.add(20)

    assert [run for run, _ in await scene.claimed(20)] == runs


async def test_a_look_may_begin_behind_what_is_known_to_be_gone(scene: Scene) -> None:
    other = await scene.add_line("other")
    passed = await scene.add(due_at=START - 2 * SECOND)
    seen = await scene.add(due_at=START - SECOND)
    elsewhere = await scene.add(line=other, due_at=START - 2 * SECOND)
    lines, since = [scene.line, other], {scene.line: START - SECOND}
    first = await scene.store.runs.claim(lines, [scene.session.id] * 3, token=token(), now=START, since=since)

    assert [run for run, _ in pairs(first)] == seen + elsewhere
    assert [run for run, _ in await scene.claimed(3, lines=lines)] == passed


async def test_a_claim_that_filled_every_slot_says_how_far_it_came(scene: Scene) -> None:
    await scene.add(priority=9)
    await scene.add(due_at=START - SECOND)
    await scene.add(2, due_at=START - 2 * SECOND)
    second = await scene.add_session()
    slots = [scene.session.id, second, second]
    claims = await scene.store.runs.claim([scene.line], slots, token=token(), now=START)
    [rest] = await scene.claim(5)

    assert {claim.session: claim.reached for claim in claims} == {scene.session.id: None, second: START - 2 * SECOND}
    assert (len(rest), rest.reached) == (1, None)


async def test_priority_counts_over_all_lines_before_any_lines_turn(scene: Scene) -> None:
    other = await scene.add_line("other")
    low = await scene.add(2, priority=4)
    high = await scene.add(2, priority=6, line=other)

    assert [run for run, _ in await scene.claimed(3, lines=[scene.line, other])] == high + low[:1]


async def test_within_a_priority_lines_take_turns_in_the_order_given(scene: Scene) -> None:
    other = await scene.add_line("other")
    first, second = await scene.add(), await scene.add(line=other)

    assert [run for run, _ in await scene.claimed(lines=[other, scene.line])] == second
    assert [run for run, _ in await scene.claimed(lines=[other, scene.line])] == first


async def test_a_line_that_was_not_asked_for_is_left_alone(scene: Scene) -> None:
    other = await scene.add_line("other")
    await scene.add(line=other)

    assert await scene.claimed(5) == []


async def test_a_line_named_twice_gives_each_run_once(scene: Scene) -> None:
    runs = await scene.add(3)

    assert [run for run, _ in await scene.claimed(10, lines=[scene.line, scene.line])] == runs


async def test_a_run_is_never_claimed_before_its_time(scene: Scene) -> None:
    due_at = START + SECOND
    await scene.add(due_at=due_at, priority=9)

    assert await scene.claimed(now=due_at - timedelta(microseconds=1)) == []
    assert len(await scene.claimed(now=due_at)) == 1


async def test_a_claim_takes_no_more_than_it_has_slots(scene: Scene) -> None:
    runs = await scene.add(10)

    assert [run for run, _ in await scene.claimed(4)] == runs[:4]
    assert [run for run, _ in await scene.claimed(10)] == runs[4:]


async def test_each_slot_gets_the_run_of_its_position(scene: Scene) -> None:
    runs = await scene.add(4)
    other = await scene.add_session()
    slots = [scene.session.id, other, other, scene.session.id]
    claims = await scene.store.runs.claim([scene.line], slots, token=token(), now=START)

    taken = {claim.session: claim.runs for claim in claims}
    assert taken == {scene.session.id: [runs[0], runs[3]], other: [runs[1], runs[2]]}
    assert {held.run for held in await scene.held(other)} == {runs[1], runs[2]}


async def test_slots_of_sessions_that_are_not_live_get_nothing(scene: Scene) -> None:
    (run,) = await scene.add()
    closed, draining = await scene.add_session(), await scene.add_session()
    await scene.store.cluster.close_session(closed, now=START)
    await scene.store.cluster.drain_session(draining)
    slots = [session().id, closed, draining, scene.session.id]
    claims = await scene.store.runs.claim([scene.line], slots, token=token(), now=START)

    assert [(claim.session, claim.runs) for claim in claims] == [(scene.session.id, [run])]


async def test_the_attempt_grows_with_every_claim(scene: Scene) -> None:
    await scene.add()
    for expected in (1, 2, 3):
        mine = token()
        (claim,) = await scene.claim(token=mine)
        await scene.store.runs.unclaim([scene.session.id], token=mine)

        assert claim.attempts == [expected]


async def test_unclaim_puts_back_what_that_claim_took_and_nothing_else(scene: Scene) -> None:
    runs = await scene.add(4)
    lost, kept = token(), token()
    await scene.claim(2, token=lost)
    await scene.claim(1, token=kept)

    assert await scene.store.runs.unclaim([scene.session.id], token=lost) == 2
    assert await scene.store.runs.unclaim([scene.session.id], token=lost) == 0
    assert [held.run for held in await scene.held()] == [runs[2]]
    assert [run for run, _ in await scene.claimed(10)] == [runs[0], runs[1], runs[3]]


async def test_held_by_names_the_attempts_claimed_before_an_instant(scene: Scene) -> None:
    await scene.add(2)
    early = await scene.claimed(now=START)
    late = await scene.claimed(now=START + SECOND)
    held = await scene.store.runs.held_by(scene.session.id, claimed_before=START + SECOND, limit=10)

    assert [(one.run, one.token) for one in held] == early
    assert {(one.run, one.token) for one in await scene.held()} == {*early, *late}
    assert len(await scene.store.runs.held_by(scene.session.id, claimed_before=START + 2 * SECOND, limit=1)) == 1


async def test_next_due_is_the_first_instant_after_the_given_one(scene: Scene) -> None:
    other = await scene.add_line("other")
    await scene.add(due_at=START)
    await scene.add(due_at=START + 3 * SECOND, priority=9)
    await scene.add(due_at=START + 2 * SECOND, priority=0, line=other)

    next_due = scene.store.runs.next_due
    assert await next_due([scene.line, other], after=START) == START + 2 * SECOND
    assert await next_due([scene.line], after=START) == START + 3 * SECOND
    assert await next_due([scene.line], after=START + 3 * SECOND) is None
    assert await next_due([], after=START) is None


async def test_next_due_does_not_count_what_is_running(scene: Scene) -> None:
    await scene.add(due_at=START + SECOND)
    await scene.claimed(now=START + SECOND)

    assert await scene.store.runs.next_due([scene.line], after=START) is None


async def test_states_tells_of_every_run_that_exists(scene: Scene) -> None:
    queued, running, done = await scene.add(3, priority=1), await scene.add(priority=5), await scene.add(priority=9)
    await scene.succeed(await scene.claimed())
    await scene.claimed()

    states = await scene.store.runs.states([*queued, *running, *done, *run_ids(1)])
    assert states == {
        **dict.fromkeys(queued, RunState.QUEUED),
        running[0]: RunState.RUNNING,
        done[0]: RunState.SUCCEEDED,
    }
    assert await scene.store.runs.states([]) == {}


async def test_pairs_of_one_claim_share_its_token(scene: Scene) -> None:
    await scene.add(3)

    assert len({mine for _, mine in pairs(await scene.claim(3))}) == 1


async def test_a_tally_counts_what_a_session_holds_under_each_token(scene: Scene) -> None:
    first = await scene.started(2)
    second = await scene.started(1)
    tokens = {one for _, one in [*first, *second]}
    tally = await scene.store.runs.tally(scene.session.id)
    [(run, its_own)] = second

    assert set(tally) == tokens
    assert sum(tally.values()) == 3
    assert [held.run for held in await scene.store.runs.held_under(scene.session.id, [its_own])] == [run]
    assert await scene.store.runs.tally(session("other").id) == {}
