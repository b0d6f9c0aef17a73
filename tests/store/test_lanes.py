"""Lanes: of each key no more attempts than its limit says, in order, whatever ends them and whichever servers compete."""

import asyncio
from datetime import datetime, timedelta

import msgspec
import pytest

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.ids import RunId, Token
from mainspring.domain.limits.bucket import bucket_of
from mainspring.domain.limits.gates import Scope
from mainspring.domain.limits.lanes import FIRST, Lane, LaneRule, lane_gate, lane_of
from mainspring.domain.limits.policy import Blocking, Debounce, Rate
from mainspring.domain.runs.attempt import Decision, Ended, GatedClaims, Outcome
from mainspring.domain.runs.change import RunChange
from mainspring.domain.runs.run import RunState
from mainspring.store.interface.lanes import Aged, LanePlace
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run, token
from tests.store.scene import Scene, pairs
from tests.words import ANNA, SECOND

MOMENT = timedelta(milliseconds=1)
ENTRY = AuditEntry(at=START, actor=ANNA, namespace=NAMESPACE, act="limit.key", kind="job", key="report", details=b"{}")


def rule(
    at_once: int | None = 1, rate: str | None = None, *, fair: bool = False, blocking: Blocking = Blocking.QUEUE
) -> LaneRule:
    said = None if rate is None else Rate(rate, burst=1)
    gate = lane_gate(NAMESPACE, Scope.JOB, "report", at_once, said, 1)
    return LaneRule(gate=gate, key=("customer",), fair=fair, blocking=blocking)


async def add(scene: Scene, *keys: int, priority: int = 5, due_at: datetime = START) -> list[RunId]:
    runs = [new_run(scene.job.id, scene.line, priority=priority, due_at=due_at) for _ in keys]
    for run, key in zip(runs, keys, strict=True):
        run.input = msgspec.json.encode({"customer": key})
    await scene.store.runs.create(NAMESPACE, runs, now=START)
    return [run.id for run in runs]


async def enter(scene: Scene, one: LaneRule, *, now: datetime = START, limit: int = 1000) -> tuple[RunId, ...]:
    await scene.store.limits.set_gates([one.gate], {})

    def assign(_job: int, arguments: bytes) -> Lane:
        return lane_of(one, arguments)

    entered = await scene.store.lanes.enter(one, [scene.line], assign, now=now, limit=limit)
    return entered.skipped


async def claim(scene: Scene, one: LaneRule, *, slots: int = 10, now: datetime = START) -> GatedClaims:
    mine = [scene.session.id] * slots
    return await scene.store.runs.claim_lanes([], one, [scene.line], mine, token=token(), now=now)


async def taken(scene: Scene, one: LaneRule, *, slots: int = 10, now: datetime = START) -> list[tuple[RunId, Token]]:
    return pairs((await claim(scene, one, slots=slots, now=now)).claims)


async def test_the_oldest_run_of_each_lane_goes_first_once_it_is_old(scene: Scene) -> None:
    one = rule()
    [young] = await add(scene, 1, priority=8, due_at=START + 5 * SECOND)
    [old] = await add(scene, 1, priority=2)
    [other] = await add(scene, 2, priority=7, due_at=START + 5 * SECOND)
    now = START + 10 * SECOND
    await enter(scene, one, now=now)
    found = await scene.store.lanes.age(one, [scene.line], after=-1, before=START + SECOND, now=now, limit=100)
    again = await scene.store.lanes.age(one, [scene.line], after=-1, before=START + SECOND, now=now, limit=100)

    assert (found, again) == (Aged(None, (scene.line,)), Aged())
    assert (await scene.get(old)).priority == 9
    assert [run for run, _ in await taken(scene, one, slots=1, now=now)] == [old]
    assert [run for run, _ in await taken(scene, one, now=now)] == [other]
    assert (await scene.get(young)).priority == 8


async def test_lanes_are_looked_at_for_old_runs_some_at_a_time(scene: Scene) -> None:
    one = rule()
    await add(scene, 1, 2, 3, priority=2)
    now = START + 10 * SECOND
    await enter(scene, one, now=now)
    looks, after = [], -1
    for _ in range(2):
        looks.append(await scene.store.lanes.age(one, [scene.line], after=after, before=now, now=now, limit=2))
        after = looks[-1].last or -1
    elsewhere = await scene.store.lanes.age(one, [scene.line + 1], after=-1, before=now, now=now, limit=9)

    assert [bool(look.lines) for look in looks] == [True, True]
    assert looks[1].last is None
    assert elsewhere == Aged()


