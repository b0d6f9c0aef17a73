"""Gates: never more attempts under way than a limit says, whatever ended the ones before; rates to the microsecond."""

import asyncio
from datetime import datetime, timedelta

import pytest

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.ids import RunId, Token
from mainspring.domain.limits.gates import Gate, GateState, LimitRule, Scope, gate
from mainspring.domain.limits.policy import Rate
from mainspring.domain.runs.attempt import Decision, Ended, GatedClaims, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, token
from tests.store.scene import Scene, pairs
from tests.words import ANNA, SECOND


def a_gate(at_once: int | None = 2, rate: str | None = None, *, revision: int = 1, name: str = "erp") -> Gate:
    said = None if rate is None else Rate(rate, burst=1)
    return gate(NAMESPACE, Scope.NAMED, name, at_once, said, revision)


async def lead(scene: Scene, *gates: Gate, line: int | None = None) -> None:
    await scene.store.limits.set_gates(gates, {line or scene.line: [one.id for one in gates]})
    await scene.store.limits.recount([one.id for one in gates], now=START)


async def claim(
    scene: Scene, *gates: Gate, slots: int = 10, now: datetime = START, bundled: bool = False
) -> GatedClaims:
    wanted, mine = [one.id for one in gates], [scene.session.id] * slots
    return await scene.store.runs.claim_gated(wanted, [scene.line], mine, token=token(), now=now, bundled=bundled)


async def taken(scene: Scene, *gates: Gate, slots: int = 10, bundled: bool = False) -> list[tuple[RunId, Token]]:
    return pairs((await claim(scene, *gates, slots=slots, bundled=bundled)).claims)


async def state(scene: Scene, one: Gate, now: datetime = START) -> GateState:
    [found] = await scene.store.limits.gate_states([one.id], now=now)
    return found


async def test_a_claim_takes_no_more_than_the_limit_leaves(scene: Scene) -> None:
    one = a_gate(2)
    await lead(scene, one)
    runs = await scene.add(5)
    first = await claim(scene, one)
    second = await claim(scene, one)

    assert [run for run, _ in pairs(first.claims)] == runs[:2]
    assert (first.room, second.room, second.claims) == (2, 0, [])
    assert (await state(scene, one)).held == 2


async def test_a_gate_that_is_not_there_lets_nothing_pass(scene: Scene) -> None:
    await scene.add(1)

    assert (await claim(scene, a_gate())).room == 0


async def test_a_success_makes_room_for_the_next(scene: Scene) -> None:
    one = a_gate(2)
    await lead(scene, one)
    runs = await scene.add(5)
    held = await taken(scene, one)
    await scene.succeed(held[:1])
    await scene.succeed(held[:1])  # a second time: nothing is given back twice

    assert [run for run, _ in await taken(scene, one)] == [runs[2]]
    assert await taken(scene, one) == []


async def test_of_a_bundle_only_what_ends_makes_room(scene: Scene) -> None:
    one = a_gate(4)
    await lead(scene, one)
    runs = await scene.add(9)
    first, second, third, fourth = await taken(scene, one, bundled=True)
    await scene.succeed([first])
    assert [run for run, _ in await taken(scene, one)] == runs[4:5]
    await scene.settle([Ended(run=second[0], token=second[1], outcome=Outcome.FAILED)], Decision(RunState.FAILED))
    assert [run for run, _ in await taken(scene, one)] == runs[5:6]

    assert await scene.succeed([third, fourth]) == 2
    assert [run for run, _ in await taken(scene, one)] == runs[6:8]


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
    one = a_gate(1)
    await lead(scene, one)
    runs = await scene.add(2)
    [(run, held)] = await taken(scene, one)
    await scene.settle([Ended(run=run, token=held, outcome=outcome)], decision)
    await scene.settle([Ended(run=run, token=held, outcome=outcome)], decision)

    assert [run for run, _ in await taken(scene, one)] == [runs[1]]
    assert await taken(scene, one) == []


async def test_a_claim_that_is_undone_makes_room(scene: Scene) -> None:
    one = a_gate(1)
    await lead(scene, one)
    runs = await scene.add(1)
    [(_, held)] = await taken(scene, one)
    await scene.store.runs.unclaim([scene.session.id], token=held)

    assert [run for run, _ in await taken(scene, one)] == runs


async def test_a_stale_outcome_gives_nothing_back(scene: Scene) -> None:
    one = a_gate(1)
    await lead(scene, one)
    await scene.add(2)
    [(run, _)] = await taken(scene, one)
    await scene.succeed([(run, token())])
    await scene.settle([Ended(run=run, token=token(), outcome=Outcome.FAILED)])

    assert await taken(scene, one) == []


