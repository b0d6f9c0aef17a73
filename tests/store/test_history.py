"""What is over: found by day, pruned by the day, and never missing a place to go."""

import msgspec

from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.log import Progress
from mainspring.domain.runs.run import RunState
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, log_entry, new_run, token
from tests.store.scene import Scene
from tests.words import DAY


async def test_preparing_twice_is_no_error(scene: Scene) -> None:
    for _ in range(2):
        await scene.store.cluster.prepare_history(now=START, days=3)

    assert await scene.succeed(await scene.started(), now=START + 3 * DAY) == 1


async def test_settling_works_on_a_day_nobody_prepared(scene: Scene) -> None:
    far = START + 90 * DAY
    first, second = await scene.started(2)

    assert await scene.succeed([first], now=far) == 1
    assert await scene.settle([ended(*second)], Decision(RunState.FAILED), now=far) == {second[0]: RunState.FAILED}
    assert (await scene.get(first[0])).finished_at == far


async def test_pruning_drops_whole_days_and_names_them(scene: Scene) -> None:
    (old, first), (new, second) = await scene.started(2)
    await scene.succeed([(old, first)], now=START)
    await scene.succeed([(new, second)], now=START + 2 * DAY)
    dropped = await scene.store.cluster.prune(before=START + 2 * DAY)

    assert any("history" in name and f"{START:%Y%m%d}" in name for name in dropped)
    assert await scene.store.runs.get(NAMESPACE, old) is None
    assert (await scene.get(new)).state is RunState.SUCCEEDED
    assert await scene.store.cluster.prune(before=START + 2 * DAY) == []


async def test_pruning_keeps_a_day_that_is_not_over(scene: Scene) -> None:
    started = await scene.started()
    await scene.succeed(started, now=START)
    await scene.store.cluster.prune(before=START)

    assert (await scene.get(started[0][0])).state is RunState.SUCCEEDED


async def test_pruning_takes_attempts_and_logs_of_those_days_along(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    await scene.settle([ended(run, mine)], Decision(RunState.FAILED, failures=1), now=START)
    await scene.store.runs.append_logs([log_entry(run, mine)], now=START)
    await scene.store.cluster.prune(before=START + DAY)

    assert await scene.store.runs.attempts(run) == []
    assert await scene.store.runs.logs(run, after=0, limit=10) == []


async def test_pruning_never_touches_a_live_run_however_old(scene: Scene) -> None:
    (run,) = await scene.add()
    await scene.store.cluster.prune(before=START + 100 * DAY)

    assert [one for one, _ in await scene.claimed(now=START + 100 * DAY)] == [run]


async def test_pruning_everything_leaves_a_store_that_works(scene: Scene) -> None:
    await scene.succeed(await scene.started(), now=START)
    await scene.store.cluster.prune(before=START + 100 * DAY)
    started = await scene.started()

    assert await scene.store.runs.attempts(started[0][0]) == []
    assert await scene.succeed(started, now=START) == 1
    assert (await scene.get(started[0][0])).state is RunState.SUCCEEDED


async def test_pruning_frees_the_keys_of_runs_that_are_over(scene: Scene) -> None:
    first, second = (new_run(scene.job.id, scene.line, key="order-1") for _ in range(2))
    await scene.store.runs.create(NAMESPACE, [first], now=START)
    await scene.succeed(await scene.claimed())
    await scene.store.cluster.prune(before=START + DAY)

    assert await scene.store.runs.create(NAMESPACE, [second], now=START + DAY) == {}


async def test_pruning_keeps_the_key_of_a_run_that_still_lives(scene: Scene) -> None:
    first, second = (new_run(scene.job.id, scene.line, key="order-1", due_at=START + 50 * DAY) for _ in range(2))
    await scene.store.runs.create(NAMESPACE, [first], now=START)
    await scene.store.cluster.prune(before=START + DAY)

    holders = await scene.store.runs.create(NAMESPACE, [second], now=START + DAY)
    assert holders[second.id].run == first.id


async def test_pruning_deletes_old_progress(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    await scene.store.runs.report_progress([Progress(run, mine, 0.5)], now=START)
    await scene.succeed([(run, mine)])
    await scene.store.cluster.prune(before=START + DAY)

    again = msgspec.structs.replace(new_run(scene.job.id, scene.line), id=run)
    await scene.store.runs.create(NAMESPACE, [again], now=START)
    assert (await scene.get(run)).progress is None


async def test_a_run_that_lived_for_days_is_found_in_history(scene: Scene) -> None:
    await scene.store.cluster.prepare_history(now=START, days=40)
    (run,) = await scene.add(due_at=START + 30 * DAY)
    await scene.succeed(await scene.claimed(now=START + 30 * DAY), now=START + 30 * DAY)

    assert (await scene.get(run)).finished_at == START + 30 * DAY
    assert await scene.store.runs.states([run]) == {run: RunState.SUCCEEDED}
    assert await scene.store.runs.verdicts([(run, token())]) != {}