async def test_a_run_that_is_made_more_urgent_brings_its_lane_forward(scene: Scene) -> None:
    one = rule()
    await add(scene, 1, priority=5)
    [waiting] = await add(scene, 2, priority=2)
    await enter(scene, one)
    change = RunChange(priority=9)
    await scene.store.runs.change(NAMESPACE, [waiting], change, {}, reason="", actor=ANNA, now=START)

    assert [run for run, _ in await taken(scene, one, slots=1)] == [waiting]


async def test_of_each_key_one_run_at_a_time_in_order(scene: Scene) -> None:
    one = rule()
    a1, a2, b1, b2 = await add(scene, 1, 1, 2, 2)
    await enter(scene, one)
    first = await taken(scene, one)

    assert {run for run, _ in first} == {a1, b1}
    assert await taken(scene, one) == []
    await scene.succeed(first)
    assert {run for run, _ in await taken(scene, one)} == {a2, b2}


async def test_a_claim_carries_all_that_an_executor_needs(scene: Scene) -> None:
    one = rule()
    (run,) = await add(scene, 7)
    await enter(scene, one)
    [part] = (await claim(scene, one)).claims

    assert (part.session, part.runs, part.lines, part.jobs) == (scene.session.id, [run], [scene.line], [scene.job.id])
    assert (part.attempts, part.inputs) == ([1], [b'{"customer":7}'])
    found = await scene.get(run)
    assert (found.state, found.reason) == (RunState.RUNNING, None)


async def test_a_run_in_a_lane_waits_for_its_limit(scene: Scene) -> None:
    one = rule()
    (run,) = await add(scene, 7)
    await enter(scene, one)

    found = await scene.get(run)
    assert (found.state, found.reason) == (RunState.WAITING, "limit")
    assert await scene.claimed(5) == []


async def test_a_batch_takes_no_more_than_a_lane_has_room_for(scene: Scene) -> None:
    one = rule(3)
    runs = await add(scene, *[1] * 10)
    await enter(scene, one)

    assert [run for run, _ in await taken(scene, one, slots=2)] == runs[:2]
    assert [run for run, _ in await taken(scene, one)] == runs[2:3]
    assert await taken(scene, one) == []


async def test_a_full_lane_holds_up_no_other(scene: Scene) -> None:
    one = rule()
    await add(scene, *[1] * 50)
    (other,) = await add(scene, 2)
    await enter(scene, one)
    started = [*await taken(scene, one, slots=1), *await taken(scene, one, slots=1)]

    assert other in [run for run, _ in started]


@pytest.mark.parametrize(
    ("outcome", "decision"),
    [
        (Outcome.FAILED, Decision(RunState.FAILED, reason="error", failures=1)),
        (Outcome.FAILED, Decision(RunState.QUEUED, due_at=START + 60 * SECOND, reason="retry", failures=1)),
        (Outcome.CANCELLED, Decision(RunState.CANCELLED)),
        (Outcome.LOST, Decision(RunState.QUEUED, due_at=START + 60 * SECOND, losses=1)),
        (Outcome.SUSPENDED, Decision(RunState.WAITING, reason="suspended")),
    ],
)
async def test_whatever_ends_an_attempt_makes_room(scene: Scene, outcome: Outcome, decision: Decision) -> None:
    one = rule()
    _, second = await add(scene, 1, 1)
    await enter(scene, one)
    [(run, held)] = await taken(scene, one)
    await scene.settle([Ended(run=run, token=held, outcome=outcome)], decision)

    assert [run for run, _ in await taken(scene, one)] == [second]


async def test_a_retry_enters_its_lane_again_when_it_is_due(scene: Scene) -> None:
    one, later = rule(), START + 60 * SECOND
    (run,) = await add(scene, 1)
    await enter(scene, one)
    [(_, held)] = await taken(scene, one)
    retry = Decision(RunState.QUEUED, due_at=later, reason="retry", failures=1)
    await scene.settle([Ended(run=run, token=held, outcome=Outcome.FAILED)], retry)
    await enter(scene, one)
    assert (await scene.get(run)).state is RunState.QUEUED
    await enter(scene, one, now=later)

    assert [each for each, _ in await taken(scene, one, now=later)] == [run]


