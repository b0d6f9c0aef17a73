"""Timeouts, start deadlines, losses and what handlers ask for, through a whole server."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import Job, JobSpec, OnLost, RetryPolicy
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Failure, RunState
from mainspring.errors import ConflictError, InvalidInputError
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA


async def attach(scene: Scene, *, room: int = 100, **said: Any) -> ScriptedExecutor:
    """An executor whose job says this."""
    executor = scene.executor(room=room)
    executor.jobs = [msgspec.structs.replace(executor.jobs[0], **said)]
    await executor.connect()
    await scene.dispatch()
    return executor


async def ask(scene: Scene, **wanted: Any) -> RunId:
    [accepted] = await scene.accept(RunRequest(job="report", **wanted))
    await scene.dispatch()
    return accepted.id


def shortened(job: Job | None) -> JobSpec:
    assert job is not None
    return msgspec.structs.replace(job.spec, timeout=5.0)


async def end(executor: ScriptedExecutor, start: Start, **told: Any) -> None:
    ended = [Ended(run=run, token=start.token, **told) for run in start.runs]
    await executor.settled(executor.say_outcomes([], [], [], ended))


async def test_an_executor_is_told_how_long_its_handlers_may_take(scene: Scene) -> None:
    executor = await attach(scene, timeout=30.0)
    await ask(scene)
    eager = await executor.link.expect(Start)
    await ask(scene, due_at=scene.clock.now() + timedelta(seconds=1))
    scene.clock.advance(1)
    await scene.dispatch()

    assert (eager.timeouts, (await executor.link.expect(Start)).timeouts) == ([30.0], [30.0])


async def test_a_start_says_nothing_of_time_where_there_is_no_limit(scene: Scene) -> None:
    executor = await attach(scene)
    await ask(scene)

    assert (await executor.link.expect(Start)).timeouts == []


async def test_a_changed_timeout_holds_for_the_next_attempt(scene: Scene) -> None:
    executor = await attach(scene, timeout=30.0)
    await scene.store.jobs.define(
        NAMESPACE,
        "report",
        shortened,
        act="job.change",
        actor=ANNA,
        note="",
        now=scene.clock.now(),
    )
    await scene.scheduler.catalog.tick()
    await ask(scene)

    assert (await executor.link.expect(Start)).timeouts == [5.0]


@pytest.mark.parametrize("own", [True, False])
async def test_a_run_that_is_not_started_in_time_fails(scene: Scene, *, own: bool) -> None:
    await attach(scene, room=0, start_within=None if own else 3.0)
    run = await ask(scene, start_within=3.0 if own else None)
    scene.clock.advance(2.999)
    assert await scene.scheduler.expiring.tick() is False
    scene.clock.advance(0.001)
    while await scene.scheduler.expiring.tick():
        pass

    failed = await scene.run(run)
    assert (failed.state, failed.reason) == (RunState.FAILED, "start_deadline_passed")
    assert (failed.start_by, failed.deadline_at, failed.attempt) == (failed.finished_at, None, 0)


async def test_the_time_to_start_counts_from_when_the_run_is_due(scene: Scene) -> None:
    await attach(scene, room=0)
    due_at = scene.clock.now() + timedelta(hours=1)

    assert (await scene.run(await ask(scene, due_at=due_at, start_within=60.0))).start_by == due_at + timedelta(
        minutes=1
    )


async def test_a_run_that_starts_at_once_is_told_its_true_deadline(scene: Scene) -> None:
    executor = await attach(scene, start_within=3.0, deadline=60.0)
    run = await ask(scene)
    (told,) = (await executor.link.expect(Start)).extras

    deadline = scene.clock.now() + timedelta(minutes=1)
    assert (read_metadata(told).deadline, read_metadata(told).left) == (deadline, 60.0)
    assert (await scene.run(run)).deadline_at == deadline


async def test_a_job_has_a_deadline_for_runs_that_bring_none(scene: Scene) -> None:
    await attach(scene, room=0, deadline=60.0)
    now = scene.clock.now()
    usual, own = await ask(scene), await ask(scene, deadline_at=now + timedelta(seconds=5))

    assert (await scene.run(usual)).deadline_at == now + timedelta(minutes=1)
    assert (await scene.run(own)).deadline_at == now + timedelta(seconds=5)


@pytest.mark.parametrize("wrong", [0.0, -1.0, 1e10, float("nan")])
async def test_a_time_to_start_that_is_none_is_refused(scene: Scene, wrong: float) -> None:
    await attach(scene)
    with pytest.raises(InvalidInputError) as refused:
        await ask(scene, start_within=wrong)

    assert (refused.value.field, refused.value.code) == ("start_within", "bad_start_within")


async def test_a_snoozed_run_holds_no_slot_and_is_started_when_it_is_due(scene: Scene) -> None:
    executor = await attach(scene, room=1)
    first, second = await ask(scene), await ask(scene)
    await end(executor, await executor.link.expect(Start), outcome=Outcome.SNOOZED, after=60.0)
    await scene.dispatch()
    other = await executor.link.expect(Start)
    executor.report(other)
    await scene.scheduler.settling.tick()

    snoozed = await scene.run(first)
    assert other.runs == [second]
    assert (snoozed.state, snoozed.reason, snoozed.failures, snoozed.losses) == (RunState.QUEUED, "snoozed", 0, 0)
    assert await scene.store.runs.attempts(first) == []
    scene.clock.advance(60)
    await scene.dispatch()
    assert (await executor.link.expect(Start)).runs == [first]


async def test_what_a_policy_gives_up_on_is_not_tried_again(scene: Scene) -> None:
    executor = await attach(scene, retry=RetryPolicy(attempts=5, give_up_on=("LookupError",)))
    run = await ask(scene)
    failure = Failure(error="KeyError", message="gone")
    start = await executor.link.expect(Start)
    await end(executor, start, outcome=Outcome.FAILED, failure=failure, kinds=("KeyError", "LookupError"))

    failed = await scene.run(run)
    assert (failed.state, failed.reason, failed.failures) == (RunState.FAILED, "gave_up", 1)


async def test_a_handler_that_asks_for_another_try_gets_it_although_the_policy_names_other_errors(scene: Scene) -> None:
    executor = await attach(scene, retry=RetryPolicy(attempts=2, retry_on=("TimeoutError",)))
    run = await ask(scene)
    failure = Failure(error="Retry", message="busy", code="retry")
    told = {"outcome": Outcome.FAILED, "failure": failure, "kinds": ("retry", "Retry", "Exception"), "after": 0.0}
    await end(executor, await executor.link.expect(Start), **told)
    again = await scene.run(run)
    await scene.dispatch()
    await end(executor, await executor.link.expect(Start), **told)

    assert (again.state, again.reason, again.failures) == (RunState.QUEUED, "retry", 1)
    failed = await scene.run(run)
    assert (failed.state, failed.reason, failed.failures) == (RunState.FAILED, "attempts_spent", 2)


async def test_a_budget_counts_from_the_first_attempt_on(scene: Scene) -> None:
    executor = await attach(scene, retry=RetryPolicy(attempts=50, backoff=0.0, budget=10.0))
    run = await ask(scene)
    for _ in range(2):
        start = await executor.link.expect(Start)
        scene.clock.advance(6)
        await end(executor, start, outcome=Outcome.FAILED, failure=Failure(error="E"), duration=6_000_000)
        await scene.dispatch()

    failed = await scene.run(run)
    assert (failed.state, failed.reason, failed.failures) == (RunState.FAILED, "budget_spent", 2)


async def test_a_lost_run_whose_job_asks_waits_and_is_started_when_somebody_says_so(scene: Scene) -> None:
    executor = await attach(scene, on_lost=OnLost.ASK)
    run = await ask(scene)
    await end(executor, await executor.link.expect(Start), outcome=Outcome.LOST)
    waiting = await scene.run(run)
    assert (waiting.state, waiting.reason) == (RunState.WAITING, "lost")
    await scene.scheduler.steering.retry(NAMESPACE, run, actor=ANNA)
    await scene.dispatch()

    assert (await executor.link.expect(Start)).runs == [run]
    with pytest.raises(ConflictError, match="it is running"):
        await scene.scheduler.steering.retry(NAMESPACE, run, actor=ANNA)


async def test_a_lost_run_whose_job_says_so_fails(scene: Scene) -> None:
    executor = await attach(scene, on_lost=OnLost.FAIL)
    run = await ask(scene)
    await end(executor, await executor.link.expect(Start), outcome=Outcome.LOST)

    assert ((await scene.run(run)).state, (await scene.run(run)).reason) == (RunState.FAILED, "lost")


async def test_a_quarantined_run_shows_where_it_was_lost_and_what_was_beside_it(scene: Scene) -> None:
    executor = await attach(scene, losses_max=2)
    poison, bystander = await ask(scene), await ask(scene)
    await scene.let_pass(13)
    await executor.disconnect()
    other = scene.executor("e2")
    other.jobs = executor.jobs
    await other.connect()
    await scene.dispatch()
    await scene.let_pass(13)

    found = await scene.run(poison)
    assert (found.state, found.reason) == (RunState.FAILED, "quarantined")
    attempts = await scene.store.runs.attempts(poison)
    assert [(one.outcome, one.executor, one.failure and one.failure.code) for one in attempts] == [
        ("lost", "e1", "executor_lost"),
        ("lost", "e2", "executor_lost"),
    ]
    assert all(one.beside == (bystander,) for one in attempts)
