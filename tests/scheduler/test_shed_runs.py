"""Requests over a budget whose queue or namespace says `shed`: what goes for them, and what never does."""

import asyncio

import msgspec
import pytest

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Policy
from mainspring.domain.queues.policy import WhenFull
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import OverBudgetError
from mainspring.scheduler.facts import RunsSettled
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA, SECOND


async def shedding(scene: Scene, budget: int) -> None:
    """A queue in which so many runs may wait, whose executor is gone."""
    await (await scene.attach(room=1)).disconnect()
    queues = scene.scheduler.queues
    await queues.set_budget(NAMESPACE, "default", budget, actor=ANNA, new=True)
    await queues.change(NAMESPACE, "default", {"when_full": WhenFull.SHED}, actor=ANNA, new=True)


async def ended(scene: Scene, *runs: RunId) -> list[tuple[RunState, str | None]]:
    found = [await scene.run(run) for run in runs]
    return [(run.state, run.reason) if run.state.final else STAYS for run in found]


SKIPPED, STAYS = (RunState.SKIPPED, "shed"), (RunState.QUEUED, None)


async def test_the_newest_of_the_least_urgent_goes_for_a_more_urgent_run(scene: Scene) -> None:
    await shedding(scene, 4)
    first, second = await scene.enqueue(count=2, priority=1)
    [middle], [high] = await scene.enqueue(priority=3), await scene.enqueue(priority=8)
    [urgent] = await scene.enqueue(priority=5)

    assert await ended(scene, first, second, middle, high, urgent) == [STAYS, SKIPPED, STAYS, STAYS, STAYS]


async def test_a_run_that_would_start_later_goes_before_one_that_is_due(scene: Scene) -> None:
    await shedding(scene, 2)
    later = RunRequest(job="report", priority=1, due_at=scene.clock.now() + SECOND)
    [put_off], [due] = await scene.accept(later), await scene.enqueue(priority=1)
    await scene.enqueue(priority=2)

    assert (await ended(scene, put_off.id))[0] == SKIPPED
    assert (await ended(scene, due))[0] == STAYS


async def test_equally_urgent_runs_are_refused_with_the_time_to_come_back(scene: Scene) -> None:
    await shedding(scene, 1)
    [kept] = await scene.enqueue(priority=5)

    with pytest.raises(OverBudgetError) as refused:
        await scene.enqueue(priority=5)
    assert refused.value.retry_after >= 1
    assert await ended(scene, kept) == [STAYS]


async def test_a_request_for_many_comes_in_whole_or_not_at_all(scene: Scene) -> None:
    await shedding(scene, 3)
    low = await scene.enqueue(count=2, priority=1)
    [high] = await scene.enqueue(priority=9)

    with pytest.raises(OverBudgetError):
        await scene.enqueue(count=3, priority=5)
    assert await ended(scene, *low, high) == [STAYS, STAYS, STAYS]
    await scene.enqueue(count=2, priority=5)
    assert await ended(scene, *low, high) == [SKIPPED, SKIPPED, STAYS]


async def test_the_queue_gets_no_longer_however_many_urgent_runs_come(scene: Scene) -> None:
    await shedding(scene, 3)
    await scene.enqueue(count=3, priority=1)
    for _ in range(3):
        await scene.enqueue(priority=5)

    with pytest.raises(OverBudgetError):
        await scene.enqueue(priority=5)
    assert scene.scheduler.observation.budgets.depth((NAMESPACE, "default")) == 3


async def test_a_namespace_sheds_over_all_its_queues(scene: Scene) -> None:
    await shedding(scene, 100)
    queues = scene.scheduler.queues
    await queues.set_namespace_budget(NAMESPACE, 2, actor=ANNA)
    await queues.change_namespace(NAMESPACE, {"when_full": WhenFull.SHED}, actor=ANNA)
    [elsewhere] = await scene.accept(RunRequest(job="report", queue="other", priority=0))
    [here] = await scene.enqueue(priority=3)
    await scene.enqueue(priority=5)

    assert await ended(scene, elsewhere.id, here) == [SKIPPED, STAYS]


