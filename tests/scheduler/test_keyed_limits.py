"""Limits by key in the hand of a server: from a request to the start, and to the next one of the same key."""

import msgspec
import pytest

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.gates import LimitRule, Scope
from mainspring.domain.limits.policy import Blocking, Fair, Limit, Policy, Rate
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError
from mainspring.scheduler.dispatch.claim_groups import ClaimRequest
from mainspring.scheduler.dispatch.hand_over import LIFE
from mainspring.wire.messages import Cancel, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA

BY_CUSTOMER = Policy(at_once=1, limit_key=("customer",))


async def limited(scene: Scene, policy: Policy, *, room: int = 100) -> ScriptedExecutor:
    executor = scene.executor(room=room)
    executor.jobs = [JobSpec(name="report", handler="report", policy=policy)]
    await executor.connect()
    return executor


async def enqueue(scene: Scene, *customers: int) -> list[RunId]:
    requests = [RunRequest(job="report", input=msgspec.json.encode({"customer": one})) for one in customers]
    return [accepted.id for accepted in await scene.accept(*requests)]


async def turn(scene: Scene) -> None:
    """What duties do when they are woken."""
    limits = scene.scheduler.limits
    await limits.gates.tick()
    while await limits.sorting.tick():
        pass
    await scene.dispatch()


def started(executor: ScriptedExecutor) -> list[RunId]:
    return [run for message in executor.link.heard if isinstance(message, Start) for run in message.runs]


async def test_each_customer_has_one_run_under_way(scene: Scene) -> None:
    executor = await limited(scene, BY_CUSTOMER)
    a1, a2, b1 = await enqueue(scene, 1, 1, 2)
    await turn(scene)

    assert set(started(executor)) == {a1, b1}
    start = await executor.link.expect(Start)
    await executor.settled(executor.report(start))
    assert started(executor) == [a2]


async def test_a_request_without_the_key_is_refused(scene: Scene) -> None:
    await limited(scene, BY_CUSTOMER)
    with pytest.raises(InvalidInputError, match="customer") as refused:
        await scene.accept(RunRequest(job="report", input=b'{"other":1}'))

    assert refused.value.code == "missing_key"


async def test_why_names_the_key_and_who_holds_it(scene: Scene) -> None:
    await limited(scene, BY_CUSTOMER)
    first, _, third = await enqueue(scene, 42, 42, 42)
    await turn(scene)
    run, [reason] = await scene.scheduler.limits.why.run(NAMESPACE, third)

    assert (run.state, run.reason, reason.code) == (RunState.WAITING, "limit", "key_limit")
    assert (reason.facts["key"], reason.facts["ahead"], reason.facts["runs"]) == ("42", 1, [id_text(first)])
    assert "customer = 42" in reason.text


async def test_why_names_what_stops_the_whole_line_before_the_place_in_the_lane(scene: Scene) -> None:
    await limited(scene, BY_CUSTOMER)
    _, waiting = await enqueue(scene, 1, 1)
    await turn(scene)
    await scene.scheduler.queues.pause(NAMESPACE, "default", reason="the gateway moves", actor=ANNA)
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, waiting)

    assert [reason.code for reason in reasons] == ["queue_paused", "key_limit"]


async def test_a_keyed_limit_and_one_of_the_job_hold_together(scene: Scene) -> None:
    both = Policy(limits=(Limit(2), Limit(1, key=("customer",))))
    executor = await limited(scene, both)
    await enqueue(scene, 1, 2, 3)
    await turn(scene)

    assert len(started(executor)) == 2


async def test_jobs_share_a_keyed_limit_by_name(scene: Scene) -> None:
    rule = LimitRule(namespace=NAMESPACE, scope=Scope.NAMED, name="tenant", at_once=1, key=("customer",))
    await scene.scheduler.limits.rules.set(rule, actor=ANNA)
    executor = scene.executor(handlers=["left", "right"])
    shared = Policy(limits=(Limit(name="tenant"),))
    executor.jobs = [JobSpec(name=name, handler=name, policy=shared) for name in ("left", "right")]
    await executor.connect()
    for job in ("left", "right"):
        await scene.accept(RunRequest(job=job, input=b'{"customer":1}'), RunRequest(job=job, input=b'{"customer":2}'))
    await turn(scene)

    assert len(started(executor)) == 2
    for _ in range(executor.link.count(Start)):
        await executor.settled(executor.report(await executor.link.expect(Start)))
    await turn(scene)
    assert len(started(executor)) == 2


async def test_a_key_that_floods_does_not_keep_another_waiting(scene: Scene) -> None:
    executor = await limited(scene, Policy(fair=Fair(("customer",))), room=4)
    await enqueue(scene, *[1] * 50)
    await turn(scene)
    [small] = await enqueue(scene, 2)
    while small not in started(executor):
        await executor.settled(executor.report(await executor.link.expect(Start)))
        await turn(scene)
        assert started(executor), "the small key was not served"


async def test_a_keyed_rate_wakes_dispatch_when_its_key_has_a_token(scene: Scene) -> None:
    executor = await limited(scene, Policy(rate=Rate("10/s", key=("customer",), burst=1)))
    first, second = await enqueue(scene, 1, 1)
    await turn(scene)

    assert started(executor) == [first]
    assert scene.scheduler.dispatch.period <= 0.1
    scene.clock.advance(0.1)
    await scene.scheduler.dispatch.tick()
    assert started(executor) == [first, second]


