"""Triggers through a whole server: runs start at their instants, and what people do takes effect at once."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.feed import ChangeKind, Wanted
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.run import Run, RunState
from mainspring.domain.triggers.fire_times.expected import InstantState
from mainspring.domain.triggers.fire_times.misfires import Misfire
from mainspring.domain.triggers.revise import edited
from mainspring.domain.triggers.spec import AnyRule, At, Cron, Delay, Every, Overlap, TriggerSpec
from mainspring.domain.triggers.trigger import TriggerChanges, TriggerState
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import RunFilter
from mainspring.store.sqlite.store import SqliteStore
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Cancel, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA, MINUTE

MINUTELY = Cron(expressions=("* * * * *",))


@pytest.fixture
async def scene(clock: FakeClock) -> AsyncIterator[Scene]:
    """On the embedded database: what the others do alike is shown by the store's own tests."""
    store = SqliteStore.inline(clock=clock)
    await store.migrate()
    made = Scene(store, clock)
    await made.start()
    yield made
    await made.stop()
    await store.close()


@pytest.fixture
async def executor(scene: Scene) -> ScriptedExecutor:
    executor = await scene.attach()
    await scene.dispatch()
    return executor


async def define(scene: Scene, when: AnyRule = MINUTELY, *, name: str = "nightly", **said: Any) -> None:
    spec = TriggerSpec(name=name, job="report", when=when, **said)
    await scene.scheduler.triggers.define(NAMESPACE, [spec], actor=ANNA)


async def look(scene: Scene) -> None:
    """Let the duties do what there is to do."""
    timing = scene.scheduler.timing
    await timing.following.tick()
    while await timing.firing.tick():
        pass
    await scene.dispatch()


async def let_pass(scene: Scene, seconds: int, *, step: int = 1) -> None:
    for _ in range(0, seconds, step):
        scene.clock.advance(step)
        await look(scene)


async def runs(scene: Scene) -> list[Run]:
    page = await scene.scheduler.list(RunFilter(namespace=NAMESPACE, oldest_first=True, limit=500))
    return page.runs


async def outcomes(scene: Scene, *, name: str = "nightly", minutes: int = 60) -> list[tuple[str, str]]:
    """What became of each instant of an hour."""
    since = scene.clock.now() - timedelta(minutes=minutes)
    until = scene.clock.now() + timedelta(minutes=5)
    found = await scene.scheduler.triggers.instants(NAMESPACE, name, since=since, until=until, limit=500)
    return [(f"{each.at:%H:%M}", each.reason or each.outcome) for each in found]