async def test_a_claim_that_is_undone_makes_room(scene: Scene) -> None:
    one = rule()
    runs = await add(scene, 1)
    await enter(scene, one)
    [(_, held)] = await taken(scene, one)
    await scene.store.runs.unclaim([scene.session.id], token=held)
    await enter(scene, one)

    assert [run for run, _ in await taken(scene, one)] == runs


async def test_a_stale_outcome_gives_nothing_back(scene: Scene) -> None:
    one = rule()
    await add(scene, 1, 1)
    await enter(scene, one)
    [(run, _)] = await taken(scene, one)
    await scene.succeed([(run, token())])

    assert await taken(scene, one) == []


async def test_the_more_urgent_run_of_a_lane_goes_first(scene: Scene) -> None:
    one = rule()
    await add(scene, 1, priority=1)
    (urgent,) = await add(scene, 1, priority=9)
    await enter(scene, one)

    assert [run for run, _ in await taken(scene, one)] == [urgent]


async def test_competing_claims_and_entries_never_exceed_a_limit(scene: Scene) -> None:
    one = rule(2)
    running: dict[RunId, Token] = {}
    most = 0
    for _ in range(6):
        await add(scene, *[1, 2, 3] * 4)
        await asyncio.gather(*(enter(scene, one, limit=5) for _ in range(4)))
        found = await asyncio.gather(*(claim(scene, one, slots=3) for _ in range(4)))
        running |= dict(pair for each in found for pair in pairs(each.claims))
        most = max(most, len(running))
        done = list(running.items())[::2]
        await scene.succeed(done)
        running = {run: held for run, held in running.items() if (run, held) not in done}

    assert 0 < most <= 6


async def test_every_run_of_many_keys_ends_whoever_competes(scene: Scene) -> None:
    one = rule()
    runs = await add(scene, *[number % 5 for number in range(60)])
    ended: set[RunId] = set()
    for _ in range(80):
        await asyncio.gather(*(enter(scene, one, limit=7) for _ in range(2)))
        found = await asyncio.gather(*(claim(scene, one, slots=4) for _ in range(3)))
        done = [pair for each in found for pair in pairs(each.claims)]
        await scene.succeed(done)
        ended |= {run for run, _ in done}

    assert ended == set(runs)


async def test_a_keyed_rate_lets_each_key_start_in_its_time(scene: Scene) -> None:
    one = rule(None, "10/s")
    await add(scene, 1, 1, 2, 2)
    await enter(scene, one)
    first = await claim(scene, one)
    early = await claim(scene, one, now=START + 99 * MOMENT)
    later = await claim(scene, one, now=START + 100 * MOMENT)

    assert [len(pairs(each.claims)) for each in (first, early, later)] == [2, 0, 2]
    assert first.opens_at == START + 100 * MOMENT


async def test_keys_take_turns_however_many_runs_one_has(scene: Scene) -> None:
    one = rule(None, fair=True)
    await add(scene, *[1] * 100)
    await enter(scene, one)
    await taken(scene, one, slots=8)
    small = await add(scene, 2, 2)
    await enter(scene, one)

    assert set(small) <= {run for run, _ in await taken(scene, one, slots=12)}


async def test_a_key_that_comes_late_takes_no_more_than_its_turns(scene: Scene) -> None:
    one = rule(None, fair=True)
    await add(scene, *[1] * 100)
    await enter(scene, one)
    for _ in range(10):
        await taken(scene, one, slots=4)
    late = set(await add(scene, *[2] * 50))
    await enter(scene, one)
    got = [run for _ in range(10) for run, _ in await taken(scene, one, slots=4)]

    assert len(got) == 40
    assert len(late.intersection(got)) == pytest.approx(20, abs=4)


async def test_a_full_lane_that_comes_first_holds_up_no_other(scene: Scene) -> None:
    one = rule()
    await add(scene, 1)
    await enter(scene, one)
    await taken(scene, one)
    await add(scene, 1)
    await enter(scene, one)
    [other] = await add(scene, 2)
    await enter(scene, one, now=START + SECOND)

    assert [run for run, _ in await taken(scene, one, slots=1, now=START + SECOND)] == [other]


