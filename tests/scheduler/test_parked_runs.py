"""Calls inside handlers open a breaker for all executors; runs that found it open wait, and go on in waves."""

from collections.abc import Callable

import msgspec

from mainspring.domain.breakers.breaker import Breaker, BreakerState
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.run import RunState
from mainspring.scheduler.operations.jobs import ANY, Words
from mainspring.wire.breakers import AnnounceBreakers, AskPermits, CallReport, Permitted, ReportCalls
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA

SPEC = BreakerSpec(min_calls=4, probes=2, wait=10.0, witnesses=1)
GATEWAY = "sms-gateway"


async def connected(scene: Scene) -> ScriptedExecutor:
    await scene.scheduler.limits.breakers.set(NAMESPACE, GATEWAY, SPEC, actor=ANNA)
    executor = scene.executor(room=10)
    await executor.connect()
    return executor


async def reported(scene: Scene, executor: ScriptedExecutor, *entries: CallReport) -> None:
    executor.link.say(ReportCalls(list(entries)))
    await executor.settled(executor.say_outcomes([], [], [], []))
    scene.clock.advance(1.0)
    await scene.scheduler.limits.turning.tick()


def known(scene: Scene, label: str = GATEWAY) -> Breaker:
    return scene.scheduler.catalog.breakers[NAMESPACE, label]


async def opened(scene: Scene) -> ScriptedExecutor:
    executor = await connected(scene)
    await reported(scene, executor, CallReport(GATEWAY, 1, 6, 4, 0, 0))
    assert known(scene).state is BreakerState.OPEN
    return executor


async def parked(scene: Scene, executor: ScriptedExecutor, count: int = 1) -> list[RunId]:
    runs = await scene.enqueue(count=count)
    await scene.dispatch()
    for start in [await executor.link.expect(Start) for _ in range(executor.link.count(Start))]:
        ended = [
            Ended(run=run, token=start.token, outcome=Outcome.PARKED, breaker=GATEWAY, epoch=2, after=9.0)
            for run in start.runs
        ]
        await executor.settled(executor.say_outcomes([], [], [], ended))
    return runs


async def released(scene: Scene, runs: list[RunId]) -> int:
    await scene.scheduler.limits.releasing.tick()
    states = await scene.store.runs.states(runs)
    return sum(state is RunState.QUEUED for state in states.values())


async def test_reports_open_a_breaker_and_every_executor_is_told(scene: Scene) -> None:
    await opened(scene)
    other = scene.executor("e2")
    await other.connect()
    told = await other.link.expect(AnnounceBreakers)

    assert [(view.breaker, view.state, view.epoch) for view in told.breakers] == [(GATEWAY, BreakerState.OPEN, 2)]


async def test_reports_of_another_epoch_count_for_nothing(scene: Scene) -> None:
    executor = await opened(scene)
    before = known(scene)
    await reported(scene, executor, CallReport(GATEWAY, 1, 50, 50, 0, 0))

    assert known(scene).until == before.until


async def test_a_breaker_that_nobody_defined_is_made_by_its_first_call_and_one_of_a_key_by_its_first_failure(
    scene: Scene,
) -> None:
    executor = await connected(scene)
    reports = [CallReport("api", 0, 1, 0, 0, 0), CallReport(f"{GATEWAY}[eu]", 0, 1, 1, 0, 0)]
    await reported(scene, executor, *reports, CallReport(f"{GATEWAY}[us]", 0, 1, 0, 0, 0))

    assert known(scene, "api").spec == BreakerSpec()
    assert known(scene, f"{GATEWAY}[eu]").spec == SPEC
    assert (NAMESPACE, f"{GATEWAY}[us]") not in scene.scheduler.catalog.breakers


async def test_lies_about_calls_are_refused(scene: Scene) -> None:
    executor = await connected(scene)
    lies = [CallReport(GATEWAY, 1, 1, 9, 0, 0), CallReport("\n", 1, 1, 0, 0, 0), CallReport("x" * 500, 1, 1, 0, 0, 0)]
    await reported(scene, executor, *lies)

    assert scene.scheduler.gateway.receiving.refused == 3
    assert known(scene).state is BreakerState.CLOSED


async def test_a_parked_run_waits_without_a_failure_and_says_why(scene: Scene) -> None:
    executor = await opened(scene)
    [run] = await parked(scene, executor)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert (found.state, found.reason, found.failures, found.losses) == (RunState.WAITING, "breaker", 0, 0)
    assert (reasons[0].code, reasons[0].until) == ("breaker_open", known(scene).until)
    assert await released(scene, [run]) == 0


async def test_probes_go_first_and_waves_follow(scene: Scene) -> None:
    executor = await opened(scene)
    runs = await parked(scene, executor, 10)
    scene.clock.advance(12.0)
    await scene.scheduler.limits.turning.tick()
    assert known(scene).state is BreakerState.HALF_OPEN
    assert [await released(scene, runs), await released(scene, runs)] == [2, 2]
    executor.link.say(AskPermits(GATEWAY, known(scene).epoch, 5))
    assert (await executor.link.expect(Permitted)).count == 2
    await reported(scene, executor, CallReport(GATEWAY, known(scene).epoch, 2, 0, 0, 0))
    assert (known(scene).state, known(scene).wave) == (BreakerState.CLOSED, 2)

    waves = [await released(scene, runs)]
    for _ in range(2):
        scene.clock.advance(1.0)
        waves.append(await released(scene, runs))
    assert waves == [4, 6, 8]


async def test_an_operators_reset_lets_all_of_them_go(scene: Scene) -> None:
    executor = await opened(scene)
    runs = await parked(scene, executor, 5)
    await scene.scheduler.limits.breakers.reset(NAMESPACE, GATEWAY, reason="", actor=ANNA)

    assert await released(scene, runs) == 5


async def test_executors_are_told_which_jobs_stop_while_a_breaker_is_open(scene: Scene) -> None:
    executor = await opened(scene)
    told = await executor.link.expect(AnnounceBreakers)
    assert [view.stops for view in told.breakers] == [[]]
    executor.link.heard.clear()

    policy = Policy(breaker=GATEWAY, stop_when_open=True)
    edit: Callable[[JobSpec], JobSpec] = lambda spec: msgspec.structs.replace(spec, policy=policy)  # noqa: E731
    await scene.scheduler.jobs.change(NAMESPACE, "report", edit, ANY, Words(actor=ANNA))
    [view] = (await executor.link.expect(AnnounceBreakers)).breakers

    assert (view.state, view.stops) == (BreakerState.OPEN, ["report"])


async def test_attempts_are_started_with_their_job_where_that_has_a_breaker(scene: Scene) -> None:
    policy = Policy(breaker=GATEWAY, stop_when_open=True)
    await scene.scheduler.limits.breakers.set(NAMESPACE, GATEWAY, SPEC, actor=ANNA)
    executor = scene.executor(room=10)
    executor.jobs = [
        JobSpec(name="guarded", handler="report", policy=policy),
        JobSpec(name="plain", handler="report"),
    ]
    await executor.connect()
    await scene.scheduler.catalog.tick()
    for job in ("guarded", "plain"):
        await scene.enqueue(job)
    await scene.dispatch()

    starts = [await executor.link.expect(Start) for _ in range(executor.link.count(Start))]
    told = {start.jobs[position] if start.jobs else "" for start in starts for position in start.handlers}
    assert told == {"guarded", ""}