async def test_a_run_starts_at_its_instant_and_not_before(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    await let_pass(scene, 59)
    [prepared] = await runs(scene)
    assert (prepared.state, prepared.due_at) == (RunState.QUEUED, scene.clock.now() + timedelta(seconds=1))
    assert executor.link.count(Start) == 0

    await let_pass(scene, 1)

    start = await executor.link.expect(Start)
    told = read_metadata(start.extras[0])
    assert start.runs == [prepared.id]
    assert (told.trigger, told.fire_at) == ("nightly", scene.clock.now())
    assert (prepared.trigger, prepared.fire_at, prepared.created_by) == (
        "nightly",
        scene.clock.now(),
        "trigger nightly",
    )


async def test_dispatch_sleeps_until_the_instant_of_what_was_prepared(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    scene.clock.advance(40)
    await scene.scheduler.timing.firing.tick()
    scene.clock.advance(19.75)
    await scene.scheduler.dispatch.tick()

    assert scene.scheduler.dispatch.period == pytest.approx(0.25 - SchedulerSettings().claim_ahead)
    assert executor.link.count(Start) == 0


async def test_firing_sleeps_until_a_trigger_is_to_be_moved(scene: Scene, executor: ScriptedExecutor) -> None:
    firing = scene.scheduler.timing.firing
    await define(scene, Delay(delay=1), name="loop")
    await look(scene)
    await executor.settled(executor.report(await executor.link.expect(Start)))
    assert scene.scheduler.timing.following.wake.is_set()
    scene.clock.advance(0.25)
    await look(scene)

    assert firing.period == pytest.approx(0.75)


@pytest.mark.parametrize("act", ["pause", "delete", "edit", "skip"])
async def test_what_people_do_inside_the_look_ahead_takes_effect(
    scene: Scene, executor: ScriptedExecutor, act: str
) -> None:
    triggers = scene.scheduler.triggers
    await define(scene)
    await let_pass(scene, 45, step=5)
    assert len(await runs(scene)) == 1

    if act == "pause":
        await triggers.pause(NAMESPACE, "nightly", reason="maintenance", actor=ANNA)
    elif act == "delete":
        await triggers.delete(NAMESPACE, "nightly", actor=ANNA)
    elif act == "edit":
        await define(scene, Cron(expressions=("0 0 * * *",)))
    else:
        _, skipped = await triggers.skip_next(NAMESPACE, "nightly", actor=ANNA)
        assert skipped == scene.clock.now() + timedelta(seconds=15)
    await let_pass(scene, 30, step=5)

    assert await runs(scene) == []
    assert executor.link.count(Start) == 0


async def test_a_trigger_every_second_misses_and_repeats_nothing(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene, Every(every=1))
    began = scene.clock.now()
    await let_pass(scene, 40)

    starts = [message for message in executor.link.heard if isinstance(message, Start)]
    fired = [read_metadata(extra).fire_at for start in starts for extra in start.extras]
    assert fired == [began + timedelta(seconds=second) for second in range(1, 41)]


async def test_a_fixed_delay_counts_from_the_end_of_the_run(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene, Delay(delay=60), name="loop")
    await look(scene)
    first = await executor.link.expect(Start)
    await let_pass(scene, 120, step=10)
    assert executor.link.count(Start) == 0

    await executor.settled(executor.report(first))
    await let_pass(scene, 60, step=10)

    second = await executor.link.expect(Start)
    assert read_metadata(second.extras[0]).fire_at == scene.clock.now()


async def test_the_previous_run_is_cancelled_and_the_next_one_waits_for_its_end(
    scene: Scene, executor: ScriptedExecutor
) -> None:
    await define(scene, overlap=Overlap.CANCEL_PREVIOUS)
    await let_pass(scene, 60, step=10)
    first = await executor.link.expect(Start)
    await let_pass(scene, 60, step=10)
    cancel = await executor.link.expect(Cancel)
    assert [run for holding in cancel.holding for run in holding.runs] == first.runs
    assert executor.link.count(Start) == 0

    await executor.settled(executor.report(first))
    await look(scene)

    assert read_metadata((await executor.link.expect(Start)).extras[0]).fire_at == scene.clock.now()


async def test_a_trigger_pauses_after_failures_and_says_so(scene: Scene, executor: ScriptedExecutor) -> None:
    scheduler = scene.scheduler
    await define(scene, pause_after=2, overlap=Overlap.SKIP)
    with scheduler.events.follow(Wanted(namespace=NAMESPACE)) as follower:
        for _ in range(2):
            await let_pass(scene, 60, step=10)
            for _ in range(2):
                # The job has two tries; the second one comes after a backoff.
                await executor.settled(executor.report_failure(await executor.link.expect(Start)))
                await let_pass(scene, 8, step=4)
        told = [change for change in await follower.next(seconds=0) if change.kind is ChangeKind.TRIGGER_PAUSED]  # type: ignore[union-attr]

    trigger = await scheduler.triggers.get(NAMESPACE, "nightly")
    assert trigger.state is TriggerState.PAUSED
    assert [change.content for change in told] == [  # type: ignore[union-attr]
        {"trigger": "nightly", "reason": "2 runs in a row have failed"}
    ]


async def test_another_server_takes_over_what_a_dead_one_had_prepared_and_what_it_had_not(
    scene: Scene, executor: ScriptedExecutor
) -> None:
    await define(scene)
    await let_pass(scene, 45, step=5)
    heir = Scene(scene.store, scene.clock, SchedulerSettings(name="s2"))
    await heir.start()
    other = await heir.attach("e2")
    await executor.disconnect()

    await let_pass(heir, 90, step=5)

    starts = [message for message in other.link.heard if isinstance(message, Start)]
    assert len({run for start in starts for run in start.runs}) == 2
    assert [outcome for _, outcome in await outcomes(heir)][:2] == [InstantState.FIRED, InstantState.FIRED]
    await heir.stop()


async def test_what_was_due_while_nobody_was_there_is_caught_up_with_and_accounted_for(
    scene: Scene, executor: ScriptedExecutor
) -> None:
    await define(scene)
    began = scene.clock.now()
    scene.clock.advance(10 * 60)
    await look(scene)

    start = await executor.link.expect(Start)
    assert read_metadata(start.extras[0]).fire_at == began + 8 * MINUTE
    assert await outcomes(scene, minutes=10) == [
        *((f"12:0{minute}", "missed") for minute in range(1, 8)),
        ("12:08", "fired"),
        ("12:09", "fired"),
        ("12:10", "fired"),
        *((f"12:1{minute}", "expected") for minute in range(1, 5)),
    ]


async def test_a_run_that_nobody_starts_in_time_fails_for_the_triggers_start_deadline(scene: Scene) -> None:
    await scene.attach(room=0)
    await define(scene, start_deadline=3.0, fires_max=1)
    await let_pass(scene, 62)
    scene.clock.advance(0.999)
    assert await scene.scheduler.expiring.tick() is False
    scene.clock.advance(0.001)
    while await scene.scheduler.expiring.tick():
        pass

    [failed] = await runs(scene)
    assert (failed.state, failed.reason) == (RunState.FAILED, "start_deadline_passed")


@pytest.mark.parametrize(
    ("within", "said", "expected"),
    [
        (None, {"start_deadline": 30.0}, 30),
        (20.0, {"start_deadline": 30.0}, 20),
        (40.0, {"start_deadline": 30.0}, 30),
        (40.0, {}, 40),
        (None, {}, None),
        (None, {"start_deadline": 30.0, "group": "all", "spread": 600.0}, 30),
    ],
)
async def test_the_earlier_start_deadline_counts_from_when_the_run_is_due(
    scene: Scene, within: float | None, said: dict[str, Any], expected: int | None
) -> None:
    executor = scene.executor()
    executor.jobs = [msgspec.structs.replace(executor.jobs[0], start_within=within)]
    await executor.connect()
    await define(scene, fires_max=1, **said)
    await let_pass(scene, 60, step=5)

    [run] = await runs(scene)
    assert run.due_at > scene.clock.now() or not said.get("spread")
    assert run.start_by == (None if expected is None else run.due_at + timedelta(seconds=expected))


async def test_what_is_past_when_a_pause_ends_is_skipped_and_what_is_ahead_is_expected(
    scene: Scene, executor: ScriptedExecutor
) -> None:
    triggers = scene.scheduler.triggers
    await define(scene)
    await let_pass(scene, 90, step=5)
    await triggers.pause(NAMESPACE, "nightly", reason="maintenance", actor=ANNA)
    await let_pass(scene, 120, step=5)
    assert ("12:03", "paused") in await outcomes(scene)

    await triggers.resume(NAMESPACE, "nightly", actor=ANNA)
    await look(scene)

    assert await outcomes(scene, minutes=10) == [
        ("12:01", "fired"),
        ("12:02", "paused"),
        ("12:03", "paused"),
        ("12:04", "prepared"),
        *((f"12:0{minute}", "expected") for minute in range(5, 9)),
    ]


async def test_a_job_that_is_gone_stops_only_its_own_triggers(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    await define(scene, name="other")
    now = scene.clock.now()
    gone = TriggerSpec(name="other", job="vanished", when=MINUTELY)
    inputs = scene.scheduler.timing.inputs(now)
    await scene.store.triggers.change(
        NAMESPACE, ["other"], lambda there: TriggerChanges(moves=[edited(there["other"], gone, inputs)]), now=now
    )
    await let_pass(scene, 60, step=5)

    assert (await outcomes(scene, name="other"))[0] == ("12:01", "job_gone")
    assert (await outcomes(scene))[0] == ("12:01", "fired")
    assert len((await executor.link.expect(Start)).runs) == 1


async def test_one_can_be_fired_by_hand(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene, At(at=scene.clock.now() + 10 * MINUTE), input=msgspec.Raw(b'{"day": 1}'), tags=("books",))

    fire = await scene.scheduler.triggers.fire_now(NAMESPACE, "nightly", actor=ANNA)
    await scene.dispatch()

    found = await scene.run(fire.run)
    assert fire.passed_over == ()
    assert (found.trigger, found.fire_at, found.created_by, found.tags) == ("nightly", None, "anna", ("books",))
    assert read_metadata((await executor.link.expect(Start)).extras[0]).trigger == "nightly"


async def test_a_trigger_that_nobody_moves_is_told_of_once(scene: Scene, executor: ScriptedExecutor) -> None:
    await define(scene)
    due = scene.clock.now() + MINUTE
    with scene.scheduler.events.follow(Wanted(namespace=NAMESPACE)) as follower:
        scene.clock.advance(200)
        for _ in range(2):
            await scene.scheduler.timing.watching.tick()
        told = await follower.next(seconds=0)

    assert [(change.kind, change.content) for change in told] == [  # type: ignore[union-attr]
        (ChangeKind.TRIGGER_OVERDUE, {"trigger": "nightly", "next_due": due})
    ]


async def test_batches_stay_small_when_triggers_catch_up(clock: FakeClock) -> None:
    store = SqliteStore.inline(clock=clock)
    await store.migrate()
    scene = Scene(store, clock, SchedulerSettings(name="s1", fire_batch=5))
    await scene.start()
    await scene.attach()
    for number in range(12):
        await define(scene, name=f"t{number}", misfire=Misfire.ALL)
    clock.advance(10 * 60)

    sizes = []
    while moved := (await scene.scheduler.timing.firing.move()).runs:
        sizes.append(len(moved))

    assert sum(sizes) == 120
    assert max(sizes) <= 2 * 10
    await scene.stop()
    await store.close()
