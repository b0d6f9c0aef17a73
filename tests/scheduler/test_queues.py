"""Queues under an operator's hand: counted by survey, paused without touching a row, described from roll-ups."""

from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.queues.queue import Depth
from mainspring.domain.queues.rollup import Resolution
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.insights.survey_queues import PACE, SHARE
from mainspring.store.interface import AuditFilter
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle
from tests.words import ANNA


async def pause(scene: Scene, queue: str = "default", reason: str = "the gateway is down") -> None:
    await scene.scheduler.queues.pause(NAMESPACE, queue, reason=reason, actor=ANNA)


async def resume(scene: Scene, queue: str = "default") -> None:
    await scene.scheduler.queues.resume(NAMESPACE, queue, actor=ANNA)


async def survey(scene: Scene) -> None:
    scene.clock.advance(scene.scheduler.observation.surveying.period)
    await scene.scheduler.observation.surveying.tick()


async def roll_up(scene: Scene) -> None:
    """As time goes on, everything that has finished by now is counted."""
    scene.clock.advance(11)
    while await scene.scheduler.observation.rolling.tick():
        pass


async def work(scene: Scene, executor: ScriptedExecutor, count: int) -> None:
    await scene.enqueue(count=count)
    await scene.dispatch()
    done = 0
    while done < count:
        start = await executor.link.expect(Start)
        done += len(start.runs)
        await executor.settled(executor.report(start))


async def test_a_paused_queue_starts_nothing_and_its_runs_say_so(scene: Scene) -> None:
    executor = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()
    await executor.link.expect(Start)
    await pause(scene)
    [run] = await scene.enqueue()
    await scene.dispatch()

    found = await scene.run(run)
    assert (found.state, found.reason) == (RunState.WAITING, "paused")
    assert executor.link.count(Start) == 0
    stored = await scene.store.runs.states([run])
    assert stored == {run: RunState.QUEUED}


async def test_a_resumed_queue_starts_what_waited(scene: Scene) -> None:
    executor = await scene.attach()
    await scene.dispatch()
    await pause_after_first(scene, executor)
    [run] = await scene.enqueue()
    await resume(scene)
    await scene.scheduler.dispatch.tick()

    assert (await executor.link.expect(Start)).runs == [run]
    assert (await scene.run(run)).state is RunState.RUNNING


async def pause_after_first(scene: Scene, executor: ScriptedExecutor) -> None:
    await work(scene, executor, 1)
    await pause(scene)


async def test_what_runs_when_its_queue_is_paused_goes_on(scene: Scene) -> None:
    executor = await scene.attach()
    [run] = await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await pause(scene)

    assert (await scene.run(run)).state is RunState.RUNNING
    await executor.settled(executor.report(start))
    assert (await scene.run(run)).state is RunState.SUCCEEDED


async def test_other_queues_go_on_beside_a_paused_one(scene: Scene) -> None:
    executor = await scene.attach()
    await work(scene, executor, 1)
    await scene.accept(RunRequest(job="report", queue="other"))
    await pause(scene, "other")
    [run] = await scene.enqueue()
    await scene.dispatch()

    assert (await executor.link.expect(Start)).runs == [run]


async def test_a_pause_made_elsewhere_counts_from_the_next_refresh(scene: Scene) -> None:
    executor = await scene.attach()
    await work(scene, executor, 1)
    other = Scene(scene.store, scene.clock)
    await other.start()
    await pause(other)
    await scene.scheduler.catalog.tick()
    [run] = await scene.enqueue()
    await scene.dispatch()

    assert (await scene.run(run)).reason == "paused"
    await resume(other)
    await scene.scheduler.catalog.tick()
    await scene.scheduler.dispatch.tick()
    assert (await executor.link.expect(Start)).runs == [run]


async def test_a_pause_and_a_resume_are_audited_with_their_reason(scene: Scene) -> None:
    await scene.attach()
    await pause(scene, reason="disk full")
    await resume(scene)
    await resume(scene)
    entries = [entry for _, entry in await scene.store.access.audit(AuditFilter(namespace=NAMESPACE, kind="queue"))]

    assert [(entry.act, entry.key, entry.actor) for entry in reversed(entries)] == [
        ("queue.pause", "default", ANNA),
        ("queue.resume", "default", ANNA),
    ]
    assert msgspec.json.decode(entries[1].details) == {"reason": "disk full"}


async def test_a_queue_that_nobody_knows_cannot_be_paused_by_mistake(scene: Scene) -> None:
    await scene.attach()
    with pytest.raises(NotFoundError, match="did you mean default") as refusal:
        await pause(scene, "defualt")
    assert refusal.value.code == "unknown_queue"
    assert await scene.store.queues.rules() == []

    state = await scene.scheduler.queues.pause(NAMESPACE, "to come", reason="", actor=ANNA, new=True)
    assert state.rule.pause is not None
    await resume(scene, "to come")
    with pytest.raises(NotFoundError):
        await scene.scheduler.queues.get(NAMESPACE, "to come")


@pytest.mark.parametrize("reason", ["x" * 501, "a\x07b", "a\x00b"])
async def test_a_reason_is_short_and_has_no_control_characters(scene: Scene, reason: str) -> None:
    await scene.attach()
    with pytest.raises(InvalidInputError) as refusal:
        await pause(scene, reason=reason)

    assert refusal.value.code == "bad_reason"
    assert await scene.store.queues.rules() == []


