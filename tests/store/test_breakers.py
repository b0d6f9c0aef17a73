"""Breakers: one change wins over a revision, and its gate and history are written with it."""

from datetime import timedelta

import msgspec

from mainspring.domain.access.permissions import AuditEntry
from mainspring.domain.breakers.breaker import Breaker, BreakerState, closed, half_opened, opened, reset, steered
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.breakers.window import NOTHING, Calls, WindowCounts
from mainspring.domain.ids import RunId
from mainspring.domain.limits.gates import GateState, breaker_gate
from mainspring.domain.runs.attempt import Decision, Ended, Outcome
from mainspring.domain.runs.run import Parking, RunState
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, token
from tests.store.scene import Scene, pairs
from tests.words import ANNA

SPEC = BreakerSpec(probes=2, ignore=("InvalidNumber",))


def entry(act: str = "breaker.set") -> AuditEntry:
    return AuditEntry(at=START, actor=ANNA, namespace=NAMESPACE, act=act, kind="breaker", key="sms")


async def made(scene: Scene) -> Breaker:
    return await scene.store.breakers.set(NAMESPACE, "sms", SPEC, entry=entry())


def tripped(breaker: Breaker) -> Breaker:
    return opened(breaker, NOTHING, "50% of 20 calls failed", START, 0.0)


async def gate_state(scene: Scene, breaker: Breaker) -> GateState:
    [state] = await scene.store.limits.gate_states([breaker.id], now=START)
    return state


async def test_a_breaker_is_read_as_it_was_written(scene: Scene) -> None:
    breaker = await made(scene)

    assert (breaker.spec, breaker.state, breaker.epoch) == (SPEC, BreakerState.CLOSED, 1)
    assert await scene.store.breakers.all() == [breaker]


async def test_another_rule_leaves_the_state(scene: Scene) -> None:
    breaker = await made(scene)
    await scene.store.breakers.turn(tripped(breaker), before=breaker.revision, counted=NOTHING)
    again = await scene.store.breakers.set(NAMESPACE, "sms", BreakerSpec(), entry=entry())

    assert (again.spec, again.state, again.revision) == (BreakerSpec(), BreakerState.OPEN, breaker.revision + 2)


async def test_code_makes_a_breaker_only_where_there_is_none(scene: Scene) -> None:
    await scene.store.breakers.ensure(NAMESPACE, "mail", now=START)
    breaker = await made(scene)
    await scene.store.breakers.ensure(NAMESPACE, "sms", now=START)
    found = {one.name: one for one in await scene.store.breakers.all()}

    assert found["mail"].spec == BreakerSpec()
    assert found["sms"] == breaker


async def test_one_of_two_decisions_wins(scene: Scene) -> None:
    breaker = await made(scene)
    counted = WindowCounts(calls=20, failures=10)
    first = await scene.store.breakers.turn(tripped(breaker), before=breaker.revision, counted=counted)
    second = await scene.store.breakers.turn(
        msgspec.structs.replace(tripped(breaker), reason="later"), before=breaker.revision, counted=counted
    )
    [change] = await scene.store.breakers.changes(breaker.id, limit=10)

    assert (first, second) == (True, False)
    assert (change.was, change.state, change.calls, change.failures) == (BreakerState.CLOSED, BreakerState.OPEN, 20, 10)
    assert change.reason == "50% of 20 calls failed"


