"""Runs as people see them: newest first, page by page, and only their own."""

from mainspring.domain.ids import RunId
from mainspring.domain.runs.attempt import Decision
from mainspring.domain.runs.run import Failure, RunState
from mainspring.store.interface import RunFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, ended, job_spec, new_run, run_ids
from tests.store.scene import Scene
from tests.words import DAY


async def listed(scene: Scene, **conditions: object) -> list[RunId]:
    query = RunFilter(**{"namespace": NAMESPACE, **conditions})  # type: ignore[arg-type]
    return [run.id for run in (await scene.store.runs.list(query)).runs]


async def test_a_run_nobody_made_is_none(scene: Scene) -> None:
    assert await scene.store.runs.get(NAMESPACE, run_ids(1)[0]) is None


async def test_a_namespace_never_sees_anothers_runs(scene: Scene) -> None:
    live, done = await scene.started(2)
    await scene.succeed([done])

    for run in (live[0], done[0]):
        assert await scene.store.runs.get("other", run) is None
    assert await listed(scene, namespace="other") == []


async def test_live_runs_and_history_are_listed_together_newest_first(scene: Scene) -> None:
    runs = await scene.add(6)
    started = await scene.claimed(4)
    await scene.succeed([started[1]], now=START)
    await scene.succeed([started[3]], now=START + DAY)

    assert await listed(scene) == runs[::-1]


async def test_pages_follow_each_other_without_gap_or_repeat(scene: Scene) -> None:
    runs = await scene.add(7)
    await scene.succeed((await scene.claimed(5))[::2], now=START + DAY)
    pages = [await listed(scene, limit=3)]
    while pages[-1]:
        pages.append(await listed(scene, limit=3, after=pages[-1][-1]))

    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert [run for page in pages for run in page] == runs[::-1]


async def test_a_list_can_be_narrowed_to_states(scene: Scene) -> None:
    (first, mine), running = await scene.started(2)
    await scene.succeed([(first, mine)])
    (queued,) = await scene.add()

    assert await listed(scene, states=(RunState.SUCCEEDED,)) == [first]
    assert await listed(scene, states=(RunState.RUNNING, RunState.QUEUED)) == [queued, running[0]]
    assert await listed(scene, states=(RunState.FAILED,)) == []


async def test_a_list_can_be_narrowed_to_a_job(scene: Scene) -> None:
    (other,) = await scene.store.jobs.register(NAMESPACE, [job_spec("other")], now=START)
    mine, theirs = new_run(scene.job.id, scene.line), new_run(other.id, scene.line)
    await scene.store.runs.create(NAMESPACE, [mine, theirs], now=START)

    assert await listed(scene, job="other") == [theirs.id]
    assert await listed(scene, job="nobody") == []


async def test_a_list_can_be_narrowed_to_a_queue(scene: Scene) -> None:
    await scene.add()
    (run,) = await scene.add(line=await scene.add_line("other"))

    assert await listed(scene, queue="other") == [run]
    assert await listed(scene, queue="other", states=(RunState.RUNNING,)) == []


async def test_a_listed_run_is_the_run_that_get_returns(scene: Scene) -> None:
    done, failed, running = await scene.started(3)
    await scene.succeed([done])
    await scene.settle([ended(*failed)], Decision(RunState.FAILED, failures=1))
    await scene.add()

    page = await scene.store.runs.list(RunFilter(namespace=NAMESPACE, bodies=True))
    assert page.runs == [await scene.get(run.id) for run in page.runs]
    assert {run.id: run.state for run in page.runs}[running[0]] is RunState.RUNNING


async def test_a_run_that_is_tried_again_shows_its_last_failure(scene: Scene) -> None:
    ((run, mine),) = await scene.started()
    await scene.settle([ended(run, mine, error="FirstError")])
    ((_, mine),) = await scene.claimed()
    await scene.settle([ended(run, mine, error="SecondError")])

    found = await scene.get(run)
    assert (found.state, found.failures) == (RunState.QUEUED, 2)
    assert found.failure == Failure(error="SecondError", message="it broke", traceback="line 1")


async def test_a_keyed_run_shows_its_key_live_and_in_history(scene: Scene) -> None:
    run = new_run(scene.job.id, scene.line, key="order-1")
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    assert (await scene.get(run.id)).key == "order-1"

    await scene.succeed(await scene.claimed())
    assert (await scene.get(run.id)).key == "order-1"
