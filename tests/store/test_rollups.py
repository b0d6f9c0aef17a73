"""Finished runs are counted by minute and hour: each once, whichever server counts, and however often."""

import asyncio
from datetime import datetime, timedelta

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.queues.rollup import Resolution, Rollup, Spread
from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, job_spec, new_run, successes
from tests.store.scene import Scene, set_scene
from tests.words import MINUTE

SPAN = timedelta(days=30)
EVER = timedelta(days=400)


@pytest.fixture
async def scene(store: Store) -> Scene:
    return await set_scene(store)


async def roll_up(scene: Scene, *, until: datetime, span: timedelta = SPAN) -> datetime | None:
    rolled = await scene.store.queues.roll_up(until=until, span=span)
    return None if rolled is None else rolled.until


async def read(scene: Scene, step: Resolution = Resolution.MINUTE, *, job: int | None = None) -> list[Rollup]:
    lines = list(await scene.store.jobs.all_lines())
    return await scene.store.queues.rollups(step, lines=lines, since=START - EVER, until=START + EVER, job=job)


def counts(rollups: list[Rollup]) -> list[tuple[datetime, RunState, int]]:
    return sorted((one.at, one.state, one.runs) for one in rollups)


async def finish(scene: Scene, count: int, *, at: datetime) -> None:
    await scene.succeed(await scene.started(count), now=at)


async def test_finished_runs_are_counted_by_minute_and_by_hour(scene: Scene) -> None:
    await finish(scene, 2, at=START + timedelta(seconds=1))
    await finish(scene, 3, at=START + timedelta(seconds=59))
    await finish(scene, 4, at=START + timedelta(seconds=60))
    done = START + timedelta(minutes=2)

    assert await roll_up(scene, until=done) == done
    assert await scene.store.queues.rolled_until() == done
    assert counts(await read(scene)) == [(START, RunState.SUCCEEDED, 5), (START + MINUTE, RunState.SUCCEEDED, 4)]
    assert counts(await read(scene, Resolution.HOUR)) == [(START, RunState.SUCCEEDED, 9)]


async def test_nothing_is_counted_twice_and_later_runs_are_added(scene: Scene) -> None:
    await finish(scene, 2, at=START + timedelta(seconds=1))
    await roll_up(scene, until=START + timedelta(seconds=10))
    await roll_up(scene, until=START + timedelta(seconds=10))
    await finish(scene, 1, at=START + timedelta(seconds=10))
    await roll_up(scene, until=START + timedelta(seconds=20))
    await roll_up(scene, until=START + timedelta(seconds=20))

    assert counts(await read(scene)) == [(START, RunState.SUCCEEDED, 3)]
    assert counts(await read(scene, Resolution.HOUR)) == [(START, RunState.SUCCEEDED, 3)]


async def test_what_finished_at_the_end_or_after_it_stays_for_the_next_time(scene: Scene) -> None:
    end = START + timedelta(seconds=10)
    await finish(scene, 1, at=end)
    await roll_up(scene, until=end)

    assert await read(scene) == []
    await roll_up(scene, until=end + MINUTE)
    assert counts(await read(scene)) == [(START, RunState.SUCCEEDED, 1)]


async def test_two_servers_at_once_count_each_run_once(scene: Scene) -> None:
    await finish(scene, 50, at=START + timedelta(seconds=1))
    until = START + timedelta(seconds=30)
    answers = await asyncio.gather(*(roll_up(scene, until=until) for _ in range(8)))
    while await roll_up(scene, until=until) != until:
        pass

    assert set(answers) <= {None, until}
    assert counts(await read(scene)) == [(START, RunState.SUCCEEDED, 50)]


async def test_one_step_returns_the_counts_that_it_added(scene: Scene) -> None:
    await finish(scene, 5, at=START + timedelta(seconds=1))
    until = START + timedelta(seconds=30)
    rolled = await scene.store.queues.roll_up(until=until, span=SPAN)
    again = await scene.store.queues.roll_up(until=until, span=SPAN)

    assert rolled is not None
    assert again is not None
    assert counts(list(rolled.minutes)) == [(START, RunState.SUCCEEDED, 5)]
    assert list(again.minutes) == []


async def test_an_outcome_that_comes_again_is_not_counted_again(scene: Scene) -> None:
    pairs = await scene.started(3)
    twice = successes([*pairs, *pairs])
    await scene.store.runs.succeed(twice, now=START + timedelta(seconds=1))
    [other] = await scene.started()
    await scene.store.runs.succeed(successes([*pairs, other]), now=START + timedelta(seconds=2))
    await roll_up(scene, until=START + MINUTE)

    assert counts(await read(scene)) == [(START, RunState.SUCCEEDED, 4)]


async def test_states_and_jobs_are_counted_apart(scene: Scene) -> None:
    [other] = await scene.store.jobs.register(NAMESPACE, [job_spec("mail")], now=START)
    runs = [new_run(other.id, scene.line)]
    await scene.store.runs.create(NAMESPACE, runs, now=START)
    [pair] = await scene.claimed()
    await scene.succeed([pair], now=START + timedelta(seconds=1))
    [(run, token)] = await scene.started()
    await scene.settle([ended(run, token)], Decision(RunState.FAILED, reason="attempts_spent"), now=START)
    [(run, token)] = await scene.started()
    await scene.settle([ended(run, token)], now=START)
    await roll_up(scene, until=START + MINUTE)

    assert counts(await read(scene)) == [(START, RunState.SUCCEEDED, 1), (START, RunState.FAILED, 1)]
    assert [(one.job, one.runs) for one in await read(scene, job=other.id)] == [(other.id, 1)]