async def test_an_open_breaker_lets_no_claim_through_from_its_commit_on(scene: Scene) -> None:
    breaker = await made(scene)
    gate = breaker_gate(breaker)
    await scene.store.limits.set_gates([gate], {scene.line: [gate.id]})
    await scene.store.limits.recount([gate.id], now=START)
    await scene.add(5)

    async def claim() -> int:
        slots = [scene.session.id] * 10
        found = await scene.store.runs.claim_gated([gate.id], [scene.line], slots, token=token(), now=START)
        return len(pairs(found.claims))

    shut = tripped(breaker)
    await scene.store.breakers.turn(shut, before=breaker.revision, counted=NOTHING)
    assert await claim() == 0
    half = msgspec.structs.replace(shut, state=BreakerState.HALF_OPEN, revision=shut.revision + 1, epoch=3)
    await scene.store.breakers.turn(half, before=shut.revision, counted=NOTHING)
    assert await claim() == 2
    assert await claim() == 0
    assert (await gate_state(scene, breaker)).held == 2
    await scene.store.breakers.steer(
        NAMESPACE, "sms", lambda one: reset(one, reason="", by="anna", now=START), entry=entry("breaker.reset")
    )
    assert await claim() == 3


async def test_calls_of_one_executor_and_bucket_are_added(scene: Scene) -> None:
    breaker = await made(scene)
    store = scene.store.breakers
    since = START - timedelta(seconds=30)
    call = Calls(executor="a", at=START, calls=2, failures=1, retry_after=START)
    await store.add_calls(breaker.id, 1, [call], since=since)
    counted = await store.add_calls(
        breaker.id,
        1,
        [Calls(executor="a", at=START, calls=1, slow=1), Calls(executor="b", at=START, ignored=1)],
        since=since,
    )

    assert sorted(counted, key=lambda one: one.executor) == [
        Calls(executor="a", at=START, calls=3, failures=1, slow=1, retry_after=START),
        Calls(executor="b", at=START, ignored=1),
    ]


async def test_calls_of_another_epoch_or_before_the_window_count_for_nothing(scene: Scene) -> None:
    breaker = await made(scene)
    store = scene.store.breakers
    await store.add_calls(breaker.id, 1, [Calls(executor="a", at=START, calls=2)], since=START - timedelta(seconds=30))
    later = START + timedelta(seconds=60)
    assert await store.calls(breaker.id, 2, since=START - timedelta(seconds=30)) == []
    assert await store.add_calls(breaker.id, 1, [], since=later) == []
    assert await store.calls(breaker.id, 1, since=START - timedelta(seconds=30)) == []


async def test_an_operators_word_is_written_and_audited(scene: Scene) -> None:
    breaker = await made(scene)
    held = await scene.store.breakers.steer(
        NAMESPACE,
        "sms",
        lambda one: steered(one, BreakerState.FORCED_OPEN, reason="moving", by="anna", now=START),
        entry=entry("breaker.force_open"),
    )
    [change] = await scene.store.breakers.changes(breaker.id, limit=10)

    assert held is not None
    assert (held.state, held.was, held.by) == (BreakerState.FORCED_OPEN, BreakerState.CLOSED, "anna")
    assert (change.by, change.reason) == ("anna", "moving")
    assert (await gate_state(scene, breaker)).at_once == 0
    nothing = await scene.store.breakers.steer(NAMESPACE, "gone", lambda one: one, entry=entry())
    assert nothing is None


async def test_a_breaker_that_is_deleted_holds_nothing_back_and_may_come_again(scene: Scene) -> None:
    breaker = await made(scene)
    await scene.store.breakers.turn(tripped(breaker), before=breaker.revision, counted=NOTHING)
    assert await scene.store.breakers.delete(NAMESPACE, "sms", entry=entry("breaker.delete"))
    assert not await scene.store.breakers.delete(NAMESPACE, "sms", entry=entry("breaker.delete"))

    assert (await gate_state(scene, breaker)).at_once is None
    assert await scene.store.breakers.all() == []
    later = msgspec.structs.replace(entry(), at=START + timedelta(seconds=1))
    again = await scene.store.breakers.set(NAMESPACE, "sms", SPEC, entry=later)
    await scene.store.breakers.turn(tripped(again), before=again.revision, counted=NOTHING)
    assert (await gate_state(scene, breaker)).at_once == 0


