"""Cancelling runs and running them again: decided by the locks of their rows, recorded with each change."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import CANCELLING, Decision, Ended, Held, Outcome, Verdict
from mainspring.domain.runs.cancel import Cancelled, CancelRequest, Retried
from mainspring.domain.runs.retry import after_attempt
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.store.interface import AuditFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, job_spec, new_run, run_ids, successes, token
from tests.store.scene import Scene
from tests.words import ANNA, SECOND


async def cancel(scene: Scene, *runs: RunId, reason: str = "") -> dict[RunId, Cancelled]:
    return await scene.store.runs.cancel(NAMESPACE, runs, reason=reason, actor=ANNA, now=START + SECOND)


async def retry(scene: Scene, run: RunId, *, force: bool = False) -> Retried | None:
    return await scene.store.runs.retry(NAMESPACE, run, force=force, reason="again", actor=ANNA, now=START + 2 * SECOND)


async def audited(scene: Scene) -> list[tuple[str, str, dict[str, object]]]:
    entries = await scene.store.access.audit(AuditFilter(kind="run"))
    return [(one.act, one.actor.name, msgspec.json.decode(one.details)) for _, one in entries]


def decide(held: Held, end: Ended) -> Decision:
    """The rule itself, as the scheduler applies it."""
    return after_attempt(end, held, spec=job_spec(attempts=5), now=START, jitter=lambda: 0.5)


async def test_a_queued_run_is_cancelled_at_once_and_says_why(scene: Scene) -> None:
    [run] = await scene.add()
    found = await cancel(scene, run, reason="a typo")

    assert found == {run: Cancelled(RunState.CANCELLED)}
    over = await scene.get(run)
    assert (over.state, over.reason, over.attempt, over.started_at) == (RunState.CANCELLED, "a typo", 0, None)
    assert (over.finished_at, over.input) == (START + SECOND, b'{"args":[]}')
    assert await scene.claimed() == []
    assert await audited(scene) == [("run.cancel", "anna", {"reason": "a typo"})]


async def test_a_run_that_is_due_later_is_cancelled_as_well(scene: Scene) -> None:
    [run] = await scene.add(due_at=START + timedelta(days=1))

    assert await cancel(scene, run) == {run: Cancelled(RunState.CANCELLED)}
    assert (await scene.get(run)).reason is None


async def test_a_running_run_is_marked_and_its_attempt_named(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    wish = CancelRequest(run, mine, scene.session.id)

    assert await cancel(scene, run, reason="stop it") == {run: Cancelled(RunState.RUNNING, wish)}
    going = await scene.get(run)
    assert (going.state, going.reason) == (RunState.RUNNING, "cancelling")
    assert await scene.store.runs.stop_requests([scene.session.id], reason=CANCELLING) == [wish]
    assert await audited(scene) == [("run.cancel", "anna", {"reason": "stop it"})]


async def test_only_the_wishes_of_the_sessions_asked_about_are_told(scene: Scene) -> None:
    ((run, _), _) = await scene.started(2)
    await cancel(scene, run)

    assert await scene.store.runs.stop_requests([await scene.add_session()], reason=CANCELLING) == []
    assert await scene.store.runs.stop_requests([], reason=CANCELLING) == []


async def test_a_cancel_that_is_repeated_changes_and_records_nothing(scene: Scene) -> None:
    ((running, mine),) = await scene.started()
    [queued] = await scene.add()
    await cancel(scene, running, queued, reason="first")
    again = await cancel(scene, running, queued, reason="second")

    assert again == {
        running: Cancelled(RunState.RUNNING, CancelRequest(running, mine, scene.session.id)),
        queued: Cancelled(RunState.CANCELLED),
    }
    assert (await scene.get(queued)).reason == "first"
    assert len(await audited(scene)) == 2


@pytest.mark.parametrize(
    "outcome", [Outcome.CANCELLED, Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST, Outcome.RELEASED]
)
async def test_whatever_a_cancelled_attempt_ends_with_its_run_is_cancelled(scene: Scene, outcome: Outcome) -> None:
    ((run, mine),) = await scene.started()
    await cancel(scene, run, reason="stop it")
    states = await scene.store.runs.settle([ended(run, mine, outcome)], decide, now=START + SECOND)

    assert states == {run: RunState.CANCELLED}
    over = await scene.get(run)
    assert (over.state, over.reason, over.executor) == (RunState.CANCELLED, "stop it", "executor-1")
    assert await scene.claimed() == []
    assert await scene.store.runs.stop_requests([scene.session.id], reason=CANCELLING) == []


async def test_a_success_that_was_faster_stands(scene: Scene) -> None:
    started = await scene.started()
    await cancel(scene, started[0][0])
    assert await scene.succeed(started) == 1

    over = await scene.get(started[0][0])
    assert (over.state, over.reason) == (RunState.SUCCEEDED, None)


async def test_a_cancelled_attempt_leaves_a_record(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    await cancel(scene, run)
    await scene.store.runs.settle([ended(run, mine, Outcome.CANCELLED)], decide, now=START + SECOND)

    [attempt] = await scene.store.runs.attempts(run)
    assert (attempt.number, attempt.outcome, attempt.executor) == (1, "cancelled", "executor-1")


async def test_a_claim_that_is_put_back_does_not_revive_what_was_cancelled(scene: Scene) -> None:
    (kept, cancelled) = await scene.started(2)
    await cancel(scene, cancelled[0])
    assert await scene.store.runs.unclaim([scene.session.id], token=kept[1]) == 1

    assert [run for run, _ in await scene.claimed(2)] == [kept[0]]
    assert (await scene.get(cancelled[0])).reason == "cancelling"


@pytest.mark.parametrize("state", [RunState.SUCCEEDED, RunState.FAILED])
async def test_a_run_that_has_ended_is_not_changed_by_a_cancel(scene: Scene, state: RunState) -> None:
    ((run, mine),) = await scene.started()
    if state is RunState.SUCCEEDED:
        await scene.succeed([(run, mine)])
    else:
        await scene.settle([ended(run, mine)], Decision(RunState.FAILED, failures=1))
    before = await scene.get(run)

    assert await cancel(scene, run) == {run: Cancelled(state)}
    assert await scene.get(run) == before
    assert await audited(scene) == []


async def test_what_does_not_exist_or_belongs_to_others_is_left_out(scene: Scene) -> None:
    elsewhere = await scene.add_line("default", namespace="other")
    foreign = new_run(scene.job.id, elsewhere)
    await scene.store.runs.create("other", [foreign], now=START)
    [mine] = await scene.add()

    assert await cancel(scene, mine, foreign.id, *run_ids(1)) == {mine: Cancelled(RunState.CANCELLED)}
    assert await cancel(scene) == {}
    assert await retry(scene, foreign.id) is None
    [claim] = await scene.claim(lines=[elsewhere])
    assert claim.runs == [foreign.id]


async def test_many_are_cancelled_at_once_each_by_its_state(scene: Scene) -> None:
    ((running, mine),) = await scene.started()
    queued = await scene.add(300)
    found = await cancel(scene, running, *queued, *queued)

    assert {one.state for run, one in found.items() if run != running} == {RunState.CANCELLED}
    assert found[running].wish == CancelRequest(running, mine, scene.session.id)
    assert len(found) == 301
    assert await scene.claimed(10) == []


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.CANCELLED])
async def test_a_run_that_has_ended_is_queued_again_with_its_past(scene: Scene, state: RunState) -> None:
    ((run, mine),) = await scene.started()
    reason = "attempts_spent" if state is RunState.FAILED else None
    await scene.settle([ended(run, mine)], Decision(state, reason=reason, failures=1))
    before = await scene.get(run)
    assert await retry(scene, run) == Retried(state, scene.line)

    again = await scene.get(run)
    assert (again.state, again.reason, again.failures, again.losses) == (RunState.QUEUED, None, 0, 0)
    assert (again.due_at, again.created_at, again.input) == (START + 2 * SECOND, before.created_at, before.input)
    assert (again.attempt, again.finished_at, again.failure) == (1, None, None)
    assert [(one.number, one.outcome) for one in await scene.store.runs.attempts(run)] == [(1, "failed")]
    [claim] = await scene.claim(now=START + 2 * SECOND)
    assert (claim.runs, claim.attempts) == ([run], [2])
    assert (await audited(scene))[0] == (
        "run.retry",
        "anna",
        {"reason": "again", "state": state.label, "force": False},
    )


async def test_a_run_that_was_cancelled_before_it_began_is_queued_again(scene: Scene) -> None:
    [run] = await scene.add()
    await cancel(scene, run, reason="too early")

    assert await retry(scene, run) == Retried(RunState.CANCELLED, scene.line)
    again = await scene.get(run)
    assert (again.state, again.reason, again.attempt) == (RunState.QUEUED, None, 0)
    assert await scene.store.runs.attempts(run) == []


async def test_a_run_that_has_succeeded_is_run_again_only_by_force(scene: Scene) -> None:
    started = await scene.started()
    run = started[0][0]
    await scene.succeed(started)
    assert await retry(scene, run) == Retried(RunState.SUCCEEDED)
    assert (await scene.get(run)).state is RunState.SUCCEEDED
    assert await audited(scene) == []

    assert await retry(scene, run, force=True) == Retried(RunState.SUCCEEDED, scene.line)
    again = await scene.get(run)
    assert (again.state, again.result) == (RunState.QUEUED, None)
    assert [(one.number, one.outcome) for one in await scene.store.runs.attempts(run)] == [(1, "succeeded")]


@pytest.mark.parametrize("running", [True, False])
async def test_a_live_run_is_not_run_again(scene: Scene, running: bool) -> None:
    [run] = await scene.add()
    if running:
        await scene.claimed()
    before = await scene.get(run)

    state = RunState.RUNNING if running else RunState.QUEUED
    assert await retry(scene, run, force=True) == Retried(state)
    assert await scene.get(run) == before
    assert await audited(scene) == []


async def test_an_unknown_run_cannot_be_run_again(scene: Scene) -> None:
    assert await retry(scene, run_ids(1)[0]) is None


@pytest.mark.parametrize("byte", [b"\x00", b"\xff"])
async def test_an_id_beyond_all_dates_is_unknown(scene: Scene, byte: bytes) -> None:
    run = RunId(byte * 16)

    assert await cancel(scene, run) == {}
    assert await retry(scene, run) is None
    assert await scene.store.runs.get(NAMESPACE, run) is None
    assert await scene.store.runs.attempts(run) == []


async def test_a_run_that_was_pruned_is_unknown(scene: Scene) -> None:
    [run] = await scene.add()
    await cancel(scene, run)
    await scene.store.cluster.prune(before=START + timedelta(days=2))

    assert await retry(scene, run) is None
    assert await cancel(scene, run) == {}


async def test_the_outcomes_of_former_attempts_stay_what_they_were(scene: Scene) -> None:
    first = (await scene.started())[0]
    await scene.succeed([first])
    await retry(scene, first[0], force=True)
    pairs = [first]
    assert await scene.succeed(pairs) == 0
    assert await scene.store.runs.verdicts(pairs) == {first[0]: Verdict.DUPLICATE}

    [second] = await scene.claimed(now=START + 2 * SECOND)
    assert await scene.succeed(pairs) == 0
    assert await scene.store.runs.verdicts(pairs) == {first[0]: Verdict.DUPLICATE}
    assert await scene.store.runs.verdicts([(first[0], token())]) == {first[0]: Verdict.STALE}
    assert await scene.store.runs.succeed(successes([second], result=b"2"), now=START + 2 * SECOND) == 1
    assert await scene.store.runs.verdicts([second]) == {first[0]: Verdict.DUPLICATE}
    assert (await scene.get(first[0])).result == b"2"


async def test_a_lost_attempt_stays_stale_after_a_retry(scene: Scene) -> None:
    ((run, lost),) = await scene.started()
    await scene.settle([ended(run, lost, Outcome.LOST)], Decision(RunState.FAILED, reason="quarantined", losses=1))
    await retry(scene, run)

    assert await scene.store.runs.verdicts([(run, lost)]) == {run: Verdict.STALE}
    assert await scene.succeed([(run, lost)]) == 0


async def test_creating_it_again_neither_doubles_nor_revives_a_run_that_was_retried(scene: Scene) -> None:
    wanted = new_run(scene.job.id, scene.line, key="once")
    await scene.store.runs.create(NAMESPACE, [wanted], now=START)
    later = START + 3 * SECOND

    async def create_again() -> RunState:
        await scene.store.runs.create(NAMESPACE, [wanted], now=later)
        return (await scene.get(wanted.id)).state

    await cancel(scene, wanted.id)
    assert await create_again() is RunState.CANCELLED
    await retry(scene, wanted.id)
    assert await create_again() is RunState.QUEUED
    [pair] = await scene.claimed(now=later)
    assert await create_again() is RunState.RUNNING
    await scene.succeed([pair], now=later)
    assert await create_again() is RunState.SUCCEEDED
    assert await scene.claimed(now=later) == []


async def test_the_key_of_a_retried_run_still_names_it(scene: Scene) -> None:
    wanted = new_run(scene.job.id, scene.line, key="once")
    await scene.store.runs.create(NAMESPACE, [wanted], now=START)
    await cancel(scene, wanted.id)
    await retry(scene, wanted.id)
    other = new_run(scene.job.id, scene.line, key="once")
    holders = await scene.store.runs.create(NAMESPACE, [other], now=START)

    assert holders[other.id].run == wanted.id
    assert (await scene.get(wanted.id)).key == "once"


async def test_a_run_ends_and_is_run_again_as_often_as_one_likes(scene: Scene) -> None:
    [run] = await scene.add()
    for number in range(1, 5):
        [pair] = await scene.claimed(now=START + 2 * SECOND)
        await scene.settle(
            [ended(*pair)], Decision(RunState.FAILED, failures=1), now=START + number * timedelta(days=1)
        )
        await retry(scene, run)

    assert [one.number for one in await scene.store.runs.attempts(run)] == [1, 2, 3, 4]
    assert (await scene.get(run)).attempt == 4


def limited(scene: Scene, seconds: float, **options: object) -> NewRun:
    made = new_run(scene.job.id, scene.line, **options)  # type: ignore[arg-type]
    made.deadline_at = START + seconds * SECOND
    return made


async def test_a_run_still_queued_at_its_deadline_fails(scene: Scene) -> None:
    early, late = limited(scene, 1), limited(scene, 5)
    await scene.store.runs.create(NAMESPACE, [early, late], now=START)
    await scene.add()
    runs = scene.store.runs
    assert await runs.expire(now=START + 0.9 * SECOND, limit=10) == []
    assert await runs.next_deadline() == early.deadline_at

    assert await runs.expire(now=START + SECOND, limit=10) == [early.id]
    failed = await scene.get(early.id)
    assert (failed.state, failed.reason, failed.failures) == (RunState.FAILED, "deadline_passed", 0)
    assert failed.finished_at == START + SECOND
    assert await runs.next_deadline() == late.deadline_at
    assert await runs.expire(now=START + 9 * SECOND, limit=10) == [late.id]
    assert await runs.next_deadline() is None


async def test_deadlines_are_swept_in_batches_the_earliest_first(scene: Scene) -> None:
    runs = [limited(scene, seconds) for seconds in (3, 1, 2)]
    await scene.store.runs.create(NAMESPACE, runs, now=START)
    later = START + 10 * SECOND

    assert await scene.store.runs.expire(now=later, limit=2) == [runs[1].id, runs[2].id]
    assert await scene.store.runs.expire(now=later, limit=2) == [runs[0].id]
    assert await scene.store.runs.expire(now=later, limit=2) == []


async def test_a_run_is_not_given_out_once_its_deadline_has_come(scene: Scene) -> None:
    wanted = limited(scene, 1)
    await scene.store.runs.create(NAMESPACE, [wanted], now=START)

    assert await scene.claimed(now=START + SECOND) == []
    assert [run for run, _ in await scene.claimed(now=START + 0.9 * SECOND)] == [wanted.id]


async def test_a_running_run_is_left_to_its_executor_at_its_deadline(scene: Scene) -> None:
    await scene.store.runs.create(NAMESPACE, [limited(scene, 1)], now=START)
    [pair] = await scene.claimed()
    assert await scene.store.runs.expire(now=START + 2 * SECOND, limit=10) == []
    assert await scene.store.runs.next_deadline() is None
    seen: list[Held] = []

    def watch(held: Held, end: Ended) -> Decision:
        seen.append(held)
        return decide(held, end)

    await scene.store.runs.settle([ended(*pair)], watch, now=START + 2 * SECOND)
    assert [held.deadline_at for held in seen] == [START + SECOND]


async def test_a_retry_keeps_a_deadline_to_come_and_drops_one_that_has_passed(scene: Scene) -> None:
    passed, to_come = limited(scene, 1), limited(scene, 60)
    await scene.store.runs.create(NAMESPACE, [passed, to_come], now=START)
    await scene.store.runs.expire(now=START + SECOND, limit=1)
    await cancel(scene, to_come.id)
    await retry(scene, passed.id)
    await retry(scene, to_come.id)

    assert (await scene.get(passed.id)).deadline_at is None
    assert (await scene.get(to_come.id)).deadline_at == START + 60 * SECOND