async def test_waits_and_durations_are_summed_and_spread_over_buckets(scene: Scene) -> None:
    await scene.add(3)
    pairs = await scene.claimed(3, now=START + timedelta(seconds=2))
    await scene.store.runs.succeed(successes(pairs, wait=500), now=START + timedelta(seconds=4))
    await roll_up(scene, until=START + MINUTE)
    [found] = await read(scene)

    # Due at the start, claimed after 2 s, 500 ms on the executor; each handler took 1 ms.
    assert found.wait == Spread(3 * 2_500_000, 2_500_000, (0,) * 12 + (3,))
    assert found.duration == Spread(3 * 1000, 1000, (0, 3))
    assert found.wait.quantile(1.0) == 2_500_000


async def test_a_run_waits_from_when_it_was_due_and_accepted(scene: Scene) -> None:
    await scene.add(1, due_at=START - timedelta(hours=1))
    pairs = await scene.claimed(now=START + timedelta(seconds=1))
    await scene.succeed(pairs, now=START + timedelta(seconds=1))
    await roll_up(scene, until=START + MINUTE)

    assert [one.wait.max for one in await read(scene)] == [1_000_000]


async def test_long_absence_is_caught_up_in_bounded_steps(scene: Scene) -> None:
    await finish(scene, 1, at=START)
    await roll_up(scene, until=START + timedelta(seconds=1))
    for hours in range(1, 6):
        await finish(scene, 1, at=START + timedelta(hours=hours))
    until = START + timedelta(hours=8)
    first = await roll_up(scene, until=until, span=timedelta(hours=2))
    assert first is not None
    assert len(await read(scene)) < 6
    steps = 1
    while await roll_up(scene, until=until, span=timedelta(hours=2)) != until:
        steps += 1

    assert steps > 1
    assert counts(await read(scene)) == [(START + timedelta(hours=hours), RunState.SUCCEEDED, 1) for hours in range(6)]


async def test_a_day_s_end_is_no_gap(scene: Scene) -> None:
    midnight = START.replace(hour=0) + timedelta(days=1)
    await roll_up(scene, until=START)
    await finish(scene, 1, at=midnight - timedelta(seconds=1))
    await finish(scene, 1, at=midnight)
    await roll_up(scene, until=midnight + MINUTE)

    assert counts(await read(scene)) == [
        (midnight - MINUTE, RunState.SUCCEEDED, 1),
        (midnight, RunState.SUCCEEDED, 1),
    ]


async def test_only_the_lines_and_times_that_were_asked_for_are_read(scene: Scene) -> None:
    for minute in range(4):
        await finish(scene, 1, at=START + minute * MINUTE)
    await roll_up(scene, until=START + timedelta(hours=1))
    since, until = START + MINUTE, START + 3 * MINUTE

    found = await scene.store.queues.rollups(Resolution.MINUTE, lines=[scene.line], since=since, until=until)
    assert [one.at for one in found] == [START + MINUTE, START + 2 * MINUTE]
    assert await scene.store.queues.rollups(Resolution.MINUTE, lines=[scene.line + 1], since=since, until=until) == []
    assert await scene.store.queues.rollups(Resolution.MINUTE, lines=[], since=since, until=until) == []


async def test_old_roll_ups_are_pruned_by_their_step(scene: Scene) -> None:
    await finish(scene, 1, at=START)
    await finish(scene, 1, at=START + MINUTE)
    await roll_up(scene, until=START + timedelta(hours=1))

    assert await scene.store.queues.prune_rollups(Resolution.MINUTE, before=START + MINUTE) == 1
    assert [one.at for one in await read(scene)] == [START + MINUTE]
    assert len(await read(scene, Resolution.HOUR)) == 1


async def test_a_run_that_was_never_started_is_counted_without_a_wait_or_a_duration(scene: Scene) -> None:
    runs = await scene.add(2)
    await scene.store.runs.cancel(NAMESPACE, runs, reason="", actor=Actor("anna"), now=START)
    await roll_up(scene, until=START + MINUTE)

    assert [(one.state, one.runs, one.wait, one.duration) for one in await read(scene)] == [
        (RunState.CANCELLED, 2, Spread(), Spread())
    ]


async def test_a_run_that_is_tried_again_after_its_end_ends_twice(scene: Scene) -> None:
    [(run, token)] = await scene.started()
    await scene.settle([ended(run, token)], Decision(RunState.FAILED, reason="attempts_spent"), now=START)
    await roll_up(scene, until=START + timedelta(seconds=10))
    again = START + timedelta(seconds=20)
    await scene.store.runs.retry(NAMESPACE, run, force=False, reason="", actor=Actor("anna"), now=again)
    await scene.succeed(await scene.claimed(now=again), now=again)
    await roll_up(scene, until=START + MINUTE)

    assert counts(await read(scene)) == [(START, RunState.SUCCEEDED, 1), (START, RunState.FAILED, 1)]