async def parked(scene: Scene, *, epoch: int = 0, after: float = 30.0) -> RunId:
    """A run whose handler has found the breaker open."""
    [(run, mine)] = await scene.started()
    end = Ended(run=run, token=mine, outcome=Outcome.PARKED, breaker="sms", epoch=epoch, after=after)
    parking = Parking("sms", epoch, START + timedelta(seconds=after))
    decision = Decision(RunState.WAITING, reason="breaker", parking=parking)
    assert await scene.settle([end], decision) == {run: RunState.WAITING}
    return run


async def unparked(scene: Scene, *, epoch: int | None, later: float = 0.0, held: bool = False) -> set[RunId]:
    now = START + timedelta(seconds=later)
    return set(await scene.store.breakers.unpark(NAMESPACE, "sms", epoch=epoch, now=now, limit=10, held=held))


async def test_a_parked_run_waits_for_its_breaker_and_goes_back_to_its_line(scene: Scene) -> None:
    run = await parked(scene, epoch=2)
    assert await scene.store.breakers.parked() == [(NAMESPACE, "sms")]
    parking = await scene.store.breakers.parking(run)
    assert parking == Parking("sms", 2, START + timedelta(seconds=30))
    assert await unparked(scene, epoch=2) == set()

    assert await unparked(scene, epoch=3) == {run}
    assert await scene.store.breakers.parked() == []
    assert await scene.store.runs.states([run]) == {run: RunState.QUEUED}


async def test_a_parked_run_goes_on_at_its_instant_or_when_it_is_let_go(scene: Scene) -> None:
    late, let_go = await parked(scene, epoch=2, after=5.0), await parked(scene, epoch=2, after=60.0)

    assert await unparked(scene, epoch=2, later=6.0) == {late}
    assert await unparked(scene, epoch=2, held=True) == {let_go}


async def test_a_run_that_was_cancelled_while_it_was_parked_stays_so(scene: Scene) -> None:
    run = await parked(scene, epoch=2)
    await scene.store.runs.cancel(NAMESPACE, [run], reason="", actor=ANNA, now=START)

    assert await unparked(scene, epoch=3) == set()
    assert await scene.store.breakers.parked() == []


async def test_probes_are_permits_of_one_epoch(scene: Scene) -> None:
    breaker = await made(scene)
    opened_one = tripped(breaker)
    await scene.store.breakers.turn(opened_one, before=breaker.revision, counted=NOTHING)
    probed = half_opened(opened_one, START)
    await scene.store.breakers.turn(probed, before=opened_one.revision, counted=NOTHING)

    async def taken(count: int, epoch: int = probed.epoch) -> int:
        return (await scene.store.breakers.take_permits(breaker.id, epoch, count, now=START)).count

    assert [await taken(1), await taken(5), await taken(1)] == [1, 1, 0]
    assert await taken(5, epoch=1) == 0


async def test_a_wave_lets_calls_go_by_its_rate(scene: Scene) -> None:
    breaker = await made(scene)
    wave = msgspec.structs.replace(closed(breaker, START), wave=4)
    await scene.store.breakers.turn(wave, before=breaker.revision, counted=NOTHING)
    first = await scene.store.breakers.take_permits(breaker.id, wave.epoch, 3, now=START)
    later = START + timedelta(seconds=0.25)

    assert (first.count, first.opens_at) == (1, later)
    assert (await scene.store.breakers.take_permits(breaker.id, wave.epoch, 3, now=later)).count == 1


async def test_breakers_of_keys_follow_their_rule_and_are_forgotten(scene: Scene) -> None:
    await made(scene)
    await scene.store.breakers.ensure(NAMESPACE, "sms[eu]", now=START, spec=SPEC)
    await scene.store.breakers.set(NAMESPACE, "sms", BreakerSpec(), entry=entry())
    found = {one.name: one.spec for one in await scene.store.breakers.all()}
    gone = await scene.store.breakers.prune_keys(before=START + timedelta(hours=1), limit=10)

    assert found == {"sms": BreakerSpec(), "sms[eu]": BreakerSpec()}
    assert gone == 1
    assert [one.name for one in await scene.store.breakers.all()] == ["sms"]