async def test_replace_cancels_the_running_one_and_starts_the_new(scene: Scene) -> None:
    executor = await limited(scene, Policy(at_once=1, blocking=Blocking.REPLACE))
    [first] = await enqueue(scene, 1)
    await turn(scene)
    start = await executor.link.expect(Start)
    [second] = await enqueue(scene, 1)
    await turn(scene)

    assert start.runs == [first]
    assert (await scene.run(first)).reason == "cancelling"
    assert (await scene.run(second)).state is RunState.WAITING
    assert executor.link.count(Cancel) <= 1


async def test_discard_without_a_key_is_of_the_whole_job(scene: Scene) -> None:
    executor = await limited(scene, Policy(at_once=1, blocking=Blocking.DISCARD))
    first, second = await enqueue(scene, 1, 2)
    await turn(scene)

    assert started(executor) == [first]
    found = await scene.run(second)
    assert (found.state, found.reason) == (RunState.SKIPPED, "blocked")


async def test_a_job_that_loses_its_key_starts_what_waited(scene: Scene) -> None:
    executor = await limited(scene, BY_CUSTOMER)
    runs = await enqueue(scene, 1, 1, 1)
    await turn(scene)
    await scene.scheduler.catalog.register(NAMESPACE, [JobSpec(name="report", handler="report")])
    await turn(scene)

    assert set(started(executor)) == set(runs)


async def test_the_next_run_of_a_key_takes_no_credit_that_another_claim_is_made_for(scene: Scene) -> None:
    executor = await limited(scene, BY_CUSTOMER, room=1)
    _, second = await enqueue(scene, 1, 1)
    await turn(scene)
    start = await executor.link.expect(Start)
    [attached] = scene.scheduler.gateway.attached.values()
    [credit] = attached.credits.values()
    with ClaimRequest([1], [(credit, 1)]).reserved():
        await executor.settled(executor.report(start))
        left, _ = await scene.scheduler.limits.why.run(NAMESPACE, second)
    await turn(scene)

    assert (left.state, left.attempt) == (RunState.WAITING, 0)
    assert started(executor) == [second]


async def test_credit_is_kept_for_the_next_run_of_a_key_until_it_starts(scene: Scene) -> None:
    executor = await limited(scene, BY_CUSTOMER, room=1)
    _, second = await enqueue(scene, 1, 1)
    await turn(scene)
    start = await executor.link.expect(Start)
    [attached] = scene.scheduler.gateway.attached.values()
    [credit] = attached.credits.values()
    free: list[int] = []
    settling, answered = scene.scheduler.settling, scene.scheduler.settling.answered

    def look() -> None:
        free.append(credit.free)
        answered()

    settling.answered = look
    await executor.settled(executor.report(start))

    assert (free, started(executor)) == ([0], [second])
    assert (credit.taken, credit.reserved) == (1, 0)


async def test_a_claim_takes_no_credit_of_attempts_that_are_about_to_be_followed(scene: Scene) -> None:
    executor = await limited(scene, BY_CUSTOMER, room=1)
    first, _ = await enqueue(scene, 1, 1)
    await turn(scene)
    await enqueue(scene, 2)
    await turn(scene)
    start = await executor.link.expect(Start)
    [attached] = scene.scheduler.gateway.attached.values()
    [credit] = attached.credits.values()
    seq = executor.report(start)
    await scene.scheduler.settling.wake.wait()
    await scene.dispatch()
    before = (start.runs, credit.taken, credit.reserved, started(executor))
    await executor.settled(seq)

    assert before == ([first], 0, 1, [])
    assert len(started(executor)) == 1
    assert (credit.taken, credit.reserved) == (1, 0)


async def test_a_settlement_of_two_limits_outlives_the_memory_of_their_claims(scene: Scene) -> None:
    executor = scene.executor(handlers=["report", "export"])
    executor.jobs = [JobSpec(name=name, handler=name, policy=BY_CUSTOMER) for name in ("report", "export")]
    await executor.connect()
    requests = [RunRequest(job=job, input=b'{"customer":1}') for job in ("report", "export") for _ in range(2)]
    r1, r2, e1, e2 = [accepted.id for accepted in await scene.accept(*requests)]
    await turn(scene)
    starts = [await executor.link.expect(Start), await executor.link.expect(Start)]
    scene.clock.advance(2 * LIFE)
    done = [run for start in starts for run in start.runs]
    tokens = [start.token for start in starts for _ in start.runs]
    await executor.settled(executor.say_outcomes(done, tokens, [b"null"] * 2, []))

    assert (set(done), set(started(executor))) == ({r1, e1}, {r2, e2})


async def test_a_run_that_is_old_goes_first_in_its_lane_however_urgent_the_others_are(scene: Scene) -> None:
    executor = await limited(scene, BY_CUSTOMER, room=1)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"ageing": 60.0}, actor=ANNA)
    [first] = await enqueue(scene, 1)
    await turn(scene)
    [old] = await enqueue(scene, 1)
    await turn(scene)
    scene.clock.advance(61)
    requests = [RunRequest(job="report", input=b'{"customer":1}', priority=9) for _ in range(3)]
    await scene.accept(*requests)
    await turn(scene)
    await scene.scheduler.limits.ageing.tick()
    start = await executor.link.expect(Start)
    await executor.settled(executor.report(start))
    await turn(scene)

    assert start.runs == [first]
    assert started(executor) == [old]
