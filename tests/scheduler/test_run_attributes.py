"""Labels, tags, deadlines and who asked, from the request to the executor."""

from datetime import timedelta

import pytest

from mainspring.domain.metadata import RunMetadata, read_metadata
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.store.interface import RunFilter
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene

RICH = RunRequest(job="report", labels={"customer": "7"}, tags=("nightly",), by="ci")


async def test_an_executor_is_told_of_a_run_that_it_claims(scene: Scene) -> None:
    await scene.attach(room=0)
    deadline = scene.clock.now() + timedelta(seconds=90)
    late = RunRequest(job="report", deadline_at=deadline)
    first, second, third = await scene.accept(RICH, RunRequest(job="report", by="ci"), late)
    scene.clock.advance(30)
    executor = await scene.attach("e2")
    await scene.dispatch()

    start = await executor.link.expect(Start)
    told = dict(zip(start.runs, start.extras, strict=True))
    assert read_metadata(told[first.id]) == RunMetadata(labels={"customer": "7"}, tags=("nightly",), by="ci")
    assert told[second.id] is None
    assert read_metadata(told[third.id]) == RunMetadata(deadline=deadline, left=60.0)


async def test_an_executor_is_told_of_a_run_that_is_born_claimed(scene: Scene) -> None:
    executor = await scene.attach()
    await scene.enqueue()
    await scene.dispatch()
    await executor.link.expect(Start)
    deadline = scene.clock.now() + timedelta(seconds=90)
    rich = RunRequest(job="report", tags=("nightly",), by="ci", deadline_at=deadline)
    await scene.accept(rich, RunRequest(job="report", by="ci"))

    start = await executor.link.expect(Start)
    assert [read_metadata(extra) for extra in start.extras] == [
        RunMetadata(tags=("nightly",), deadline=deadline, left=90.0),
        RunMetadata(),
    ]


async def test_runs_without_attributes_add_nothing_to_a_frame(scene: Scene) -> None:
    executor = await scene.attach()
    await scene.accept(RunRequest(job="report", by="ci"), RunRequest(job="report", by="somebody else"))
    await scene.dispatch()

    assert (await executor.link.expect(Start)).extras == []


async def test_a_run_shows_its_attributes(scene: Scene) -> None:
    await scene.attach(room=0)
    [accepted] = await scene.accept(RICH)

    run = await scene.run(accepted.id)
    assert (run.labels, run.tags, run.created_by) == ({"customer": "7"}, ("nightly",), "ci")


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        (RunRequest(job="report", tags=("a=b",)), "bad_tags", "tags[0]"),
        (RunRequest(job="report", labels={"A": "b"}), "bad_labels", "labels"),
        (RunRequest(job="report", queue="a\u200b"), "bad_queue", "queue"),
    ],
)
async def test_bad_attributes_are_refused_whole(scene: Scene, request_: RunRequest, code: str, field: str) -> None:
    await scene.attach()
    with pytest.raises(InvalidInputError) as refusal:
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="report"), request_])

    assert (refusal.value.code, refusal.value.field) == (code, f"runs[1].{field}")
    assert (await scene.scheduler.list(RunFilter(namespace=NAMESPACE))).runs == []


async def test_a_deadline_before_the_run_is_due_is_refused(scene: Scene) -> None:
    await scene.attach()
    due, deadline = scene.clock.now() + timedelta(hours=1), scene.clock.now() + timedelta(minutes=59)
    with pytest.raises(InvalidInputError, match="not after") as refusal:
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="report", due_at=due, deadline_at=deadline)])
    assert refusal.value.code == "bad_deadline"


async def test_a_misspelt_job_gets_a_hint(scene: Scene) -> None:
    await scene.attach()
    with pytest.raises(NotFoundError, match="did you mean report"):
        await scene.scheduler.accept(NAMESPACE, [RunRequest(job="reprot")])


async def test_lists_say_waiting_of_what_nobody_takes(scene: Scene) -> None:
    executor = await scene.attach(handlers=["report", "mail"])
    [parked] = await scene.accept(RunRequest(job="report", queue="elsewhere"))
    [due_later] = await scene.accept(RunRequest(job="mail", due_at=scene.clock.now() + timedelta(hours=1)))

    async def ids(*states: RunState) -> list[bytes]:
        return [run.id for run in (await scene.scheduler.list(RunFilter(namespace=NAMESPACE, states=states))).runs]

    assert await ids(RunState.WAITING) == [parked.id]
    assert await ids(RunState.QUEUED) == [due_later.id]
    assert await ids(RunState.QUEUED, RunState.WAITING) == [due_later.id, parked.id]
    assert executor.link.count(Start) == 0