async def test_weights_share_the_backlog_that_exists(scene: Scene) -> None:
    one = rule(None, fair=True)
    await add(scene, *[1] * 200, *[2] * 200)
    await enter(scene, one)
    await scene.store.lanes.set_key(one, lane_of(one, b'{"customer":1}'), at_once=None, weight=3, entry=ENTRY)
    got = {1: 0, 2: 0}
    for _ in range(20):
        for part in (await claim(scene, one, slots=8)).claims:
            for arguments in part.inputs:
                got[msgspec.json.decode(arguments)["customer"]] += 1

    assert got[1] + got[2] == 160
    assert got[1] == pytest.approx(120, abs=16)


async def test_a_key_may_have_a_number_of_its_own(scene: Scene) -> None:
    one = rule(1)
    await add(scene, 1, 1, 1, 2, 2)
    await enter(scene, one)
    await scene.store.lanes.set_key(one, lane_of(one, b'{"customer":1}'), at_once=3, weight=1, entry=ENTRY)

    assert len(await taken(scene, one)) == 4


async def test_discard_skips_what_finds_no_room(scene: Scene) -> None:
    one = rule(blocking=Blocking.DISCARD)
    first, second = await add(scene, 1, 1)
    skipped = await enter(scene, one)

    assert skipped == (second,)
    found = await scene.get(second)
    assert (found.state, found.reason) == (RunState.SKIPPED, "blocked")
    assert [run for run, _ in await taken(scene, one)] == [first]


async def test_latest_keeps_only_the_newest_of_those_that_wait(scene: Scene) -> None:
    one = rule(blocking=Blocking.LATEST)
    first, second, third = await add(scene, 1, 1, 1)
    await enter(scene, one)
    [(run, held)] = await taken(scene, one)
    (fourth,) = await add(scene, 1)
    await enter(scene, one)

    assert run == first
    assert (await scene.get(second)).reason == "superseded"
    assert (await scene.get(third)).reason == "superseded"
    await scene.succeed([(run, held)])
    assert [each for each, _ in await taken(scene, one)] == [fourth]


async def test_a_retry_takes_no_other_run_s_place(scene: Scene) -> None:
    one, later = rule(blocking=Blocking.LATEST), START + 60 * SECOND
    (first,) = await add(scene, 1)
    await enter(scene, one)
    [(_, held)] = await taken(scene, one)
    (second,) = await add(scene, 1)
    await enter(scene, one)
    retry = Decision(RunState.QUEUED, due_at=later, reason="retry", failures=1)
    await scene.settle([Ended(run=first, token=held, outcome=Outcome.FAILED)], retry)
    skipped = await enter(scene, one, now=later)

    assert skipped == ()
    assert {(await scene.get(run)).reason for run in (first, second)} == {"limit"}


async def test_replace_names_the_running_one_and_skips_those_that_wait(scene: Scene) -> None:
    one = rule(blocking=Blocking.REPLACE)
    (first,) = await add(scene, 1)
    await enter(scene, one)
    await taken(scene, one)
    second, third = await add(scene, 1, 1)
    entered = await scene.store.lanes.enter(
        one, [scene.line], lambda _job, arguments: lane_of(one, arguments), now=START, limit=10
    )

    assert (entered.skipped, entered.replaced) == ((second,), (first,))
    assert (await scene.get(third)).reason == "limit"


async def test_lanes_without_runs_are_pruned_and_come_back(scene: Scene) -> None:
    one = rule()
    await add(scene, 1)
    await enter(scene, one)
    held = await taken(scene, one)
    later = START + 3600 * SECOND
    assert await scene.store.lanes.prune(before=later) == 0
    await scene.succeed(held)
    await taken(scene, one)
    assert await scene.store.lanes.prune(before=later) == 1
    runs = await add(scene, 1)
    await enter(scene, one)

    assert [run for run, _ in await taken(scene, one)] == runs


async def test_lanes_are_looked_at_some_at_a_time(scene: Scene) -> None:
    one = rule()
    await add(scene, *range(5))
    await enter(scene, one)
    numbers = sorted(lane_of(one, b'{"customer":%d}' % key).id for key in range(5))
    second = await scene.store.lanes.end(after=FIRST, limit=2)
    third = await scene.store.lanes.end(after=numbers[3], limit=2)
    await scene.succeed(await taken(scene, one))
    await taken(scene, one)

    assert (second, third) == (numbers[1], numbers[4])
    assert await scene.store.lanes.prune(before=START + 3600 * SECOND, after=numbers[1], last=numbers[3]) == 2
    assert await scene.store.lanes.prune(before=START + 3600 * SECOND) == 3


