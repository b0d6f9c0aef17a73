"""The way out of an attempt: only by the pair of run and token, and only once."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome, Verdict
from mainspring.domain.runs.run import Failure, RunState
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, run_ids, successes, token
from tests.store.scene import Scene
from tests.words import SECOND


async def test_a_succeeded_run_moves_to_history_with_its_result(scene: Scene) -> None:
    await scene.add()
    started = await scene.claimed(now=START + SECOND)
    done = successes(started, result=b'{"rows":3}', wait=250)

    assert await scene.store.runs.succeed(done, now=START + 2 * SECOND) == 1
    found = await scene.get(started[0][0])
    assert (found.state, found.result, found.attempt) == (RunState.SUCCEEDED, b'{"rows":3}', 1)
    assert (found.created_at, found.due_at) == (START, START)
    assert (found.started_at, found.finished_at) == (START + 1.25 * SECOND, START + 2 * SECOND)
    assert (found.executor, found.failure, found.input) == ("executor-1", None, b'{"args":[]}')


async def test_a_succeeded_run_is_held_by_nobody_and_claimed_by_nobody(scene: Scene) -> None:
    await scene.succeed(await scene.started())

    assert await scene.held() == []
    assert await scene.claimed() == []


async def test_results_keep_to_their_runs(scene: Scene) -> None:
    started = await scene.started(3)
    done = successes(started)
    done.results[:] = [b"1", b"", b"\x00\xff"]
    await scene.store.runs.succeed(done, now=START)

    assert [(await scene.get(run)).result for run, _ in started] == [b"1", b"", b"\x00\xff"]


async def test_an_outcome_with_an_old_token_changes_nothing(scene: Scene) -> None:
    ((run, old),) = await scene.started()
    await scene.store.runs.unclaim([scene.session.id], token=old)
    ((_, new),) = await scene.claimed()

    assert await scene.succeed([(run, old)]) == 0
    assert await scene.settle([ended(run, old)]) == {}
    assert [held.token for held in await scene.held()] == [new]


async def test_a_stale_token_is_not_saved_by_another_run_of_the_batch_that_has_it(scene: Scene) -> None:
    first, second = await scene.started(2)
    await scene.store.runs.unclaim([scene.session.id], token=first[1])
    again = await scene.claimed(2)
    ((other, valid),) = await scene.started()
    crossed = [(again[0][0], valid), (other, again[0][1]), first, second]

    assert await scene.succeed(crossed) == 0
    assert await scene.settle([ended(*pair) for pair in crossed]) == {}
    assert len(await scene.held()) == 3


async def test_a_valid_pair_is_applied_beside_a_stale_one(scene: Scene) -> None:
    (run, valid), (other, _) = await scene.started(2)

    assert await scene.succeed([(other, token()), (run, valid)]) == 1
    assert [held.run for held in await scene.held()] == [other]


async def test_a_repeated_success_counts_once(scene: Scene) -> None:
    started = await scene.started()

    assert await scene.succeed(started) == 1
    assert await scene.succeed(started) == 0


async def test_one_success_named_twice_in_a_batch_counts_once(scene: Scene) -> None:
    started = await scene.started()

    assert await scene.succeed(started * 2) == 1


async def test_succeeding_nothing_is_no_error(scene: Scene) -> None:
    assert await scene.succeed([]) == 0
    assert await scene.settle([]) == {}
    assert await scene.store.runs.verdicts([]) == {}


async def test_decide_sees_the_attempt_as_the_store_holds_it(scene: Scene) -> None:
    ((run, first),) = await scene.started()
    await scene.settle([end := ended(run, first)], Decision(RunState.QUEUED, failures=1))
    ((_, second),) = await scene.claimed()
    since = START + timedelta(milliseconds=end.wait)
    end = ended(run, second, Outcome.LOST)
    seen: list[tuple[Held, Ended]] = []

    def decide(held: Held, end: Ended) -> Decision:
        seen.append((held, end))
        return Decision(RunState.QUEUED, losses=1)

    await scene.store.runs.settle([end], decide, now=START)
    held = Held(run=run, token=second, job=scene.job.id, attempt=2, failures=1, losses=0, since=since, claimed_at=START)
    line, executor = seen[0][0].line, seen[0][0].executor
    assert seen == [(msgspec.structs.replace(held, line=line, executor=executor), end)]
    assert (line > 0, executor) == (True, "executor-1")
    ((_, third),) = await scene.claimed()
    assert [(held.token, held.failures, held.losses) for held in await scene.held()] == [(third, 1, 1)]


async def test_a_retried_run_waits_for_its_new_time_and_tells_why(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    decision = Decision(RunState.QUEUED, due_at=START + SECOND, reason="retry", failures=1)

    assert await scene.settle([ended(run, mine)], decision) == {run: RunState.QUEUED}
    found = await scene.get(run)
    assert (found.state, found.due_at, found.reason, found.failures) == (RunState.QUEUED, START + SECOND, "retry", 1)
    assert (found.executor, found.finished_at) == (None, None)
    assert await scene.claimed(now=START) == []
    assert [one for one, _ in await scene.claimed(now=START + SECOND)] == [run]


async def test_a_run_handed_back_keeps_its_place_in_line(scene: Scene) -> None:
    first, second = await scene.started(2)
    await scene.settle([ended(*second, Outcome.RELEASED)], Decision(RunState.QUEUED))
    await scene.settle([ended(*first, Outcome.RELEASED)], Decision(RunState.QUEUED))
    await scene.add()

    assert [run for run, _ in await scene.claimed(2)] == [first[0], second[0]]
    assert (await scene.get(first[0])).failures == 0


async def test_a_run_decided_to_wait_is_not_claimable(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    decision = Decision(RunState.WAITING, reason="suspended")

    assert await scene.settle([ended(run, mine, Outcome.SUSPENDED)], decision) == {run: RunState.WAITING}
    assert ((await scene.get(run)).state, (await scene.get(run)).reason) == (RunState.WAITING, "suspended")
    assert await scene.claimed() == []


async def test_a_run_that_failed_for_good_is_in_history_with_reason_and_failure(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    decision = Decision(RunState.FAILED, reason="attempts_spent", failures=1)

    assert await scene.settle([ended(run, mine)], decision, now=START + SECOND) == {run: RunState.FAILED}
    found = await scene.get(run)
    assert (found.state, found.reason, found.failures) == (RunState.FAILED, "attempts_spent", 1)
    assert (found.finished_at, found.result) == (START + SECOND, None)
    assert found.failure == Failure(error="ValueError", message="it broke", traceback="line 1")
    assert await scene.held() == []


async def test_one_settle_applies_different_decisions(scene: Scene) -> None:
    (again, first), (over, second), (gone, third) = await scene.started(3)
    decisions = {
        again: Decision(RunState.QUEUED, failures=1),
        over: Decision(RunState.FAILED, failures=1),
        gone: Decision(RunState.CANCELLED),
    }
    ends = [ended(again, first), ended(over, second), ended(gone, third, Outcome.CANCELLED)]
    states = await scene.store.runs.settle(ends, lambda held, _: decisions[held.run], now=START)

    assert states == {again: RunState.QUEUED, over: RunState.FAILED, gone: RunState.CANCELLED}
    assert await scene.store.runs.states([again, over, gone]) == states


async def test_one_outcome_named_twice_in_a_batch_is_applied_once(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    await scene.settle([ended(run, mine), ended(run, mine)])

    assert (await scene.get(run)).failures == 1
    assert len(await scene.store.runs.attempts(run)) == 1


async def test_all_but_successes_and_hand_backs_leave_a_record(scene: Scene) -> None:
    (run,) = await scene.add()
    for outcome in (Outcome.FAILED, Outcome.RELEASED, Outcome.TIMED_OUT, Outcome.SUSPENDED, Outcome.LOST):
        ((_, mine),) = await scene.claimed(now=START)
        await scene.settle([ended(run, mine, outcome)], Decision(RunState.QUEUED), now=START + SECOND)

    attempts = await scene.store.runs.attempts(run)
    assert [(one.number, one.outcome) for one in attempts] == [
        (1, "failed"),
        (3, "timed_out"),
        (4, "suspended"),
        (5, "lost"),
    ]
    assert [one.executor for one in attempts] == ["executor-1"] * 4
    assert attempts[0].failure == Failure(error="ValueError", message="it broke", traceback="line 1")
    assert (attempts[0].started_at, attempts[0].ended_at) == (START + timedelta(milliseconds=5), START + SECOND)
    assert attempts[3].failure is None


async def test_a_failure_may_hold_any_text(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    failure = Failure(error="Ünïcode", message='quote " and \\ and \n and \x00', traceback="☃" * 10_000)
    end = Ended(run=run, token=mine, outcome=Outcome.FAILED, failure=failure)
    await scene.settle([end])

    (attempt,) = await scene.store.runs.attempts(run)
    assert attempt.failure is not None
    assert attempt.failure.message.startswith('quote " and \\ and \n and ')
    assert (attempt.failure.error, attempt.failure.traceback) == (failure.error, failure.traceback)


async def test_an_error_in_decide_leaves_everything_as_it_was(scene: Scene) -> None:
    started = await scene.started(2)

    def decide(_: Held, __: Ended) -> Decision:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await scene.store.runs.settle([ended(*pair) for pair in started], decide, now=START)
    assert {(held.run, held.token) for held in await scene.held()} == set(started)


@pytest.mark.parametrize(
    ("outcome", "decision"),
    [
        (Outcome.FAILED, Decision(RunState.QUEUED, failures=1)),
        (Outcome.FAILED, Decision(RunState.FAILED, failures=1)),
        (Outcome.CANCELLED, Decision(RunState.CANCELLED)),
    ],
)
async def test_an_outcome_sent_again_is_a_duplicate(scene: Scene, outcome: Outcome, decision: Decision) -> None:
    ((run, mine),) = await scene.started()
    await scene.settle([ended(run, mine, outcome)], decision)

    assert await scene.store.runs.verdicts([(run, mine)]) == {run: Verdict.DUPLICATE}


async def test_a_success_sent_again_is_a_duplicate_and_with_another_token_stale(scene: Scene) -> None:
    first, second = await scene.started(2)
    await scene.succeed([first, second])

    verdicts = await scene.store.runs.verdicts([first, (second[0], token())])
    assert verdicts == {first[0]: Verdict.DUPLICATE, second[0]: Verdict.STALE}


@pytest.mark.parametrize(
    "decision", [Decision(RunState.QUEUED, losses=1), Decision(RunState.FAILED, reason="quarantined", losses=1)]
)
async def test_an_outcome_that_comes_after_its_attempt_was_given_up_is_stale(scene: Scene, decision: Decision) -> None:
    ((run, mine),) = await scene.started()
    await scene.settle([ended(run, mine, Outcome.LOST)], decision)

    assert await scene.store.runs.verdicts([(run, mine)]) == {run: Verdict.STALE}


async def test_an_outcome_of_a_run_nobody_knows_is_stale(scene: Scene) -> None:
    (unknown,) = run_ids(1)

    assert await scene.store.runs.verdicts([(unknown, token())]) == {unknown: Verdict.STALE}


async def test_success_after_a_retry_tells_of_both(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    await scene.settle([ended(run, mine)])
    await scene.succeed(await scene.claimed())

    found = await scene.store.runs.get(NAMESPACE, run)
    assert found is not None
    assert (found.state, found.attempt, found.failures) == (RunState.SUCCEEDED, 2, 1)
    assert len(await scene.store.runs.attempts(run)) == 1
