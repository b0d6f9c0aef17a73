"""Backfills through a whole server: every instant once, no more at a time than wanted, whichever server does the pieces."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.bulk.backfill import PIECE, Backfill, BackfillState, choose, looked_at
from mainspring.domain.bulk.backfill_checks import BackfillRequest
from mainspring.domain.ids import id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Run
from mainspring.domain.triggers.fire_times.build_timer import timer_of
from mainspring.domain.triggers.spec import AnyRule, Cron, Delay, Every, TriggerSpec, Webhook
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, StoreUnavailableError
from mainspring.scheduler.operations.jobs import Expected, Words
from mainspring.scheduler.triggers.backfill import runs_of
from mainspring.store.interface import AuditFilter, RunFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.scheduler.test_store_away import FlakyRuns
from tests.words import ANNA, HOUR, MINUTE

MINUTELY = Cron(expressions=("* * * * *",))


@pytest.fixture
async def scene(clock: FakeClock) -> AsyncIterator[Scene]:
    """On the embedded database: what the others do alike is shown by the store's own tests."""
    store = SqliteStore.inline(clock=clock)
    await store.migrate()
    made = Scene(store, clock)
    await made.start()
    await put_job(made, "report")
    yield made
    await made.stop()
    await store.close()


@pytest.fixture
async def executor(scene: Scene) -> ScriptedExecutor:
    executor = await scene.attach()
    await scene.dispatch()
    return executor


async def put_job(scene: Scene, name: str) -> None:
    await scene.scheduler.jobs.put(
        NAMESPACE, JobSpec(name=name, handler="report"), Expected(absent=True), Words(actor=ANNA)
    )


async def define(scene: Scene, when: AnyRule = MINUTELY, **said: Any) -> None:
    spec = TriggerSpec(**{"name": "nightly", "job": "report", "when": when, **said})
    await scene.scheduler.triggers.define(NAMESPACE, [spec], actor=ANNA)


def past(scene: Scene, minutes: int, **said: Any) -> BackfillRequest:
    """So many instants of every minute, an hour ago."""
    since = scene.clock.now() - HOUR
    return BackfillRequest(since=since, until=since + minutes * MINUTE, **said)


async def begin(scene: Scene, minutes: int = 3, **said: Any) -> Backfill:
    return await scene.scheduler.backfills.begin(NAMESPACE, "nightly", past(scene, minutes, **said), actor=ANNA)


async def work(scene: Scene) -> None:
    while await scene.scheduler.timing.backfilling.tick():
        pass


async def look(scene: Scene, backfill: Backfill) -> Backfill:
    return await scene.scheduler.backfills.get(NAMESPACE, backfill.id)


async def runs(scene: Scene) -> list[Run]:
    return (await scene.scheduler.list(RunFilter(namespace=NAMESPACE, oldest_first=True, limit=500))).runs


async def succeed(scene: Scene, executor: ScriptedExecutor) -> int:
    """All that was made runs; how many those were."""
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await executor.settled(executor.report(start))
    return len(start.runs)


async def instants_fired(scene: Scene) -> list[datetime]:
    [trigger] = [await scene.scheduler.triggers.get(NAMESPACE, "nightly")]
    now = scene.clock.now()
    found = await scene.store.triggers.fires(trigger.id, since=now - 3 * HOUR, until=now, limit=1000)
    return [fire.fire_at for fire in found]


async def test_each_instant_gets_a_run_that_knows_what_it_is_of(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene, labels={"team": "blue"}, priority=8)
    backfill = await begin(scene, 3, concurrency=10, reason="the file was late")
    await work(scene)

    made = await runs(scene)
    since = backfill.since
    assert [run.fire_at for run in made] == [since, since + MINUTE, since + 2 * MINUTE]
    assert {(run.trigger, run.backfill, run.created_by, run.priority) for run in made} == {
        ("nightly", id_text(backfill.id), "anna", 1)
    }
    await scene.dispatch()
    start = await executor.link.expect(Start)
    told = [read_metadata(extra) for extra in start.extras]
    assert [(each.fire_at, each.labels) for each in told] == [(run.fire_at, {"team": "blue"}) for run in made]
    await executor.settled(executor.report(start))
    await work(scene)

    done = await look(scene, backfill)
    assert (done.state, done.expected, done.made, done.passed, done.succeeded) == (BackfillState.DONE, 3, 3, 0, 3)
    assert (done.live, done.place) == ((), None)
    [(_, entry)] = await scene.store.access.audit(AuditFilter(kind="backfill"))
    assert (entry.act, entry.actor, entry.key) == ("backfill.create", ANNA, id_text(backfill.id))


