"""An outage has one treatment: what was made ahead of instants that passed in it obeys the misfire policy like all else."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from mainspring.domain.runs.run import RunState
from mainspring.domain.triggers.fire_times.misfires import Misfire
from mainspring.domain.triggers.spec import AnyRule, At, Cron, Every, TriggerSpec
from mainspring.store.interface import RunFilter, Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA

MINUTELY = Cron(expressions=("* * * * *",))
EVERY_SECOND = Every(every=1)


@pytest.fixture
async def back(scene: Scene, store: Store, clock: FakeClock) -> AsyncIterator[Scene]:
    """The server that comes when the first one is gone."""
    made = Scene(store, clock)
    yield made
    await made.stop()


async def define(scene: Scene, when: AnyRule = MINUTELY, *, name: str = "tick", **said: Any) -> None:
    if not scene.scheduler.gateway.attached:
        await scene.attach()
    spec = TriggerSpec(name=name, job="report", when=when, **said)
    await scene.scheduler.triggers.define(NAMESPACE, [spec], actor=ANNA)


async def work(scene: Scene, seconds: float = 0) -> None:
    """All duties that concern instants do what there is to do, each second."""
    for _ in range(max(1, int(seconds))):
        scene.clock.advance(1 if seconds else 0)
        await scene.scheduler.attending.tick()
        while await scene.scheduler.timing.firing.tick():
            pass
        await scene.dispatch()


async def comes_back(back: Scene) -> list[Start]:
    """Another server starts, hears of an executor, and does all it can; in the worst order, dispatch first."""
    await back.start()
    executor = await back.attach("e2")
    await back.dispatch()
    while await back.scheduler.timing.firing.tick():
        pass
    await back.dispatch()
    return [message for message in executor.link.heard if isinstance(message, Start)]


async def test_a_lapse_is_accounted_for_once_whoever_looks_first(scene: Scene, back: Scene) -> None:
    await define(scene, EVERY_SECOND, misfire=Misfire.SKIP)
    await work(scene, 5)
    scene.clock.advance(120)
    await back.start()
    while await back.scheduler.timing.firing.tick():
        pass
    await back.scheduler.attending.tick()
    while await back.scheduler.timing.firing.tick():
        pass

    trigger = await back.scheduler.triggers.get(NAMESPACE, "tick")
    now = back.clock.now()
    spans = await back.store.triggers.skips(trigger.id, since=now - timedelta(hours=1), until=now, limit=10)
    assert [(f"{span.first:%H:%M:%S}", f"{span.last:%H:%M:%S}") for span in spans] == [("12:00:06", "12:01:04")]


async def became(scene: Scene, *, seconds: int, name: str = "tick") -> list[tuple[str, str]]:
    """Each instant of so many seconds until now."""
    now = scene.clock.now()
    found = await scene.scheduler.triggers.instants(
        NAMESPACE, name, since=now - timedelta(seconds=seconds), until=now + timedelta(seconds=1), limit=500
    )
    return [(f"{each.at:%H:%M:%S}", each.reason or each.outcome) for each in found]


async def started(scene: Scene, starts: list[Start]) -> list[str]:
    runs = [await scene.run(run) for start in starts for run in start.runs]
    return sorted(f"{run.fire_at:%H:%M:%S}" for run in runs)


async def test_what_was_prepared_is_skipped_if_nobody_was_there_at_its_instant(scene: Scene, back: Scene) -> None:
    await define(scene, misfire=Misfire.SKIP)
    await work(scene, 50)
    scene.clock.advance(10 + 75)
    starts = await comes_back(back)

    assert await started(back, starts) == ["12:02:00"]
    assert await became(back, seconds=90) == [("12:01:00", "missed"), ("12:02:00", "fired")]


@pytest.mark.parametrize("misfire", list(Misfire))
async def test_an_outage_is_treated_alike_whether_fires_were_prepared_or_not(
    scene: Scene, back: Scene, misfire: Misfire
) -> None:
    begin = scene.clock.now() + timedelta(seconds=21)
    # Of what watches the ends of its runs nothing is prepared.
    for name, pause_after in (("prepared", None), ("watched", 1000)):
        said = {"misfire": misfire, "pause_after": pause_after, "start_at": begin, "catch_up_max": 70}
        await define(scene, EVERY_SECOND, name=name, **said)
    await work(scene, 20)
    scene.clock.advance(83)
    await comes_back(back)

    prepared, watched = [await became(back, seconds=90, name=name) for name in ("prepared", "watched")]
    assert prepared == watched
    assert len(prepared) == 83
    assert {outcome for _, outcome in prepared} == {"fired", "too_many" if misfire is Misfire.ALL else "missed"}


async def test_of_missed_instants_that_were_prepared_the_latest_is_fired(scene: Scene, back: Scene) -> None:
    await define(scene, EVERY_SECOND)
    await work(scene, 5)
    scene.clock.advance(84)
    starts = await comes_back(back)

    found = await became(back, seconds=83)
    assert found[:22] == [(f"12:00:{second:02}", "missed") for second in range(6, 28)]
    assert {outcome for _, outcome in found[22:]} == {"fired"}
    assert len(await started(back, starts)) == 62


async def test_what_happens_once_and_was_prepared_is_caught_up_with(scene: Scene, back: Scene) -> None:
    await define(scene, At(at=scene.clock.now() + timedelta(seconds=30)))
    await work(scene, 10)
    scene.clock.advance(120)
    starts = await comes_back(back)

    assert await started(back, starts) == ["12:00:30"]
    [run] = (await back.scheduler.list(RunFilter(namespace=NAMESPACE, limit=10))).runs
    assert (run.state, run.attempt) == (RunState.RUNNING, 1)


async def test_less_than_a_minute_without_a_server_changes_nothing(scene: Scene, back: Scene) -> None:
    await define(scene, misfire=Misfire.SKIP)
    await work(scene, 50)
    [prepared] = (await scene.scheduler.list(RunFilter(namespace=NAMESPACE, limit=10))).runs
    scene.clock.advance(10 + 45)
    starts = await comes_back(back)

    assert [run for start in starts for run in start.runs] == [prepared.id]


async def test_what_only_waited_for_an_executor_was_fired_in_time(scene: Scene, back: Scene) -> None:
    await define(scene, misfire=Misfire.SKIP)
    await scene.stop()
    await work(scene, 100)
    starts = await comes_back(back)

    assert await started(back, starts) == ["12:01:00"]
    assert await became(back, seconds=100) == [("12:01:00", "fired")]


async def test_a_server_that_stood_still_knows_that_it_did(scene: Scene) -> None:
    await define(scene, misfire=Misfire.SKIP)
    await work(scene, 50)
    scene.clock.advance(85)
    await scene.dispatch()
    await work(scene)

    assert (await became(scene, seconds=90))[0] == ("12:01:00", "missed")


async def test_another_server_that_was_there_all_the_time_leaves_nothing_missed(scene: Scene, back: Scene) -> None:
    await back.start()
    await define(scene, misfire=Misfire.SKIP)
    await work(scene, 50)
    await scene.stop()
    for _ in range(85):
        back.clock.advance(1)
        await back.scheduler.attending.tick()
    starts = await comes_back(back)

    assert await started(back, starts) == ["12:01:00", "12:02:00"]


async def test_a_lapse_that_another_server_has_made_up_for_is_over(
    scene: Scene, store: Store, clock: FakeClock
) -> None:
    await define(scene, misfire=Misfire.SKIP)
    await work(scene, 50)
    since = await store.triggers.attended()
    assert since is not None
    clock.advance(20)
    assert await store.triggers.attend(before=since, now=clock.now())

    assert await store.triggers.recall(since=since, now=clock.now(), after=0, limit=10) is None
    assert not await store.triggers.attend(before=since, now=clock.now())
    assert await became(scene, seconds=15) == [("12:01:00", "fired")]


async def test_a_clock_that_is_behind_makes_no_lapse_for_others(scene: Scene, store: Store, clock: FakeClock) -> None:
    await work(scene)
    ahead = clock.now() + timedelta(seconds=90)
    assert await store.triggers.attend(before=clock.now(), now=ahead)
    clock.advance(10)
    await scene.scheduler.attending.tick()

    assert scene.scheduler.attending.is_sure
    assert await store.triggers.attended() == ahead


async def test_runs_that_were_made_behind_their_instants_are_not_recalled(
    scene: Scene, store: Store, clock: FakeClock
) -> None:
    await define(scene)
    await work(scene, 10)
    await scene.stop()
    clock.advance(90)
    while await scene.scheduler.timing.firing.tick():
        pass
    since = await store.triggers.attended()
    assert since is not None
    late = (await scene.scheduler.list(RunFilter(namespace=NAMESPACE, oldest_first=True, limit=1))).runs
    looked_at = await store.triggers.recall(since=since, now=clock.now(), after=0, limit=10)

    assert looked_at is not None
    assert [run.fire_at and f"{run.fire_at:%H:%M:%S}" for run in late] == ["12:01:00"]
    assert (await scene.run(late[0].id)).state is RunState.QUEUED


async def test_a_lapse_is_reported_once_whoever_looks_at_the_same_time(
    scene: Scene, back: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    await define(scene)
    await work(scene, 5)
    scene.clock.advance(600)
    with caplog.at_level(logging.INFO, "mainspring.attend_instants"):
        attending = back.scheduler.attending
        await asyncio.gather(attending.tick(), attending.be_sure(), attending.be_sure())

    assert len([line for line in caplog.messages if line.startswith("no server was there")]) == 1
