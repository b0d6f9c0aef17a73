"""Runs that are set aside, and when they go on."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.cancel import CancelRequest
from mainspring.domain.runs.retry import after_attempt
from mainspring.domain.runs.run import RunState, Suspension
from mainspring.domain.runs.suspension import SUSPENDING, Resumed, Suspended
from mainspring.store.interface import AuditFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, new_run, run_ids
from tests.store.scene import Scene
from tests.words import ANNA, HOUR

WHY = Suspension("the bank is closed", START + HOUR)
SPEC = JobSpec(name="report", handler="report")


async def suspend(scene: Scene, run: RunId, why: Suspension = WHY) -> Suspended | None:
    return await scene.store.runs.suspend(NAMESPACE, run, why, actor=ANNA, now=START)


async def resume(scene: Scene, run: RunId) -> Suspended | None:
    return await scene.store.runs.resume(NAMESPACE, run, reason="it is open", actor=ANNA, now=START)


async def settle(scene: Scene, end: Ended) -> dict[RunId, RunState]:
    """As a server does it."""

    def decide(held: Held, end: Ended) -> Decision:
        return after_attempt(end, held, spec=SPEC, now=START, jitter=lambda: 0.5)

    return await scene.store.runs.settle([end], decide, now=START)


async def shown(scene: Scene, run: RunId) -> tuple[RunState, str | None]:
    found = await scene.get(run)
    return found.state, found.reason


async def acts(scene: Scene) -> list[str]:
    return [entry.act for _, entry in await scene.store.access.audit(AuditFilter(kind="run"))]


async def test_a_queued_run_waits_at_once_and_goes_on_where_it_stood(scene: Scene) -> None:
    [run] = await scene.add(due_at=START)

    assert await suspend(scene, run) == Suspended(RunState.QUEUED, None, changed=True)
    assert await shown(scene, run) == (RunState.WAITING, "suspended")
    assert await scene.store.runs.suspensions([run]) == {run: WHY}
    assert await scene.claimed() == []

    assert await resume(scene, run) == Suspended(RunState.WAITING, "suspended", changed=True, line=scene.line)
    assert await shown(scene, run) == (RunState.QUEUED, None)
    assert await scene.store.runs.suspensions([run]) == {}
    assert [one for one, _ in await scene.claimed()] == [run]
    assert await acts(scene) == ["run.resume", "run.suspend"]


async def test_a_run_that_is_due_later_stays_due_then(scene: Scene) -> None:
    [run] = await scene.add(due_at=START + HOUR)
    await suspend(scene, run)

    await resume(scene, run)

    assert (await scene.get(run)).due_at == START + HOUR


async def test_the_wish_about_a_running_run_waits_for_its_attempt(scene: Scene) -> None:
    [(run, mine)] = await scene.started()
    wish = CancelRequest(run, mine, scene.session.id)

    assert await suspend(scene, run) == Suspended(RunState.RUNNING, None, changed=True, wish=wish)
    assert await shown(scene, run) == (RunState.RUNNING, "suspending")
    assert await scene.store.runs.stop_requests([scene.session.id], reason=SUSPENDING) == [wish]

    assert await settle(scene, ended(run, mine, Outcome.SUSPENDED)) == {run: RunState.WAITING}
    assert await shown(scene, run) == (RunState.WAITING, "suspended")
    assert await scene.store.runs.suspensions([run]) == {run: WHY}
    assert await scene.store.runs.stop_requests([scene.session.id], reason=SUSPENDING) == []
    assert [one.outcome for one in await scene.store.runs.attempts(run)] == ["suspended"]
    found = await scene.get(run)
    assert (found.failures, found.losses) == (0, 0)


@pytest.mark.parametrize("outcome", [Outcome.LOST, Outcome.RELEASED])
async def test_whatever_the_attempt_ends_with_the_run_does_not_go_on(scene: Scene, outcome: Outcome) -> None:
    [(run, mine)] = await scene.started()
    await suspend(scene, run)

    await settle(scene, ended(run, mine, outcome))

    assert await shown(scene, run) == (RunState.WAITING, "suspended")


async def test_a_success_stands_and_so_does_a_cancel(scene: Scene) -> None:
    good, unwanted = await scene.started(2)
    for run, _ in (good, unwanted):
        await suspend(scene, run)
    await scene.store.runs.cancel(NAMESPACE, [unwanted[0]], reason="enough", actor=ANNA, now=START)

    await scene.succeed([good])
    await settle(scene, ended(*unwanted, Outcome.SUSPENDED))

    assert await shown(scene, good[0]) == (RunState.SUCCEEDED, None)
    assert await shown(scene, unwanted[0]) == (RunState.CANCELLED, "enough")
    assert await scene.store.runs.resume_due(until=START + HOUR, limit=10) == {}
    assert await scene.store.runs.next_resume() is None


async def test_a_claim_that_is_put_back_leaves_the_wish_alone(scene: Scene) -> None:
    [(run, mine)] = await scene.started()
    await suspend(scene, run)

    assert await scene.store.runs.unclaim([scene.session.id], token=mine) == 0
    assert await shown(scene, run) == (RunState.RUNNING, "suspending")


async def test_a_wish_can_be_taken_back_before_the_handler_yields(scene: Scene) -> None:
    [(run, mine)] = await scene.started()
    await suspend(scene, run)

    found = await resume(scene, run)

    assert found is not None
    assert (found.state, found.changed) == (RunState.RUNNING, True)
    assert await shown(scene, run) == (RunState.RUNNING, None)
    assert await settle(scene, ended(run, mine, Outcome.SUSPENDED)) == {run: RunState.QUEUED}


async def test_a_handler_sets_its_own_run_aside(scene: Scene) -> None:
    [(run, mine)] = await scene.started()

    await settle(scene, Ended(run=run, token=mine, outcome=Outcome.SUSPENDED, suspension=WHY))

    assert await shown(scene, run) == (RunState.WAITING, "suspended")
    assert await scene.store.runs.suspensions([run]) == {run: WHY}


async def test_runs_go_on_when_their_instant_has_come(scene: Scene) -> None:
    soon, later, open_ended = await scene.add(3)
    for run, resume_at in ((soon, START + HOUR), (later, START + 2 * HOUR), (open_ended, None)):
        await suspend(scene, run, Suspension("", resume_at))

    assert await scene.store.runs.next_resume() == START + HOUR
    assert await scene.store.runs.resume_due(until=START, limit=10) == {}
    assert await scene.store.runs.resume_due(until=START + HOUR, limit=10) == {soon: Resumed(scene.line, START + HOUR)}
    assert await shown(scene, soon) == (RunState.QUEUED, None)
    assert await shown(scene, later) == (RunState.WAITING, "suspended")
    assert await scene.store.runs.next_resume() == START + 2 * HOUR


async def test_a_second_suspend_changes_reason_and_instant(scene: Scene) -> None:
    [run] = await scene.add()
    await suspend(scene, run)

    found = await suspend(scene, run, Suspension("for good"))

    assert found == Suspended(RunState.WAITING, "suspended", changed=True)
    assert await scene.store.runs.suspensions([run]) == {run: Suspension("for good")}


async def test_the_deadline_of_a_suspended_run_still_counts(scene: Scene) -> None:
    run = msgspec.structs.replace(new_run(scene.job.id, scene.line), deadline_at=START + HOUR)
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    await suspend(scene, run.id, Suspension("for good"))

    assert await scene.store.runs.expire(now=START + HOUR, limit=10) == [run.id]
    assert await shown(scene, run.id) == (RunState.FAILED, "deadline_passed")


@pytest.mark.parametrize("final", [RunState.SUCCEEDED, RunState.FAILED])
async def test_what_has_ended_is_neither_suspended_nor_resumed(scene: Scene, final: RunState) -> None:
    [(run, mine)] = await scene.started()
    if final is RunState.SUCCEEDED:
        await scene.succeed([(run, mine)])
    else:
        await scene.settle([ended(run, mine, Outcome.FAILED)], Decision(RunState.FAILED, failures=1))

    assert await suspend(scene, run) == Suspended(final)
    assert await resume(scene, run) == Suspended(final)
    assert await acts(scene) == []


async def test_what_is_not_suspended_is_not_resumed(scene: Scene) -> None:
    [queued] = await scene.add(due_at=START + HOUR)
    [(running, _)] = await scene.started()

    assert await resume(scene, queued) == Suspended(RunState.QUEUED)
    assert await resume(scene, running) == Suspended(RunState.RUNNING)
    assert await acts(scene) == []


async def test_what_is_being_cancelled_or_waits_for_a_word_is_not_suspended(scene: Scene) -> None:
    (run, _), (lost, mine) = await scene.started(2)
    await scene.store.runs.cancel(NAMESPACE, [run], reason="", actor=ANNA, now=START)
    await scene.settle([ended(lost, mine, Outcome.LOST)], Decision(RunState.WAITING, reason="lost", losses=1))

    assert await suspend(scene, run) == Suspended(RunState.RUNNING, "cancelling")
    assert await suspend(scene, lost) == Suspended(RunState.WAITING, "lost")
    assert await shown(scene, lost) == (RunState.WAITING, "lost")


async def test_a_run_of_another_namespace_does_not_exist(scene: Scene) -> None:
    [run] = await scene.add()
    other, now = "other", START

    assert await scene.store.runs.suspend(other, run, WHY, actor=ANNA, now=now) is None
    assert await scene.store.runs.resume(other, run, reason="", actor=ANNA, now=now) is None
    assert await suspend(scene, run_ids(1)[0]) is None
    assert await shown(scene, run) == (RunState.QUEUED, None)


async def test_a_suspension_does_not_outlive_its_run(scene: Scene) -> None:
    [(run, mine)] = await scene.started()
    await suspend(scene, run)
    await scene.succeed([(run, mine)])

    await scene.store.cluster.prune(before=START + timedelta(days=31))

    assert await scene.store.runs.next_resume() is None