async def test_what_is_made_up_for_is_never_too_late(scene: Scene) -> None:
    await define(scene, start_deadline=5.0)
    await begin(scene)
    await work(scene)

    assert {run.start_by for run in await runs(scene)} == {None}


async def test_no_more_are_live_than_wanted_and_an_end_lets_the_next_one_go(
    scene: Scene, executor: ScriptedExecutor
) -> None:
    await define(scene)
    backfill = await begin(scene, 5, concurrency=2)
    await work(scene)
    assert len(await runs(scene)) == 2

    scene.scheduler.timing.backfilling.wake.clear()
    assert await succeed(scene, executor) == 2
    assert scene.scheduler.timing.backfilling.wake.is_set()
    await work(scene)
    assert len((await look(scene, backfill)).live) == 2
    assert len(await runs(scene)) == 4

    await succeed(scene, executor)
    await work(scene)
    await succeed(scene, executor)
    await work(scene)
    assert ((await look(scene, backfill)).state, len(await runs(scene))) == (BackfillState.DONE, 5)


async def test_runs_that_fail_are_counted_and_the_rest_goes_on(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    backfill = await begin(scene, 2)
    await work(scene)
    [first] = await runs(scene)
    await scene.scheduler.steering.cancel(NAMESPACE, first.id, actor=ANNA)
    await work(scene)
    await succeed(scene, executor)
    await work(scene)

    done = await look(scene, backfill)
    assert (done.state, done.made, done.succeeded, done.failed) == (BackfillState.DONE, 2, 1, 1)


async def test_what_has_run_is_passed_over(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    await begin(scene, 3, concurrency=3)
    await work(scene)
    await succeed(scene, executor)
    await work(scene)
    wanted = past(scene, 5, concurrency=5)
    plan = await scene.scheduler.backfills.preview(NAMESPACE, "nightly", wanted)
    again = await scene.scheduler.backfills.begin(NAMESPACE, "nightly", wanted, actor=ANNA)
    await work(scene)

    assert (plan.instants, plan.fired, plan.runs) == (5, 3, 2)
    assert plan.sample == (plan.since + 3 * MINUTE, plan.since + 4 * MINUTE)
    found = await look(scene, again)
    assert (found.made, found.passed, found.expected) == (2, 3, 5)
    assert len(await runs(scene)) == 5


async def test_all_run_again_if_that_is_wanted_and_the_ledger_keeps_the_first(scene: Scene) -> None:
    await define(scene)
    first = await begin(scene, 2, concurrency=5)
    await work(scene)
    again = await begin(scene, 2, concurrency=5, rerun=True)
    await work(scene)

    assert len(await runs(scene)) == 4
    assert len(await instants_fired(scene)) == 2
    service = scene.scheduler.backfills
    made = [await service.fires(NAMESPACE, one.id, after=None, limit=10) for one in (first, again)]
    assert [[fire.fire_at for fire in each] for each in made] == [[first.since, first.since + MINUTE]] * 2
    assert {fire.run for fire in made[0]}.isdisjoint({fire.run for fire in made[1]})
    assert [fire.fire_at for fire in await service.fires(NAMESPACE, again.id, after=first.since, limit=10)] == [
        first.since + MINUTE
    ]


async def test_two_servers_never_make_the_run_of_an_instant_twice(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    backfill = await begin(scene, 3, concurrency=3)
    other = Scene(scene.store, scene.clock)
    await other.start()
    timer = timer_of(backfill.spec, created_at=backfill.anchor)
    stale = await look(scene, backfill)
    piece = choose(stale, timer, looked_at(stale, timer), ())
    made = runs_of(stale, piece.instants, scene.scheduler.timing.inputs(scene.clock.now()))
    await work(other)

    assert await scene.store.bulk.step_backfill(stale, piece, made, now=scene.clock.now()) is None
    await work(scene)
    assert len(await runs(scene)) == 3
    assert len((await look(scene, backfill)).live) == 3


async def test_another_server_goes_on_where_the_first_one_died(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    backfill = await begin(scene, 2)
    await scene.scheduler.timing.backfilling.tick()
    other = Scene(scene.store, scene.clock)
    await other.start()
    await work(other)
    assert len(await runs(scene)) == 1

    await succeed(scene, executor)
    await work(other)
    assert ((await look(scene, backfill)).made, len(await runs(scene))) == (2, 2)


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_step_whose_answer_is_lost_is_neither_lost_nor_done_twice(scene: Scene, moment: str) -> None:
    flaky = FlakyRuns(scene.store.bulk)
    scene.store.bulk = flaky
    await define(scene)
    backfill = await begin(scene, 3, concurrency=3)
    flaky.fail_next("step_backfill", moment=moment)
    with pytest.raises(StoreUnavailableError):
        await scene.scheduler.timing.backfilling.tick()
    await work(scene)

    assert [run.fire_at for run in await runs(scene)] == [backfill.since + number * MINUTE for number in range(3)]
    assert len((await look(scene, backfill)).live) == 3


async def test_long_stretches_that_have_run_are_passed_in_pieces(scene: Scene) -> None:
    await define(scene, Every(every=1, anchor=scene.clock.now()))
    since = scene.clock.now() - HOUR
    wanted = BackfillRequest(since=since, until=since + timedelta(seconds=PIECE + 50), concurrency=100)
    first = await scene.scheduler.backfills.begin(NAMESPACE, "nightly", wanted, actor=ANNA)
    found = await look(scene, first)
    while found.made < PIECE + 50:
        await work(scene)
        for run in (await look(scene, first)).live:
            await scene.scheduler.steering.cancel(NAMESPACE, run, actor=ANNA)
        found = await look(scene, first)
    again = await scene.scheduler.backfills.begin(NAMESPACE, "nightly", wanted, actor=ANNA)
    await work(scene)

    done = await look(scene, again)
    assert (done.state, done.made, done.passed) == (BackfillState.DONE, 0, PIECE + 50)


async def test_instants_show_what_was_filled_in(scene: Scene) -> None:
    await define(scene)
    await scene.scheduler.triggers.pause(NAMESPACE, "nightly", actor=ANNA)
    scene.clock.advance(600)
    await scene.scheduler.triggers.resume(NAMESPACE, "nightly", actor=ANNA)
    since = scene.clock.now() - timedelta(minutes=5)
    wanted = BackfillRequest(since=since, until=since + 2 * MINUTE, concurrency=2)
    backfill = await scene.scheduler.backfills.begin(NAMESPACE, "nightly", wanted, actor=ANNA)
    await work(scene)
    found = await scene.scheduler.triggers.instants(
        NAMESPACE, "nightly", since=since - 2 * MINUTE, until=since + 3 * MINUTE, limit=100
    )

    said = [(each.reason or each.outcome, each.backfill) for each in found]
    filled = ("fired", backfill.id)
    assert said == [("paused", None), ("paused", None), filled, filled, ("paused", None)]


async def test_a_cancel_leaves_the_rest_and_a_second_one_is_refused(scene: Scene) -> None:
    await define(scene)
    backfill = await begin(scene, 5)
    await work(scene)
    ended = await scene.scheduler.backfills.cancel(NAMESPACE, backfill.id, actor=ANNA, reason="not needed")
    [live] = await runs(scene)
    await scene.scheduler.steering.cancel(NAMESPACE, live.id, actor=ANNA)
    await work(scene)

    assert (ended.state, ended.note, len(await runs(scene))) == (BackfillState.CANCELLED, "cancelled by anna", 1)
    with pytest.raises(ConflictError) as refused:
        await scene.scheduler.backfills.cancel(NAMESPACE, backfill.id, actor=ANNA)
    assert refused.value.code == "backfill_over"
    entries = [entry.act for _, entry in await scene.store.access.audit(AuditFilter(kind="backfill"))]
    assert sorted(entries) == ["backfill.cancel", "backfill.create"]


async def test_it_stops_if_its_trigger_is_deleted(scene: Scene) -> None:
    await define(scene)
    backfill = await begin(scene, 5)
    await scene.scheduler.triggers.delete(NAMESPACE, "nightly", actor=ANNA)
    await define(scene)
    await work(scene)

    stopped = await look(scene, backfill)
    assert (stopped.state, stopped.note) == (BackfillState.STOPPED, "its trigger was deleted")
    assert await runs(scene) == []


async def test_it_stops_if_its_job_is_gone(scene: Scene) -> None:
    await put_job(scene, "old")
    await define(scene, job="old")
    backfill = await begin(scene, 5)
    await define(scene)
    await scene.scheduler.jobs.delete(NAMESPACE, "old", Expected(), Words(actor=ANNA))
    await work(scene)

    stopped = await look(scene, backfill)
    assert (stopped.state, stopped.note) == (BackfillState.STOPPED, "there is no job old any more")


async def test_what_is_changed_meanwhile_changes_no_instant(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene, input=msgspec.Raw(b'{"n":1}'))
    backfill = await begin(scene, 2, concurrency=2)
    await define(scene, Cron(expressions=("0 0 1 1 *",)), input=msgspec.Raw(b'{"n":2}'))
    await work(scene)

    made = [await scene.run(run.id) for run in await runs(scene)]
    assert [(run.fire_at, run.input) for run in made] == [
        (backfill.since, b'{"n":1}'),
        (backfill.since + MINUTE, b'{"n":1}'),
    ]


async def test_live_work_comes_first(scene: Scene) -> None:
    await define(scene)
    await begin(scene, 3, concurrency=3)
    await work(scene)
    [urgent] = await scene.accept(RunRequest(job="report"))
    executor = await scene.attach(room=1)
    await scene.dispatch()

    assert (await executor.link.expect(Start)).runs == [urgent.id]


@pytest.mark.parametrize(
    ("when", "said", "field", "code"),
    [
        (MINUTELY, {"concurrency": 0}, "concurrency", "bad_concurrency"),
        (MINUTELY, {"concurrency": 101}, "concurrency", "bad_concurrency"),
        (MINUTELY, {"priority": 10}, "priority", "bad_priority"),
        (MINUTELY, {"reason": "\x07"}, "reason", "bad_reason"),
        (MINUTELY, {"ahead": HOUR + MINUTE}, "until", "bad_until"),
        (MINUTELY, {"ahead": -MINUTE}, "since", "bad_since"),
        (MINUTELY, {"back": timedelta(days=366 * 60)}, "since", "bad_since"),
        (Every(every=1), {"back": timedelta(days=365 * 30)}, "since", "bad_backfill"),
    ],
)
async def test_what_makes_no_sense_is_refused_and_changes_nothing(
    scene: Scene, executor: ScriptedExecutor, when: AnyRule, said: dict[str, Any], field: str, code: str
) -> None:
    await define(scene, when)
    since = scene.clock.now() - HOUR
    until = since + said.pop("ahead", 5 * MINUTE)
    wanted = BackfillRequest(since=since - said.pop("back", timedelta()), until=until, **said)
    with pytest.raises(InvalidInputError) as refused:
        await scene.scheduler.backfills.begin(NAMESPACE, "nightly", wanted, actor=ANNA)

    assert (refused.value.field, refused.value.code) == (field, code)
    assert await scene.scheduler.backfills.list(NAMESPACE, trigger=None, before=None, limit=10) == []


@pytest.mark.parametrize(
    ("when", "code"),
    [
        (Delay(delay=5), "no_instants"),
        (Webhook(), "no_instants"),
        (Cron(expressions=("0 0 1 7 *",)), "empty_backfill"),
    ],
)
async def test_a_trigger_without_such_instants_is_told_so(scene: Scene, when: AnyRule, code: str) -> None:
    await define(scene, when)
    with pytest.raises(ConflictError) as refused:
        await begin(scene)

    assert refused.value.code == code


async def test_a_trigger_that_is_not_there_is_not_found(scene: Scene) -> None:
    with pytest.raises(NotFoundError):
        await scene.scheduler.backfills.preview(NAMESPACE, "nightly", past(scene, 3))


async def test_what_came_a_moment_ago_is_left_to_the_trigger(scene: Scene) -> None:
    await define(scene)
    scene.clock.advance(30)
    wanted = BackfillRequest(since=scene.clock.now() - timedelta(minutes=3))
    plan = await scene.scheduler.backfills.preview(NAMESPACE, "nightly", wanted)

    assert plan.until == scene.clock.now() - timedelta(seconds=60)
    assert plan.last is not None
    assert plan.last < plan.until
