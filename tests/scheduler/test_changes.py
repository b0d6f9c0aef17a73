"""Live changes reach those who follow them: coalesced, bounded, and honest about gaps."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest

from mainspring.domain.feed import ChangeKind, FeedChange, FeedGap, GapReason, Wanted
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import UnavailableError
from mainspring.scheduler.insights.feed import LINGER, RECORD, Follower
from mainspring.store import open_store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.support.postgres import Postgres
from tests.words import ANNA

ALL = Wanted(namespace=NAMESPACE)


async def spot(scene: Scene) -> None:
    """Let the duty look, publish, and pause as it does after that."""
    await let_pass(scene, scene.scheduler.observation.spotting.tick())


async def let_pass(scene: Scene, tick: Coroutine[Any, Any, bool]) -> None:
    """Let the tick of a duty run to its end, with the time it waits for."""
    ticking = asyncio.ensure_future(tick)
    while not ticking.done():
        await asyncio.sleep(0)
        scene.clock.advance(0.01)
    await ticking


async def heard(follower: Follower) -> list[FeedChange]:
    found = await follower.next(seconds=0)
    assert not any(isinstance(one, FeedGap) for one in found)
    return [one for one in found if isinstance(one, FeedChange)]


def publish(scene: Scene, count: int = 1, *, namespace: str = NAMESPACE, queue: str = "q") -> None:
    for number in range(count):
        scene.scheduler.events.publish(ChangeKind.QUEUE_RESUMED, namespace, {"number": number}, queue=queue)


async def finish(scene: Scene, executor: ScriptedExecutor, *, fail: bool = False) -> None:
    start = await executor.link.expect(Start)
    await executor.settled(executor.report_failure(start) if fail else executor.report(start))


async def test_settled_runs_are_told_by_queue_job_and_state(scene: Scene) -> None:
    executor = await scene.attach(handlers=["report", "mail"])
    with scene.scheduler.events.follow(Wanted(namespace=NAMESPACE, kinds=frozenset({ChangeKind.RUNS_SETTLED}))) as one:
        await scene.accept(*[RunRequest(job="report")] * 3, *[RunRequest(job="mail")] * 2)
        await scene.dispatch()
        await finish(scene, executor)
        await spot(scene)
        [change] = await heard(one)

    assert (change.queue, change.content) == (
        "default",
        {"jobs": {"report": {"succeeded": 3}, "mail": {"succeeded": 2}}},
    )
    assert sorted(change.jobs) == ["mail", "report"]


async def test_a_retry_is_no_end_and_a_failure_is(scene: Scene) -> None:
    executor = await scene.attach()
    with scene.scheduler.events.follow(ALL) as one:
        await scene.enqueue()
        await scene.dispatch()
        await finish(scene, executor, fail=True)
        await spot(scene)
        assert [change for change in await heard(one) if change.kind is ChangeKind.RUNS_SETTLED] == []
        scene.clock.advance(10)
        await scene.dispatch()
        await finish(scene, executor, fail=True)
        await spot(scene)
        [change] = [change for change in await heard(one) if change.kind is ChangeKind.RUNS_SETTLED]

    assert change.content == {"jobs": {"report": {"failed": 1}}}


async def test_what_is_settled_meanwhile_is_told_together(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    with scene.scheduler.events.follow(ALL) as one:
        await spot(scene)
        await heard(one)
        await scene.enqueue(count=5)
        for _ in range(5):
            await scene.dispatch()
            await finish(scene, executor)
        await spot(scene)
        changes = await heard(one)

    assert [change.content for change in changes] == [{"jobs": {"report": {"succeeded": 5}}}]


async def test_while_nobody_follows_nothing_is_counted(scene: Scene) -> None:
    executor = await scene.attach()
    await scene.enqueue(count=3)
    await scene.dispatch()
    await finish(scene, executor)

    spotting = scene.scheduler.observation.spotting
    assert not spotting._settled
    assert len(spotting._live_claims) == 0


async def test_what_an_executor_took_away_with_it_is_forgotten(scene: Scene) -> None:
    executor = await scene.attach()
    await scene.enqueue(count=3)
    await scene.dispatch()
    await executor.link.expect(Start)
    assert len(scene.scheduler.observation.spotting._live_claims) == 1
    await executor.disconnect()

    assert len(scene.scheduler.observation.spotting._live_claims) == 0


async def test_pause_resume_and_budget_are_told_also_if_another_server_did_it(scene: Scene) -> None:
    await scene.attach()
    other = Scene(scene.store, scene.clock)
    await other.start()
    with scene.scheduler.events.follow(ALL) as one:
        await spot(scene)
        await heard(one)
        await other.scheduler.queues.pause(NAMESPACE, "default", reason="why", actor=ANNA)
        await scene.scheduler.catalog.tick()
        await spot(scene)
        await other.scheduler.queues.set_budget(NAMESPACE, "default", 5, actor=ANNA)
        await other.scheduler.queues.resume(NAMESPACE, "default", actor=ANNA)
        await other.scheduler.queues.set_namespace_budget(NAMESPACE, 9, actor=ANNA)
        await scene.scheduler.catalog.tick()
        await spot(scene)
        changes = await heard(one)

    assert [(change.kind, change.queue) for change in changes] == [
        (ChangeKind.QUEUE_PAUSED, "default"),
        (ChangeKind.QUEUE_BUDGET, None),
        (ChangeKind.QUEUE_RESUMED, "default"),
        (ChangeKind.QUEUE_BUDGET, "default"),
    ]
    assert (changes[0].content["reason"], changes[0].content["by"]) == ("why", "anna")
    assert changes[1].content == {"max_queued": 9}


async def test_executors_and_jobs_are_told_when_they_come_go_and_change(scene: Scene) -> None:
    await spot(scene)
    with scene.scheduler.events.follow(ALL) as one:
        executor = await scene.attach()
        await spot(scene)
        came = await heard(one)
        await executor.disconnect()
        await scene.let_pass(13)
        await scene.let_pass(11)
        await scene.scheduler.catalog.tick()
        await spot(scene)
        left = await heard(one)

    assert {change.kind for change in came} == {ChangeKind.EXECUTOR_ATTACHED, ChangeKind.JOB_CHANGED}
    assert [(change.kind, change.content["executor"]) for change in left] == [(ChangeKind.EXECUTOR_LEFT, "e1")]
    jobs = [change for change in came if change.kind is ChangeKind.JOB_CHANGED]
    assert [(change.jobs, change.content["job"]) for change in jobs] == [(("report",), "report")]


async def test_depths_are_told_when_they_change(scene: Scene) -> None:
    await scene.attach(room=0)
    surveying = scene.scheduler.observation.surveying
    wanted = Wanted(namespace=NAMESPACE, kinds=frozenset({ChangeKind.QUEUE_DEPTH}))
    with scene.scheduler.events.follow(wanted) as one:
        await scene.enqueue(count=4)
        for _ in range(3):
            scene.clock.advance(surveying.period)
            await surveying.tick()
        changes = await heard(one)

    assert [(change.queue, change.content["queued"]) for change in changes] == [("default", 4)]


async def test_only_what_is_wanted_is_heard(scene: Scene) -> None:
    events = scene.scheduler.events
    with (
        events.follow(Wanted(namespace="other")) as stranger,
        events.follow(Wanted(namespace=NAMESPACE, queue="q")) as queue,
        events.follow(Wanted(namespace=NAMESPACE, job="report")) as job,
        events.follow(Wanted(namespace=NAMESPACE, kinds=frozenset({ChangeKind.JOB_CHANGED}))) as kind,
    ):
        publish(scene)
        events.publish(ChangeKind.JOB_CHANGED, NAMESPACE, {}, jobs=("report",))

        assert await heard(stranger) == []
        assert [change.queue for change in await heard(queue)] == ["q"]
        assert [change.kind for change in await heard(job)] == [ChangeKind.JOB_CHANGED]
        assert [change.kind for change in await heard(kind)] == [ChangeKind.JOB_CHANGED]


async def test_a_reader_that_falls_behind_is_told_of_the_gap_and_goes_on(scene: Scene) -> None:
    with scene.scheduler.events.follow(ALL) as slow:
        publish(scene, RECORD + 10)
        gap, *changes = await slow.next(seconds=0)

        assert gap == FeedGap(10, GapReason.SLOW)
        assert [change.position for change in changes if isinstance(change, FeedChange)][:2] == [11, 12]
        rest = [change async for change in drained(slow)]
        assert rest[-1].position == RECORD + 10
        publish(scene)
        assert len(await heard(slow)) == 1


async def drained(follower: Follower) -> AsyncIterator[FeedChange]:
    while changes := await heard(follower):
        for change in changes:
            yield change


async def test_memory_does_not_grow_with_changes_or_readers(scene: Scene) -> None:
    events = scene.scheduler.events
    with events.follow(ALL), events.follow(ALL):
        publish(scene, 3 * RECORD)

        assert len(events._record) == RECORD


async def test_a_reader_resumes_where_it_stopped(scene: Scene) -> None:
    events = scene.scheduler.events
    with events.follow(ALL) as first:
        publish(scene, 3)
        await heard(first)
        place = first.place
        publish(scene, 2)
    scene.clock.advance(LINGER - 1)
    with events.follow(ALL, after=place) as second:
        assert [change.position for change in await heard(second)] == [4, 5]


@pytest.mark.parametrize("after", ["", "nonsense", "000000000000.0-1", "-", "x-²"])
async def test_an_id_from_elsewhere_is_a_gap(scene: Scene, after: str) -> None:
    publish(scene, 2)
    with scene.scheduler.events.follow(ALL, after=after) as one:
        [gap] = await one.next(seconds=0)

    assert gap == FeedGap(2, GapReason.UNKNOWN)


async def test_an_id_from_before_a_time_in_which_nobody_followed_is_a_gap(scene: Scene) -> None:
    events = scene.scheduler.events
    with events.follow(ALL) as first:
        publish(scene)
        place = first.place
    scene.clock.advance(LINGER + 1)
    with events.follow(ALL, after=place) as second:
        [gap] = await second.next(seconds=0)

    assert gap == FeedGap(1, GapReason.UNKNOWN)


async def test_the_end_of_the_server_ends_the_reading(scene: Scene) -> None:
    events = scene.scheduler.events
    with events.follow(ALL) as one:
        publish(scene)
        await scene.scheduler._drain()
        assert len(await heard(one)) == 1
        assert await one.next(seconds=60) == []
        assert events.closed

    with pytest.raises(UnavailableError), events.follow(ALL):
        pass


async def test_a_run_can_be_followed_through_its_states(scene: Scene) -> None:
    executor = await scene.attach(room=0)
    [run] = await scene.enqueue()
    follow = scene.scheduler.follow
    first = await follow(NAMESPACE, run, None, seconds=0)
    assert first is not None
    assert await follow(NAMESPACE, run, first, seconds=0) is None
    able = await scene.attach("e2")
    await scene.dispatch()
    second = await follow(NAMESPACE, run, first, seconds=0)
    await finish(scene, able)
    third = await follow(NAMESPACE, run, second, seconds=0)

    assert second is not None
    assert third is not None
    assert [seen.state for seen in (first, second, third)] == [RunState.QUEUED, RunState.RUNNING, RunState.SUCCEEDED]
    assert executor.link.count(Start) == 0


async def test_what_another_server_settles_is_heard_by_a_hint(postgres: Postgres, clock: FakeClock) -> None:
    url = await postgres.create_migrated()
    here, there = Scene(await open_store(url), clock), Scene(await open_store(url), clock)
    for scene in (here, there):
        await scene.start()
    for scene in (here, there, here):
        await scene.scheduler.joining.tick()
    executor = await there.attach()
    await here.scheduler.catalog.tick()
    with here.scheduler.events.follow(Wanted(namespace=NAMESPACE, kinds=frozenset({ChangeKind.RUNS_SETTLED}))) as one:
        await until(there, here, lambda: there.scheduler.observation.spotting._counting)
        await there.enqueue(count=3)
        await there.dispatch()
        await finish(there, executor)
        await here.scheduler.catalog.tick()
        await until(there, here, lambda: settled_on_record(here))
        changes = await heard(one)

    assert [change.content for change in changes] == [{"jobs": {"report": {"succeeded": 3}}}]
    for scene in (here, there):
        await scene.stop()
        await scene.store.close()
    await postgres.drop_database(url)


async def until(there: Scene, here: Scene, done: Callable[[], bool]) -> None:
    """Let both servers look, tell and listen until it is so."""
    while not done():
        for scene in (here, there):
            await spot(scene)
            await let_pass(scene, scene.scheduler.hints.tick())


def settled_on_record(scene: Scene) -> bool:
    return any(change.kind is ChangeKind.RUNS_SETTLED for change in scene.scheduler.events._record)


@pytest.mark.parametrize("word", ["nonsense", "[]", '{"settled": [[1]]}'])
async def test_a_word_that_makes_no_sense_is_passed_over(scene: Scene, word: str) -> None:
    with scene.scheduler.events.follow(ALL) as one:
        scene.scheduler.observation.spotting.heard(word)
        await spot(scene)

        assert await heard(one) == []
