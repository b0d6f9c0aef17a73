"""Breakers in the hand of dispatch: runs wait while one is open, a few find out, and waves follow."""

from collections.abc import Sequence

import pytest

from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.run import Failure, RunState
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA

SPEC = BreakerSpec(min_calls=2, probes=2, wait=10.0, wait_max=60.0, probe_within=30.0, ignore=("InvalidNumber",))
JOB = JobSpec(
    name="report", handler="report", retry=RetryPolicy(attempts=5, backoff=0.0), policy=Policy(breaker="sms-gateway")
)


async def guarded(scene: Scene, *, spec: BreakerSpec = SPEC, room: int = 2) -> ScriptedExecutor:
    """An executor whose job calls what a breaker guards."""
    await scene.scheduler.limits.breakers.set(NAMESPACE, "sms-gateway", spec, actor=ANNA)
    executor = scene.executor(room=room)
    executor.jobs = [JOB]
    await executor.connect()
    await settled(scene)
    return executor


async def settled(scene: Scene) -> None:
    await scene.scheduler.limits.own_lines.tick()
    await scene.scheduler.limits.gates.tick()


async def turned(scene: Scene, seconds: float = 1.0) -> Breaker:
    """Time passes, and breakers are looked at."""
    scene.clock.advance(seconds)
    await scene.scheduler.limits.turning.tick()
    return scene.scheduler.catalog.breakers[NAMESPACE, "sms-gateway"]


async def started(scene: Scene, executor: ScriptedExecutor) -> list[Start]:
    await scene.dispatch()
    return [await executor.link.expect(Start) for _ in range(executor.link.count(Start))]


def failing(start: Start, *kinds: str, after: float | None = None) -> list[Ended]:
    failure = Failure(error="OSError", message="HTTP 503")
    return [
        Ended(run=run, token=start.token, outcome=Outcome.FAILED, failure=failure, kinds=kinds, after=after)
        for run in start.runs
    ]


async def fail(executor: ScriptedExecutor, starts: Sequence[Start], *kinds: str, after: float | None = None) -> None:
    for start in starts:
        ended = failing(start, *(kinds or ("OSError",)), after=after)
        await executor.settled(executor.say_outcomes([], [], [], ended))


async def tripped(scene: Scene) -> tuple[ScriptedExecutor, list[RunId]]:
    """A breaker that two failed attempts have opened, with runs that wait."""
    executor = await guarded(scene)
    runs = await scene.enqueue(count=5)
    await settled(scene)
    await fail(executor, await started(scene, executor))
    assert (await turned(scene)).state is BreakerState.OPEN
    return executor, runs


async def test_runs_wait_while_it_is_open_and_no_attempt_is_spent(scene: Scene) -> None:
    executor, runs = await tripped(scene)

    assert await started(scene, executor) == []
    last = await scene.run(runs[-1])
    assert (last.state, last.reason, last.attempt, last.failures) == (RunState.WAITING, "breaker", 0, 0)
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, runs[-1])
    assert reasons[0].code == "breaker_open"
    assert reasons[0].text == "Breaker sms-gateway is open: 100% of 2 calls failed. No attempt is spent"
    assert reasons[0].until is not None


async def test_probes_go_through_one_gate_and_close_it(scene: Scene) -> None:
    executor, runs = await tripped(scene)
    assert (await turned(scene, 12.0)).state is BreakerState.HALF_OPEN
    probes = await started(scene, executor)
    assert sum(len(start.runs) for start in probes) == 2
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, runs[-1])
    assert reasons[0].code == "breaker_half_open"
    for probe in probes:
        await executor.settled(executor.report(probe))
    assert await started(scene, executor) == []
    closed = await turned(scene)
    assert (closed.state, closed.wave) == (BreakerState.CLOSED, 2)


async def test_probes_that_fail_open_it_for_longer(scene: Scene) -> None:
    executor, _ = await tripped(scene)
    await turned(scene, 12.0)
    await fail(executor, await started(scene, executor))
    again = await turned(scene)

    assert (again.state, again.streak) == (BreakerState.OPEN, 1)
    assert again.until is not None
    assert 17 < (again.until - again.since).total_seconds() < 23


