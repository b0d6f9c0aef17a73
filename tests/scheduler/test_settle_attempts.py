"""Outcomes are settled once, by whichever session they are sent, and however often."""

from datetime import timedelta

from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import Start
from tests.scheduler.scene import Scene


async def test_a_success_is_acknowledged_once_it_is_durable(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    answer = await executor.settled(executor.report(start, result=b'{"n":1}'))

    assert answer.stale == []
    settled = await scene.run(run)
    assert (settled.state, settled.result) == (RunState.SUCCEEDED, b'{"n":1}')


async def test_a_repeated_outcome_is_acknowledged_again_and_changes_nothing(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await executor.settled(executor.report(start, result=b"1"))
    answer = await executor.settled(executor.report(start, result=b"2"))

    assert answer.stale == []
    assert (await scene.run(run)).result == b"1"


async def test_a_failure_is_tried_again_after_its_pause_and_then_is_final(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report_failure(await executor.link.expect(Start)))
    waiting = await scene.run(run)
    assert (waiting.state, waiting.failures, waiting.reason) == (RunState.QUEUED, 1, "retry")
    assert waiting.due_at <= scene.clock.now() + timedelta(seconds=4)

    scene.clock.advance(5)
    await scene.dispatch()
    start = await executor.link.expect(Start)
    assert start.attempts == [2]
    await executor.settled(executor.report_failure(start))

    failed = await scene.run(run)
    assert (failed.state, failed.failures, failed.reason) == (RunState.FAILED, 2, "attempts_spent")
    assert failed.failure is not None
    assert failed.failure.error == "ValueError"
    attempts = await scene.scheduler.attempts("default", run)
    assert [(attempt.number, attempt.outcome) for attempt in attempts] == [(1, "failed"), (2, "failed")]


async def test_a_hand_back_is_no_failure_and_keeps_the_place_in_line(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    before = await scene.run(run)
    await executor.settled(executor.report_failure(await executor.link.expect(Start), Outcome.RELEASED))

    after = await scene.run(run)
    assert (after.state, after.failures, after.losses) == (RunState.QUEUED, 0, 0)
    assert after.due_at == before.due_at
    await scene.dispatch()
    assert (await executor.link.expect(Start)).attempts == [2]


async def test_a_late_outcome_of_a_lost_attempt_is_stale(scene: Scene) -> None:
    await scene.let_pass(100)
    slow = await scene.attach("slow")
    [run] = await scene.enqueue()
    await scene.dispatch()
    old = await slow.link.expect(Start)
    await scene.let_pass(13)
    quick = await scene.attach("quick")
    await scene.dispatch()
    new = await quick.link.expect(Start)
    assert (new.runs, new.attempts) == ([run], [2])

    late = await slow.settled(slow.report(old, result=b'"old"'))
    assert late.stale == [run]
    await quick.settled(quick.report(new, result=b'"new"'))
    settled = await scene.run(run)
    assert (settled.result, settled.losses) == (b'"new"', 1)