async def test_a_queue_and_its_namespace_that_are_both_full_lose_one_run_for_one(scene: Scene) -> None:
    await shedding(scene, 2)
    queues = scene.scheduler.queues
    await queues.set_namespace_budget(NAMESPACE, 3, actor=ANNA)
    await queues.change_namespace(NAMESPACE, {"when_full": WhenFull.SHED}, actor=ANNA)
    [elsewhere] = await scene.accept(RunRequest(job="report", queue="other", priority=0))
    low = await scene.enqueue(count=2, priority=1)
    await scene.enqueue(priority=5)

    assert await ended(scene, elsewhere.id, *low) == [STAYS, STAYS, SKIPPED]


async def test_nothing_goes_while_another_full_place_refuses(scene: Scene) -> None:
    await shedding(scene, 1)
    await scene.scheduler.queues.set_namespace_budget(NAMESPACE, 1, actor=ANNA)
    [low] = await scene.enqueue(priority=1)

    with pytest.raises(OverBudgetError):
        await scene.enqueue(priority=5)
    assert await ended(scene, low) == [STAYS]


async def test_a_run_that_was_tried_before_stays(scene: Scene) -> None:
    executor = await scene.attach(room=1)
    queues = scene.scheduler.queues
    await queues.set_budget(NAMESPACE, "default", 1, actor=ANNA)
    await queues.change(NAMESPACE, "default", {"when_full": WhenFull.SHED}, actor=ANNA)
    [tried] = await scene.enqueue(priority=1)
    await scene.dispatch()
    await executor.settled(executor.report_failure(await executor.link.expect(Start)))
    await executor.disconnect()
    scene.scheduler.observation.budgets.exchanged([(await lines(scene, tried))[0]], [])

    with pytest.raises(OverBudgetError):
        await scene.enqueue(priority=9)
    assert not (await scene.run(tried)).state.final


async def lines(scene: Scene, *runs: RunId) -> list[int]:
    return list((await scene.store.runs.lines_of(runs)).values())


async def test_runs_that_wait_in_their_lanes_go_like_others(scene: Scene) -> None:
    executor = scene.executor(room=5)
    policy = Policy(at_once=1, limit_key=("customer",))
    executor.jobs = [JobSpec(name="report", handler="report", policy=policy)]
    await executor.connect()
    queues = scene.scheduler.queues
    await queues.set_budget(NAMESPACE, "default", 2, actor=ANNA)
    await queues.change(NAMESPACE, "default", {"when_full": WhenFull.SHED}, actor=ANNA)
    of = msgspec.json.encode({"customer": 1})
    held, *waiting = [(await scene.accept(RunRequest(job="report", input=of, priority=1)))[0].id for _ in range(2)]
    limits = scene.scheduler.limits
    await limits.gates.tick()
    while await limits.sorting.tick():
        pass
    await scene.dispatch()
    waiting += [accepted.id for accepted in await scene.accept(RunRequest(job="report", input=of, priority=2))]
    await scene.accept(RunRequest(job="report", input=of, priority=5))

    assert await ended(scene, *waiting) == [SKIPPED, STAYS]
    assert (await scene.run(held)).state is RunState.RUNNING


async def test_a_repeated_request_costs_no_run(scene: Scene) -> None:
    await shedding(scene, 2)
    again = RunRequest(job="report", priority=5, key="invoice-7")
    [low], [mine] = await scene.enqueue(priority=1), await scene.accept(again)
    [found] = await scene.accept(again)

    assert (found.id, found.existing) == (mine.id, True)
    assert await ended(scene, low) == [STAYS]


async def test_who_waits_for_a_run_that_goes_is_told(scene: Scene) -> None:
    await shedding(scene, 1)
    [low] = await scene.enqueue(priority=1)
    told = asyncio.create_task(scene.scheduler.facts.expect(RunsSettled))
    await asyncio.sleep(0)
    await scene.enqueue(priority=5)

    assert list((await told).runs) == [low]
