"""Blackouts of queues, namespaces and jobs, and pauses that end by themselves."""

from datetime import timedelta

import pytest

from mainspring.domain.calendars.spec import Blackout, CalendarSpec
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.obstacles import Obstacle
from mainspring.domain.limits.policy import Policy
from mainspring.domain.queues.queue import CLUSTER_WHOLE
from mainspring.errors import ConflictError, InvalidInputError
from mainspring.scheduler.operations.jobs import Expected, Words
from mainspring.testing.clock import START
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA, HOUR, MINUTE

OPENS = START + HOUR


async def define_night(scene: Scene, since: timedelta = -MINUTE) -> None:
    night = Blackout(since=START + since, until=OPENS)
    spec = CalendarSpec(name="night", blackouts=(night,))
    await scene.scheduler.calendars.put(NAMESPACE, spec, Expected(absent=True), Words(actor=ANNA, note=""))


async def started(scene: Scene, executor: ScriptedExecutor) -> list[RunId]:
    await scene.scheduler.limits.blackouts.tick()
    await scene.dispatch()
    return [run for message in executor.link.heard if isinstance(message, Start) for run in message.runs]


async def why(scene: Scene, run: RunId) -> Obstacle:
    _, reasons = await scene.scheduler.limits.why.run(NAMESPACE, run)
    return reasons[0]


async def test_a_queue_starts_nothing_until_its_calendar_opens(scene: Scene) -> None:
    executor = await scene.attach()
    await define_night(scene)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"blackout": "night"}, actor=ANNA)
    await scene.scheduler.limits.blackouts.tick()
    [run] = await scene.enqueue()

    assert await started(scene, executor) == []
    reason = await why(scene, run)
    assert (reason.code, reason.until) == ("blackout", OPENS)
    assert "Calendar night, by which queue default starts its runs, is closed" in reason.text
    assert (await scene.run(run)).state.label == "waiting"
    scene.clock.advance(3600)
    assert await started(scene, executor) == [run]


async def test_a_namespace_starts_nothing_while_its_calendar_is_closed(scene: Scene) -> None:
    executor = await scene.attach()
    await define_night(scene)
    await scene.scheduler.queues.change_namespace(NAMESPACE, {"blackout": "night"}, actor=ANNA)
    await scene.scheduler.limits.blackouts.tick()
    [run] = await scene.enqueue()
    assert await started(scene, executor) == []
    await scene.scheduler.queues.change_namespace(NAMESPACE, {"blackout": ""}, actor=ANNA)

    assert await started(scene, executor) == [run]


async def test_only_the_job_that_names_the_calendar_waits(scene: Scene) -> None:
    executor = scene.executor(handlers=("report", "other"))
    executor.jobs = [
        JobSpec(name="report", handler="report", policy=Policy(blackout="night")),
        JobSpec(name="other", handler="other"),
    ]
    await executor.connect()
    await define_night(scene)
    await scene.scheduler.limits.own_lines.tick()
    await scene.scheduler.limits.blackouts.tick()
    [held] = await scene.enqueue()
    [free] = await scene.enqueue("other")

    assert await started(scene, executor) == [free]
    assert (await why(scene, held)).facts == {"calendar": "night", "job": "report"}


async def test_the_duty_is_awake_when_the_blackout_begins(scene: Scene) -> None:
    executor = await scene.attach()
    await define_night(scene, since=30 * timedelta(seconds=1))
    await scene.scheduler.queues.change(NAMESPACE, "default", {"blackout": "night"}, actor=ANNA)
    duty = scene.scheduler.limits.blackouts
    await duty.tick()
    assert duty.period == 30.0
    scene.clock.advance(30)
    await duty.tick()
    await scene.enqueue()

    assert await started(scene, executor) == []


async def test_a_calendar_that_is_not_there_is_refused_and_one_in_use_stays(scene: Scene) -> None:
    await scene.attach()
    with pytest.raises(InvalidInputError) as refused:
        await scene.scheduler.queues.change(NAMESPACE, "default", {"blackout": "nigth"}, actor=ANNA)
    assert (refused.value.field, refused.value.code) == ("blackout", "unknown_calendar")
    await define_night(scene)
    await scene.scheduler.queues.change(NAMESPACE, "default", {"blackout": "night"}, actor=ANNA)

    with pytest.raises(ConflictError, match="is used by queue 'default'"):
        await scene.scheduler.calendars.delete(NAMESPACE, "night", Expected(), Words(actor=ANNA, note=""))


async def test_maintenance_for_a_time_ends_by_itself_and_says_until_when(scene: Scene) -> None:
    executor = await scene.attach()
    pauses = scene.scheduler.limits.pauses
    await pauses.begin_maintenance(reason="upgrade", actor=ANNA, lasts=600.0)
    [run] = await scene.enqueue()
    assert await started(scene, executor) == []
    reason = await why(scene, run)
    assert (reason.code, reason.until) == ("maintenance", START + 10 * MINUTE)
    scene.clock.advance(600)

    assert await started(scene, executor) == [run]
    assert pauses.rule_of(CLUSTER_WHOLE).pause is None


async def test_a_pause_that_was_made_longer_meanwhile_does_not_end(scene: Scene) -> None:
    executor = await scene.attach()
    pauses = scene.scheduler.limits.pauses
    rule = await pauses.pause_namespace(NAMESPACE, reason="", actor=ANNA, lasts=60.0)
    await pauses.pause_namespace(NAMESPACE, reason="longer", actor=ANNA)
    scene.scheduler.catalog.put_rule(rule)  # as a server that has not heard of the change
    scene.clock.advance(60)
    await scene.scheduler.limits.blackouts.tick()
    await scene.scheduler.catalog.tick()
    await scene.enqueue()

    assert await started(scene, executor) == []