async def test_a_page_of_queues_is_the_last_survey_and_counts_no_run(scene: Scene) -> None:
    executor = await scene.attach(room=2)
    await scene.enqueue(count=5)
    await scene.dispatch()
    await executor.link.expect(Start)
    before = (await scene.scheduler.queues.get(NAMESPACE, "default")).depth
    await survey(scene)
    state = await scene.scheduler.queues.get(NAMESPACE, "default")
    await scene.enqueue(count=3)

    assert before == Depth()
    assert (state.depth.queued, state.depth.running, state.taken_at) == (3, 2, scene.clock.now())
    assert (await scene.scheduler.queues.get(NAMESPACE, "default")).depth == state.depth
    assert (state.executors, state.slots) == (1, 2)


async def test_queues_are_listed_by_name_a_page_at_a_time(scene: Scene) -> None:
    await scene.attach()
    for name in ("b", "c", "a"):
        await scene.accept(RunRequest(job="report", queue=name))
    first = await scene.scheduler.queues.page(NAMESPACE, after="", limit=2)
    second = await scene.scheduler.queues.page(NAMESPACE, after=first[-1].name, limit=2)

    assert [state.name for state in first + second] == ["a", "b", "c", "default"]
    assert await scene.scheduler.queues.page("other", after="", limit=10) == []


async def test_rates_come_from_roll_ups_and_say_up_to_when(scene: Scene) -> None:
    executor = await scene.attach()
    assert (await scene.scheduler.queues.get(NAMESPACE, "default")).recent is None
    await work(scene, executor, 30)
    await roll_up(scene)
    recent = (await scene.scheduler.queues.get(NAMESPACE, "default")).recent

    assert recent is not None
    assert recent.until == scene.clock.now() - timedelta(seconds=10)
    assert recent.series(RunState.SUCCEEDED)[-1] == 30
    # The minute under way is one second old.
    assert recent.per_minute(RunState.SUCCEEDED, steps=1) == 1800
    assert recent.per_minute(RunState.SUCCEEDED, steps=5) == pytest.approx(30 / (4 + 1 / 60))
    assert recent.per_minute(RunState.FAILED, steps=5) == 0


async def test_rates_of_one_job_can_be_asked_for(scene: Scene) -> None:
    executor = await scene.attach(handlers=["report", "mail"])
    await work(scene, executor, 2)
    await roll_up(scene)
    rates = scene.scheduler.queues.rates

    mine = await rates(NAMESPACE, "default", Resolution.HOUR, steps=24, job="report")
    others = await rates(NAMESPACE, "default", Resolution.HOUR, steps=24, job="mail")
    assert mine is not None
    assert others is not None
    assert (sum(mine.series(RunState.SUCCEEDED)), len(mine.times)) == (2, 24)
    assert sum(others.series(RunState.SUCCEEDED)) == 0
    with pytest.raises(NotFoundError):
        await rates(NAMESPACE, "default", Resolution.HOUR, steps=24, job="nope")


async def test_figures_add_up_every_queue_by_job(scene: Scene) -> None:
    executor = await scene.attach(handlers=["report", "mail"])
    await work(scene, executor, 3)
    await roll_up(scene)

    window, jobs = await scene.scheduler.queues.figures(NAMESPACE, Resolution.HOUR, steps=24)
    whole = await scene.scheduler.queues.rates(NAMESPACE, None, Resolution.HOUR, steps=24)
    elsewhere, none = await scene.scheduler.queues.figures("other", Resolution.HOUR, steps=24)
    assert window is not None
    assert whole is not None
    assert elsewhere is not None
    assert {job: sum(one.runs for one in rollups) for job, rollups in jobs.items()} == {"report": 3}
    assert (sum(whole.series(RunState.SUCCEEDED)), none) == (3, {})


async def test_a_survey_takes_a_twentieth_of_the_time_at_most(scene: Scene) -> None:
    surveying = scene.scheduler.observation.surveying
    real = scene.store.queues.survey

    class SlowQueues:
        """The store's queues, with a count that takes three seconds."""

        def __getattr__(self, name: str) -> object:
            return getattr(scene.store.queues, name)

        async def survey(self, **asked: object) -> object:
            scene.clock.advance(3)
            return await real(**asked)  # type: ignore[arg-type]

    class SlowStore:
        queues = SlowQueues()

    assert surveying.period == PACE
    surveying._store = SlowStore()  # type: ignore[assignment]
    await surveying.tick()
    assert surveying.period == SHARE * 3


async def test_only_one_of_two_servers_surveys_and_both_know_the_numbers(scene: Scene) -> None:
    other = Scene(scene.store, scene.clock)
    await other.start()
    await scene.attach(room=0)
    await scene.enqueue(count=4)
    await survey(scene)
    taken_at = scene.clock.now()
    scene.clock.advance(1)
    await other.scheduler.observation.surveying.tick()
    await other.scheduler.catalog.tick()

    state = await other.scheduler.queues.get(NAMESPACE, "default")
    assert (state.depth.queued, state.taken_at) == (4, taken_at)


async def test_old_roll_ups_are_pruned(scene: Scene) -> None:
    executor = await scene.attach()
    await work(scene, executor, 1)
    await roll_up(scene)
    [line] = scene.scheduler.catalog.lines
    since, until = scene.clock.now() - timedelta(days=1), scene.clock.now()
    scene.clock.advance(8 * 86400)
    await roll_up(scene)
    await until_idle()

    assert await scene.store.queues.rollups(Resolution.MINUTE, lines=[line], since=since, until=until) == []
    assert len(await scene.store.queues.rollups(Resolution.HOUR, lines=[line], since=since, until=until)) == 1
