"""A queue or namespace over its budget takes no more, all or none, and says when to come back."""

import pytest

from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConflictError, InvalidInputError, OverBudgetError
from mainspring.scheduler.insights.survey_queues import PACE, PACE_NEAR
from mainspring.store.interface import RunFilter
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA


async def budget(scene: Scene, max_queued: int | None, queue: str = "default") -> None:
    await scene.scheduler.queues.set_budget(NAMESPACE, queue, max_queued, actor=ANNA)


async def survey(scene: Scene, seconds: float = PACE) -> None:
    scene.clock.advance(seconds)
    await scene.scheduler.observation.surveying.tick()


async def count(scene: Scene) -> int:
    return len((await scene.store.runs.list(RunFilter(namespace=NAMESPACE, limit=500))).runs)


async def refused(scene: Scene, *requests: RunRequest, runs: int = 1) -> OverBudgetError:
    """What an enqueue is refused with; nothing may exist of it."""
    before = await count(scene)
    with pytest.raises(OverBudgetError) as refusal:
        await scene.accept(*(requests or [RunRequest(job="report")] * runs))
    assert await count(scene) == before
    return refusal.value


async def test_a_full_queue_takes_no_more_and_names_itself(scene: Scene) -> None:
    await scene.attach(room=0)
    await budget(scene, 3)
    await scene.enqueue(count=3)
    error = await refused(scene)

    assert (error.code, error.kind, error.key) == ("over_budget", "queue", "default")
    assert (error.depth, error.limit) == (3, 3)
    assert 1 <= error.retry_after <= 60


async def test_a_batch_that_does_not_fit_is_refused_whole(scene: Scene) -> None:
    await scene.attach(room=0)
    await budget(scene, 5)
    await scene.enqueue(count=3)
    await refused(scene, runs=3)

    assert len(await scene.enqueue(count=2)) == 2


async def test_the_namespace_has_a_budget_over_all_its_queues(scene: Scene) -> None:
    await scene.attach(room=0)
    await scene.scheduler.queues.set_namespace_budget(NAMESPACE, 4, actor=ANNA)
    for queue in ("a", "b", "c", "d"):
        await scene.accept(RunRequest(job="report", queue=queue))
    error = await refused(scene, RunRequest(job="report", queue="e"))

    assert (error.kind, error.key, error.depth, error.limit) == ("namespace", NAMESPACE, 4, 4)


async def test_a_mixed_batch_is_refused_if_one_of_its_queues_is_full(scene: Scene) -> None:
    await scene.attach(room=0)
    await scene.accept(RunRequest(job="report", queue="small"))
    await budget(scene, 1, "small")
    await survey(scene)
    error = await refused(scene, RunRequest(job="report"), RunRequest(job="report", queue="small"))

    assert error.key == "small"
    await scene.accept(RunRequest(job="report"))


async def test_other_namespaces_and_queues_are_not_concerned(scene: Scene) -> None:
    await scene.attach(room=0)
    await scene.scheduler.queues.set_namespace_budget("other", 0, actor=ANNA)
    await budget(scene, 0)
    await refused(scene)

    await scene.accept(RunRequest(job="report", queue="elsewhere"))


async def test_what_was_there_before_the_budget_counts_after_the_next_survey(scene: Scene) -> None:
    await scene.attach(room=0)
    await scene.enqueue(count=10)
    await survey(scene)
    await budget(scene, 5)

    assert (await refused(scene)).depth == 10


async def test_started_runs_make_room_at_once(scene: Scene) -> None:
    executor = await scene.attach(room=0)
    await budget(scene, 2)
    await scene.enqueue(count=2)
    await refused(scene)
    able = await scene.attach("e2", room=1)
    await scene.dispatch()
    await able.link.expect(Start)

    await scene.enqueue()
    await refused(scene)
    assert executor.link.count(Start) == 0


