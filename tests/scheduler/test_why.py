"""Why a run is not running: what dispatch does and what `why` prints are one rule."""

from datetime import timedelta

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, until_idle
from tests.words import ANNA

HOUR = timedelta(hours=1)


async def codes(scene: Scene, run: RunId) -> list[str]:
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)
    return [one.code for one in reasons]


async def test_a_run_without_an_executor_says_so(scene: Scene) -> None:
    await scene.attach()
    await scene.scheduler.catalog.register(NAMESPACE, [JobSpec(name="lonely", handler="nobody")])
    [run] = await scene.enqueue("lonely")
    found, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert (found.state, found.reason) == (RunState.WAITING, "no_executor")
    assert [one.code for one in reasons] == ["no_executor", "turn"]


async def test_a_run_that_is_not_due_says_until_when(scene: Scene) -> None:
    await scene.attach()
    due = scene.clock.now() + HOUR
    [accepted] = await scene.accept(RunRequest(job="report", due_at=due))

    _, [first] = await scene.scheduler.limits.why.run(NAMESPACE, accepted.id)

    assert (first.code, first.until) == ("not_due", due)


async def test_a_retry_says_with_what_its_attempt_failed(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report_failure(await executor.link.expect(Start)))

    _, [first] = await scene.scheduler.limits.why.run(NAMESPACE, run)

    assert first.code == "retry"
    assert "ValueError" in first.text


async def test_runs_before_it_are_counted_by_priority_and_due_time(scene: Scene) -> None:
    await scene.attach(room=1)
    [busy] = await scene.enqueue()
    await scene.dispatch()
    await scene.enqueue(count=2)
    [last] = await scene.enqueue(priority=4)
    [urgent] = await scene.enqueue(priority=9)
    await scene.dispatch()

    assert await codes(scene, busy) == ["running"]
    _, [turn] = await scene.scheduler.limits.why.run(NAMESPACE, last)
    assert (turn.code, turn.facts["ahead"]) == ("turn", 3)
    _, [turn] = await scene.scheduler.limits.why.run(NAMESPACE, urgent)
    assert turn.facts["ahead"] == 0


async def test_a_run_that_has_ended_is_over(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))

    assert await codes(scene, run) == ["over"]


async def test_a_paused_job_starts_nothing_while_its_neighbour_of_the_same_handler_does(scene: Scene) -> None:
    executor = await scene.attach()
    both = [JobSpec(name=name, handler="report") for name in ("left", "right")]
    await scene.scheduler.catalog.register(NAMESPACE, both)
    await scene.scheduler.limits.pauses.pause_job(NAMESPACE, "left", reason="too loud", actor=ANNA)
    [left] = await scene.enqueue("left")
    [right] = await scene.enqueue("right")
    await scene.dispatch()

    assert (await executor.link.expect(Start)).runs == [right]
    found = await scene.run(left)
    assert (found.state, found.reason) == (RunState.WAITING, "paused")
    assert (await codes(scene, left))[0] == "job_paused"

    await scene.scheduler.limits.pauses.resume_job(NAMESPACE, "left", actor=ANNA)
    await scene.dispatch()
    assert (await executor.link.expect(Start)).runs == [left]


async def test_what_was_queued_before_the_pause_follows_its_job(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    [first] = await scene.enqueue()
    await scene.dispatch()
    [second] = await scene.enqueue()
    await scene.scheduler.limits.pauses.pause_job(NAMESPACE, "report", reason="", actor=ANNA)
    await scene.scheduler.limits.own_lines.tick()
    start = await executor.link.expect(Start)
    await executor.settled(executor.report(start))
    await scene.dispatch()

    assert start.runs == [first]
    assert executor.link.count(Start) == 0
    assert (await codes(scene, second))[0] == "job_paused"

    await scene.scheduler.limits.pauses.resume_job(NAMESPACE, "report", actor=ANNA)
    await scene.dispatch()
    assert (await executor.link.expect(Start)).runs == [second]


async def test_maintenance_and_a_paused_namespace_accept_and_start_nothing(scene: Scene) -> None:
    executor = await scene.attach()
    pauses = scene.scheduler.limits.pauses
    await pauses.begin_maintenance(reason="pg upgrade", actor=ANNA)
    await pauses.pause_namespace(NAMESPACE, reason="", actor=ANNA)
    [run] = await scene.enqueue()
    await scene.dispatch()
    await until_idle()

    assert executor.link.count(Start) == 0
    assert await codes(scene, run) == ["namespace_paused", "maintenance", "turn"]

    await pauses.resume_namespace(NAMESPACE, actor=ANNA)
    await pauses.end_maintenance(actor=ANNA)
    await scene.dispatch()
    assert (await executor.link.expect(Start)).runs == [run]