async def test_a_job_without_its_key_has_its_runs_back_in_line(scene: Scene) -> None:
    one = rule()
    runs = await add(scene, 1, 1)
    await enter(scene, one)
    assert await scene.store.lanes.release(scene.line, scene.job.id, limit=10) == 2

    assert [run for run, _ in await scene.claimed(5)] == runs


async def test_where_a_run_stands_in_its_lane_is_counted(scene: Scene) -> None:
    one = rule()
    runs = await add(scene, 1, 1, 1)
    await enter(scene, one)
    [(held, _)] = await taken(scene, one)
    lane = lane_of(one, b'{"customer":1}').id

    assert await scene.store.lanes.place(runs[2], limit=100) == LanePlace(lane, scene.line, 1)
    assert await scene.store.lanes.place(held, limit=100) is None
    assert await scene.store.lanes.holders(lane, limit=5) == [held]
    [state] = await scene.store.lanes.states(one.gate.id, limit=10)
    assert (state.key, state.held, state.waiting) == ("1", 1, 2)


async def test_a_debounced_lane_starts_the_last_run_once_it_has_been_quiet(scene: Scene) -> None:
    one = msgspec.structs.replace(rule(None), debounce=Debounce(5.0))
    first, second = await add(scene, 1, 1)
    assert await enter(scene, one) == (first,)
    assert await taken(scene, one) == []
    [third] = await add(scene, 1)
    assert await enter(scene, one, now=START + 3 * SECOND) == (second,)
    assert await enter(scene, one, now=START + 6 * SECOND) == ()
    assert await taken(scene, one, now=START + 6 * SECOND) == []

    assert await enter(scene, one, now=START + 8 * SECOND) == ()
    assert [run for run, _ in await taken(scene, one, now=START + 8 * SECOND)] == [third]
    assert (await scene.get(first)).reason == "superseded"


async def test_a_debounced_lane_starts_at_most_so_much_later(scene: Scene) -> None:
    one = msgspec.structs.replace(rule(None), debounce=Debounce(5.0, at_most=8.0))
    await add(scene, 1)
    await enter(scene, one)
    for seconds in (4, 7):
        [last] = await add(scene, 1)
        await enter(scene, one, now=START + seconds * SECOND)
    await enter(scene, one, now=START + 8 * SECOND)

    assert [run for run, _ in await taken(scene, one, now=START + 8 * SECOND)] == [last]


async def test_debounce_keeps_keys_apart_and_begins_anew_after_a_start(scene: Scene) -> None:
    one = msgspec.structs.replace(rule(None), debounce=Debounce(5.0))
    runs = await add(scene, 1, 2)
    assert await enter(scene, one) == ()
    await enter(scene, one, now=START + 5 * SECOND)
    assert {run for run, _ in await taken(scene, one, now=START + 5 * SECOND)} == set(runs)
    await add(scene, 1)

    assert await enter(scene, one, now=START + 6 * SECOND) == ()
    assert await taken(scene, one, now=START + 6 * SECOND) == []


async def test_a_throttle_skips_what_comes_too_often(scene: Scene) -> None:
    one = msgspec.structs.replace(rule(None), throttle=bucket_of("1/h", 1))
    first, second, other = await add(scene, 1, 1, 2)
    assert await enter(scene, one) == (second,)
    assert {run for run, _ in await taken(scene, one)} == {first, other}
    [later] = await add(scene, 1)

    assert (await scene.get(second)).reason == "throttled"
    assert await enter(scene, one, now=START + timedelta(minutes=59)) == (later,)
    [again] = await add(scene, 1)
    assert await enter(scene, one, now=START + timedelta(minutes=61)) == ()
    assert [run for run, _ in await taken(scene, one, now=START + timedelta(minutes=61))] == [again]


async def test_a_claim_that_looks_more_than_once_is_one_claim_for_its_session(scene: Scene) -> None:
    one = rule()
    # Each time that runs enter, their lanes get another turn: the first look spends its turns on few lanes.
    for _ in range(3):
        await add(scene, 1, 2, 3, 4)
        await enter(scene, one)
    parts = (await claim(scene, one, slots=4)).claims

    assert [(part.session, len(part)) for part in parts] == [(scene.session.id, 4)]