async def test_runs_that_start_with_the_commit_that_accepts_them_use_no_budget(scene: Scene) -> None:
    executor = await scene.attach(room=50)
    await scene.enqueue()
    await scene.dispatch()
    await executor.link.expect(Start)
    await budget(scene, 1)
    await scene.dispatch()
    for _ in range(20):
        await scene.enqueue()

    page = await scene.store.runs.list(RunFilter(namespace=NAMESPACE))
    assert page.runs[0].state is RunState.RUNNING


async def test_a_survey_neither_forgets_nor_counts_twice(scene: Scene) -> None:
    await scene.attach(room=0)
    await budget(scene, 10)
    await scene.enqueue(count=4)
    await survey(scene)
    await scene.enqueue(count=4)
    await survey(scene)
    await scene.enqueue(count=2)

    assert (await refused(scene)).depth == 10
    await survey(scene)
    assert (await refused(scene)).depth == 10


async def test_runs_that_end_make_room_after_a_survey(scene: Scene) -> None:
    executor = await scene.attach(room=10)
    await scene.enqueue()
    await scene.dispatch()
    start = await executor.link.expect(Start)
    await budget(scene, 1)
    await executor.settled(executor.report_failure(start))
    await survey(scene)
    # It failed and waits for its retry: that counts, until it is started again.
    assert (await refused(scene)).depth == 1
    scene.clock.advance(10)
    await scene.dispatch()
    await executor.settled(executor.report(await executor.link.expect(Start)))
    await survey(scene)

    await scene.enqueue()


async def test_what_was_refused_for_another_reason_uses_no_budget(scene: Scene) -> None:
    await scene.attach(room=0, handlers=["report", "mail"])
    await budget(scene, 2)
    await scene.accept(RunRequest(job="report", key="k"))
    with pytest.raises(ConflictError):
        await scene.accept(RunRequest(job="mail", key="k"))
    with pytest.raises(InvalidInputError):
        await scene.accept(RunRequest(job="report", priority=99))
    [again] = await scene.accept(RunRequest(job="report", key="k"))
    await scene.enqueue()

    assert again.existing
    assert (await refused(scene)).depth == 2


async def test_two_servers_learn_of_each_other_by_the_survey(scene: Scene) -> None:
    other = Scene(scene.store, scene.clock)
    await other.start()
    await scene.attach(room=0)
    await budget(scene, 4)
    await other.scheduler.catalog.tick()
    await scene.enqueue(count=3)
    await other.enqueue(count=3)
    await survey(scene)
    await other.scheduler.observation.surveying.tick()

    assert (await refused(scene)).depth == 6
    assert (await refused(other)).depth == 6


async def test_near_a_limit_surveys_come_more_often(scene: Scene) -> None:
    surveying = scene.scheduler.observation.surveying
    await scene.attach(room=0)
    await budget(scene, 10)
    await scene.enqueue(count=7)
    await survey(scene)
    assert surveying.period == PACE
    await scene.enqueue()
    await survey(scene)
    assert surveying.period == PACE_NEAR


async def test_the_time_to_come_back_follows_from_how_fast_the_queue_empties(scene: Scene) -> None:
    executor = await scene.attach(room=10)
    await scene.enqueue()
    await scene.dispatch()
    await executor.link.expect(Start)
    await budget(scene, 100)
    await survey(scene)
    await scene.accept(*[RunRequest(job="report") for _ in range(60)])
    await scene.dispatch()
    await survey(scene, 5)

    # 9 runs were started within 5 seconds; 51 wait.
    assert (await refused(scene, runs=100)).retry_after == pytest.approx(-(-51 // (9 / 5)), abs=1)


async def test_without_a_budget_nothing_is_counted(scene: Scene) -> None:
    await scene.attach(room=0)
    await budget(scene, 1)
    await budget(scene, None)

    assert not scene.scheduler.observation.budgets.any
    await scene.enqueue(count=5)


@pytest.mark.parametrize("max_queued", [-1, 2**60])
async def test_a_budget_is_a_number_of_runs(scene: Scene, max_queued: int) -> None:
    await scene.attach()
    with pytest.raises(InvalidInputError) as refusal:
        await budget(scene, max_queued)

    assert refusal.value.code == "bad_max_queued"
