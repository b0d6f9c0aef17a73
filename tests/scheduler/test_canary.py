"""A version of the code gets its share of a job's runs, and no other runs."""

import pytest

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.limits.policy import Policy
from mainspring.domain.routing.canary import Canary, CanarySide, reason_to_stop
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Failure, RunState
from mainspring.store.interface import AuditFilter
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor

CANARY = Policy(canary=Canary("2.5", 0.05))
JUDGED = Policy(canary=Canary("2.5", 0.5, stop_above=0.25, min_runs=4))


async def join(scene: Scene, version: str, policy: Policy = CANARY) -> ScriptedExecutor:
    executor = scene.executor(f"e-{version}")
    retry = RetryPolicy(attempts=2, backoff=60)
    executor.jobs = [JobSpec(name="report", handler="report", policy=policy, retry=retry)]
    executor.code_version = version
    await executor.connect()
    await scene.scheduler.catalog.tick()
    return executor


async def leave(scene: Scene, executor: ScriptedExecutor) -> None:
    await scene.store.cluster.close_session(executor.session, now=scene.clock.now())
    await executor.disconnect()
    await scene.scheduler.catalog.tick()


async def turn(scene: Scene) -> None:
    while await scene.scheduler.limits.routing.tick():
        pass
    await scene.dispatch()


def count(executor: ScriptedExecutor) -> int:
    return sum(len(message.runs) for message in executor.link.heard if isinstance(message, Start))


async def test_the_canary_gets_its_share_and_no_more(scene: Scene) -> None:
    old, new = await join(scene, "2.4"), await join(scene, "2.5")
    await scene.accept(*[RunRequest(job="report")] * 60)
    await turn(scene)

    assert (count(old), count(new)) == (57, 3)


@pytest.mark.parametrize("version", ["2.4", "2.5"])
async def test_whichever_version_is_alone_gets_all(scene: Scene, version: str) -> None:
    executor = await join(scene, version)
    await scene.accept(*[RunRequest(job="report")] * 30)
    await turn(scene)

    assert count(executor) == 30


async def test_runs_of_a_version_that_goes_are_given_to_the_other(scene: Scene) -> None:
    old, new = await join(scene, "2.4"), await join(scene, "2.5")
    await scene.scheduler.limits.routing.tick()
    accepted = await scene.accept(*[RunRequest(job="report")] * 20)
    await scene.scheduler.limits.routing.tick()
    await leave(scene, new)
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, accepted[-1].id)
    assert (found.state, reasons[0].code) == (RunState.WAITING, "address")
    assert reasons[0].text == "It is for code version 2.5, of which there is none"
    for _ in range(4):
        scene.clock.advance(3)
        await scene.scheduler.catalog.tick()
        await turn(scene)

    assert count(old) == 20


async def end_all(executor: ScriptedExecutor, *, failing: int = 0) -> None:
    """Let what it was given end, so many of it by failures."""
    starts = [message for message in executor.link.heard if isinstance(message, Start)]
    executor.link.heard[:] = [message for message in executor.link.heard if not isinstance(message, Start)]
    for start in starts:
        bad, good = start.runs[:failing], start.runs[failing:]
        failing -= len(bad)
        ended = [
            Ended(
                run=run, token=start.token, outcome=Outcome.FAILED, failure=Failure(error="ValueError", message="bad")
            )
            for run in bad
        ]
        done = [start.token] * len(good)
        await executor.settled(executor.say_outcomes(list(good), done, [b"null"] * len(good), list(ended)))


async def roll_up(scene: Scene) -> None:
    scene.clock.advance(15)
    while await scene.scheduler.observation.rolling.tick():
        pass


async def test_a_canary_that_fails_too_often_is_stopped_and_its_runs_go_to_the_others(scene: Scene) -> None:
    old, new = await join(scene, "2.4", JUDGED), await join(scene, "2.5", JUDGED)
    accepted = await scene.accept(*[RunRequest(job="report")] * 16)
    await turn(scene)
    await end_all(old)
    await end_all(new, failing=3)
    await roll_up(scene)
    trial = await scene.scheduler.limits.canaries.trial(NAMESPACE, "report")
    assert (trial.tried, trial.others) == (CanarySide(succeeded=5, retrying=3), CanarySide(succeeded=8))

    await scene.scheduler.limits.canaries.tick()
    job = scene.scheduler.catalog.jobs[NAMESPACE, "report"]
    assert job.spec.policy.canary == Canary("2.5", 0.0, stop_above=0.25, min_runs=4)
    [(_, entry)] = await scene.store.access.audit(AuditFilter(namespace=NAMESPACE, act="job.define", limit=5))
    assert entry.actor == SYSTEM
    [version, *_] = await scene.scheduler.jobs.versions(NAMESPACE, "report", before=None, limit=1)
    assert version.note == "canary 2.5 stopped: 38% of its 8 runs failed"

    scene.clock.advance(60)
    await turn(scene)
    assert (count(old), count(new)) == (3, 0)
    await end_all(old)
    states = {run.state for run in [await scene.store.runs.get(NAMESPACE, one.id) for one in accepted] if run}
    assert states == {RunState.SUCCEEDED}


async def test_a_stopped_canary_that_is_alone_gets_nothing_and_why_says_so(scene: Scene) -> None:
    stopped = Policy(canary=Canary("2.5", 0.0, stop_above=0.25))
    new = await join(scene, "2.5", stopped)
    [accepted] = await scene.accept(RunRequest(job="report"))
    for _ in range(4):
        scene.clock.advance(3)
        await turn(scene)
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, accepted.id)

    assert count(new) == 0
    assert reasons[0].text == "It is for code of another version than 2.5, of which there is none"
    old = await join(scene, "2.4", stopped)
    await turn(scene)
    assert count(old) == 1


@pytest.mark.parametrize(
    ("canary", "side", "reason"),
    [
        (Canary("2", 0.1, 0.05), CanarySide(succeeded=18, failed=1), None),
        (Canary("2", 0.1, 0.05), CanarySide(succeeded=19, failed=1), None),
        (
            Canary("2", 0.1, 0.05),
            CanarySide(succeeded=18, failed=1, retrying=1),
            "canary 2 stopped: 10% of its 20 runs failed",
        ),
        (Canary("2", 0.1), CanarySide(failed=100), None),
        (Canary("2", 0.0, 0.05), CanarySide(failed=100), None),
        (Canary("2", 0.1, 0.0, min_runs=1), CanarySide(failed=1), "canary 2 stopped: 100% of its 1 runs failed"),
    ],
)
def test_a_canary_is_judged_by_enough_runs(canary: Canary, side: CanarySide, reason: str | None) -> None:
    assert reason_to_stop(canary, side) == reason