async def test_the_tightest_of_several_gates_counts(scene: Scene) -> None:
    wide, tight = a_gate(5, name="wide"), a_gate(1, name="tight")
    await lead(scene, wide, tight)
    await scene.add(3)

    assert len(await taken(scene, *sorted((wide, tight), key=lambda one: one.id))) == 1
    assert (await state(scene, wide)).held == 1


async def test_lines_that_share_a_gate_share_its_limit(scene: Scene) -> None:
    one = a_gate(1)
    other = await scene.add_line("other")
    await scene.store.limits.set_gates([one], {scene.line: [one.id], other: [one.id]})
    await scene.add(1)
    await scene.add(1, line=other)
    held = await taken(scene, one)
    beside = await scene.store.runs.claim_gated([one.id], [other], [scene.session.id], token=token(), now=START)

    assert (len(held), beside.claims) == (1, [])
    await scene.succeed(held)
    beside = await scene.store.runs.claim_gated([one.id], [other], [scene.session.id], token=token(), now=START)
    assert len(pairs(beside.claims)) == 1


async def test_competing_claims_never_exceed_the_limit(scene: Scene) -> None:
    one = a_gate(3)
    await lead(scene, one)
    await scene.add(20)
    found = await asyncio.gather(*(claim(scene, one, slots=2) for _ in range(8)))

    assert sum(len(pairs(each.claims)) for each in found) == 3


async def test_a_limit_is_counted_anew_from_the_attempts_under_way(scene: Scene) -> None:
    one = a_gate(2)
    await scene.add(4)
    held = await scene.claimed(3)  # before there was a limit
    await lead(scene, one)

    assert (await state(scene, one)).held == 3
    assert await taken(scene, one) == []
    await scene.succeed(held)
    assert len(await taken(scene, one)) == 1
    assert await scene.store.limits.recount([one.id], now=START) == 0


async def test_newer_numbers_win_and_older_do_not(scene: Scene) -> None:
    one = a_gate(1)
    await lead(scene, one)
    await scene.add(5)
    await scene.store.limits.set_gates([a_gate(3, revision=3)], {scene.line: [one.id]})
    await scene.store.limits.set_gates([a_gate(1, revision=2)], {scene.line: [one.id]})

    assert len(await taken(scene, one)) == 3


async def test_a_rate_lets_one_start_each_time(scene: Scene) -> None:
    one = a_gate(None, "10/s")
    await lead(scene, one)
    await scene.add(5)
    first = await claim(scene, one)
    early = await claim(scene, one, now=START + timedelta(milliseconds=99))
    later = await claim(scene, one, now=START + timedelta(milliseconds=100))

    assert [len(pairs(each.claims)) for each in (first, early, later)] == [1, 0, 1]
    assert first.opens_at == START + timedelta(milliseconds=100)
    assert early.opens_at == START + timedelta(milliseconds=100)
    assert (await state(scene, one)).opens_at == START + timedelta(milliseconds=200)


async def test_a_rate_is_not_saved_up_beyond_its_burst(scene: Scene) -> None:
    one = gate(NAMESPACE, Scope.NAMED, "erp", None, Rate("10/s", burst=3), 1)
    await lead(scene, one)
    await scene.add(10)

    assert len(pairs((await claim(scene, one)).claims)) == 3
    assert len(pairs((await claim(scene, one, now=START + 3600 * SECOND)).claims)) == 3


async def test_a_rule_is_set_replaced_and_deleted(scene: Scene) -> None:
    limits = scene.store.limits
    entry = AuditEntry(
        at=START, actor=ANNA, namespace=NAMESPACE, act="limit.set", kind="limit", key="erp", details=b"{}"
    )
    rule = LimitRule(namespace=NAMESPACE, scope=Scope.NAMED, name="erp", at_once=5, rate=Rate("3/m", burst=2))
    made = await limits.set_rule(rule, entry=entry)
    again = await limits.set_rule(LimitRule(namespace=NAMESPACE, scope=Scope.NAMED, name="erp", at_once=1), entry=entry)

    assert (made.revision, again.revision, again.rate) == (1, 2, None)
    assert await limits.rules() == [again]
    assert await limits.delete_rule(NAMESPACE, Scope.NAMED, "erp", entry=entry)
    assert not await limits.delete_rule(NAMESPACE, Scope.NAMED, "erp", entry=entry)
    assert await limits.rules() == []


async def test_a_rule_that_changes_changes_its_gate_in_the_same_commit(scene: Scene) -> None:
    one = a_gate(1)
    await lead(scene, one)
    await scene.add(5)
    entry = AuditEntry(
        at=START, actor=ANNA, namespace=NAMESPACE, act="limit.set", kind="limit", key="erp", details=b"{}"
    )
    rule = LimitRule(namespace=NAMESPACE, scope=Scope.NAMED, name="erp", at_once=2)
    await scene.store.limits.set_rule(rule, entry=entry)
    await scene.store.limits.set_rule(rule, entry=entry)

    assert len(await taken(scene, one)) == 2