async def test_an_ignored_error_gives_its_probe_back(scene: Scene) -> None:
    executor, _ = await tripped(scene)
    await turned(scene, 12.0)
    await fail(executor, await started(scene, executor), "InvalidNumber")
    assert (await turned(scene)).state is BreakerState.HALF_OPEN

    assert sum(len(start.runs) for start in await started(scene, executor)) == 2


async def test_attempts_from_before_it_opened_count_for_nothing(scene: Scene) -> None:
    executor = await guarded(scene, room=4)
    await scene.enqueue(count=4)
    await settled(scene)
    [start] = await started(scene, executor)
    early, late = failing(start, "OSError")[:2], failing(start, "OSError")[2:]
    await executor.settled(executor.say_outcomes([], [], [], early))
    first = await turned(scene)
    await executor.settled(executor.say_outcomes([], [], [], late))
    second = await turned(scene)

    assert first.state is BreakerState.OPEN
    assert (second.epoch, second.until) == (first.epoch, first.until)


async def test_waves_grow_until_everything_is_let_go(scene: Scene) -> None:
    executor, _ = await tripped(scene)
    await turned(scene, 12.0)
    for probe in await started(scene, executor):
        await executor.settled(executor.report(probe))
    closed = await turned(scene)
    over = await turned(scene, 6.0)

    assert closed.wave == 2
    assert (over.state, over.wave, over.streak) == (BreakerState.CLOSED, 0, 0)


async def test_one_sick_executor_of_two_does_not_open_it(scene: Scene) -> None:
    sick = await guarded(scene, room=3)
    well = scene.executor("e2", room=3)
    well.jobs = [JOB]
    await well.connect()
    await scene.enqueue(count=6)
    await settled(scene)
    await fail(sick, await started(scene, sick))
    for start in [await well.link.expect(Start) for _ in range(well.link.count(Start))]:
        await well.settled(well.report(start))

    assert (await turned(scene)).state is BreakerState.CLOSED


async def test_a_longer_pause_that_the_downstream_wants_is_kept(scene: Scene) -> None:
    executor = await guarded(scene)
    await scene.enqueue(count=2)
    await settled(scene)
    await fail(executor, await started(scene, executor), after=45.0)
    opened = await turned(scene)

    assert opened.until is not None
    assert 43 < (opened.until - opened.since).total_seconds() <= 45


async def test_an_operator_holds_it_open_and_lets_go(scene: Scene) -> None:
    executor = await guarded(scene)
    breakers = scene.scheduler.limits.breakers
    await breakers.force_open(NAMESPACE, "sms-gateway", reason="gateway moves", actor=ANNA)
    [run] = await scene.enqueue()
    await settled(scene)

    assert await started(scene, executor) == []
    _, [first, *_] = await scene.scheduler.limits.why.run(NAMESPACE, run)
    assert first.text == 'Breaker sms-gateway is held open by anna ("gateway moves")'
    await breakers.resume(NAMESPACE, "sms-gateway", reason="", actor=ANNA)
    assert sum(len(start.runs) for start in await started(scene, executor)) == 1


@pytest.mark.parametrize("word", ["disable", "watch_only"])
async def test_one_that_only_watches_lets_everything_through(scene: Scene, word: str) -> None:
    executor, _ = await tripped(scene)
    breakers = scene.scheduler.limits.breakers
    await getattr(breakers, word)(NAMESPACE, "sms-gateway", reason="", actor=ANNA)
    await settled(scene)

    assert sum(len(start.runs) for start in await started(scene, executor)) == 2


async def test_code_may_name_a_breaker_that_nobody_has_defined(scene: Scene) -> None:
    executor = scene.executor()
    executor.jobs = [JOB]
    await executor.connect()

    assert (await turned(scene)).spec == BreakerSpec()


async def test_people_must_name_one_that_there_is(scene: Scene) -> None:
    await guarded(scene)
    breakers = scene.scheduler.limits.breakers
    with pytest.raises(NotFoundError, match="sms-gateway"):
        await breakers.get(NAMESPACE, "sms-gatway")
    with pytest.raises(ConflictError, match="report"):
        await breakers.delete(NAMESPACE, "sms-gateway", actor=ANNA)
    with pytest.raises(InvalidInputError, match="min_calls"):
        await breakers.set(NAMESPACE, "x", BreakerSpec(window_calls=1), actor=ANNA)
