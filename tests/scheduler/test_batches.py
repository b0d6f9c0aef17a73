"""Batches: named sets of plain runs, on each database."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.batches import batch
from mainspring.domain.batches.batch import BatchSpec
from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Failure, RunState
from mainspring.domain.workflows import maps
from mainspring.domain.workflows.again import Again
from mainspring.domain.workflows.flow import Map
from mainspring.domain.workflows.spec import HANDLER, StepCall, StepSpec, WorkflowSpec, write_workflow
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.workflows.batches import BatchOperations
from mainspring.store.interface import RunFilter
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.workflow_scene import WorkflowScene, echo

ANNA = Actor("anna")
PLAIN = WorkflowSpec(steps={"one": StepSpec(job="bill"), "two": StepSpec(job="report")})
"""Has the executor serve these jobs."""


class BatchScene:
    """One server, one executor, and a batch."""

    def __init__(self, stage: WorkflowScene) -> None:
        self.stage = stage
        self.scene = stage.scene
        self.ended: list[Any] = []
        """Arguments of callbacks, in the order in which they ran."""

    @classmethod
    async def make(cls, scene: Scene) -> "BatchScene":
        return cls(await WorkflowScene.make(scene, {"flow": PLAIN}))

    @property
    def operations(self) -> BatchOperations:
        return self.scene.scheduler.workflows.batches

    async def create(self, name: str = "bills", **callbacks: StepCall) -> RunId:
        return await self.operations.create(NAMESPACE, BatchSpec(name=name, **callbacks), actor=ANNA)

    async def add(self, run: RunId, numbers: Sequence[int], *, at: int | None = None) -> list[RunId]:
        requests = [RunRequest(job="bill", input=msgspec.json.encode({"x": x})) for x in numbers]
        return (await self.operations.add(NAMESPACE, run, requests, at=at, actor=ANNA))[1]

    async def close(self, run: RunId) -> None:
        await self.operations.close(NAMESPACE, run, actor=ANNA)

    async def retry(self, run: RunId) -> int:
        return await self.operations.retry(NAMESPACE, run, actor=ANNA, reason="again", dry_run=False)

    async def counts(self, run: RunId) -> Map:
        return batch.counts_of((await self.operations.get(NAMESPACE, run)).view.flow)

    async def play(self, fails: Callable[[int], bool] = lambda _: False) -> None:
        def answer(name: str, arguments: Any) -> Any:
            if name != batch.STEP_NAME:
                self.ended.append((name, arguments))
            elif fails(arguments["x"]):
                raise ValueError("broke")
            return echo(name, arguments)

        await self.stage.play(answer)


@pytest.fixture
async def stage(scene: Scene) -> BatchScene:
    return await BatchScene.make(scene)


async def test_a_batch_counts_its_runs_and_succeeds_once_it_is_closed_and_all_have(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.add(run, range(3))
    await stage.play()
    open_still = await stage.counts(run)
    state = await stage.stage.state(run)
    await stage.add(run, range(3, 5))
    await stage.close(run)
    await stage.play()

    assert (open_still.size, open_still.succeeded, open_still.open) == (3, 3, True)
    assert not state.final
    assert await stage.stage.state(run) is RunState.SUCCEEDED
    counts = await stage.counts(run)
    assert (counts.size, counts.succeeded, counts.failed, counts.open) == (5, 5, 0, False)


async def test_an_empty_batch_ends_when_it_is_closed(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.close(run)

    assert await stage.stage.state(run) is RunState.SUCCEEDED


async def test_callbacks_are_told_how_the_batch_ended(stage: BatchScene) -> None:
    report = StepCall(job="report", input={"month": 11}, mapping={"batch": "$.workflow"})
    run = await stage.create(on_success=report, on_failure=report, finally_=report)
    await stage.add(run, range(4))
    await stage.close(run)
    await stage.play(lambda x: x == 2)

    assert await stage.stage.state(run) is RunState.FAILED
    assert [name for name, _ in stage.ended] == ["on_failure", "finally"]
    told = stage.ended[0][1]
    assert told["month"] == 11
    assert {key: told["batch"][key] for key in ("name", "state", "size", "succeeded", "failed", "cancelled")} == {
        "name": "bills",
        "state": "failed",
        "size": 4,
        "succeeded": 3,
        "failed": 1,
        "cancelled": 0,
    }


async def test_a_failed_run_fails_the_batch_only_after_all_others_have_ended(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.add(run, range(3))
    await stage.close(run)
    await stage.stage.tick()
    starts = [(one, start.token) for start in stage.stage.taken() for one in start.runs]
    failed, token = starts.pop()
    broke = Ended(run=failed, token=token, outcome=Outcome.FAILED, failure=Failure(error="ValueError", message="broke"))
    stage.stage.executor.say_outcomes([], [], [], [broke])
    await stage.stage.settle()
    await stage.stage.tick()
    amid = await stage.counts(run), await stage.stage.state(run)
    stage.stage.executor.say_outcomes([one for one, _ in starts], [token for _, token in starts], [b"1"] * 2, [])
    await stage.stage.settle()
    await stage.stage.tick()

    assert (amid[0].failed, amid[0].ended) == (1, 1)
    assert not amid[1].final
    found = await stage.stage.run(run)
    assert found.state is RunState.FAILED
    assert found.failure is not None
    assert found.failure.message == "1 of 3 runs failed"


async def test_a_retry_runs_what_failed_and_nothing_else(stage: BatchScene) -> None:
    run = await stage.create(on_success=StepCall(job="report"))
    await stage.add(run, range(10))
    await stage.close(run)
    await stage.play(lambda x: x in (3, 7))
    assert await stage.stage.state(run) is RunState.FAILED
    stage.stage.started.clear()
    retried = await stage.retry(run)
    await stage.play()

    assert retried == 2
    assert [given["x"] for name, given in stage.stage.started if name == batch.STEP_NAME] == [3, 7]
    assert await stage.stage.state(run) is RunState.SUCCEEDED
    assert [name for name, _ in stage.ended] == ["on_success"]
    counts = await stage.counts(run)
    assert (counts.succeeded, counts.failed, counts.cancelled) == (10, 0, 0)


async def test_a_retry_while_others_are_under_way(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.add(run, range(3))
    await stage.play(lambda x: x == 1)
    amid = await stage.counts(run)
    await stage.retry(run)
    after = await stage.counts(run)
    await stage.add(run, [3])
    await stage.close(run)
    await stage.play()

    assert (amid.failed, after.failed) == (1, 0)
    counts = await stage.counts(run)
    assert (counts.size, counts.succeeded) == (4, 4)
    assert await stage.stage.state(run) is RunState.SUCCEEDED


async def test_a_retry_before_the_end_of_a_run_is_taken_up_counts_it_once(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.add(run, range(2))
    await stage.stage.tick()
    [start] = stage.stage.taken()

    def broken(_: str, arguments: Any) -> Any:
        raise ValueError(arguments)

    # The failures are in history, and noted; no duty has taken the notes up.
    await stage.stage.answer(start, broken)
    with pytest.raises(ConflictError, match="no run that failed"):
        await stage.retry(run)
    await stage.stage.tick()
    await stage.retry(run)
    await stage.close(run)
    await stage.play()

    counts = await stage.counts(run)
    assert (counts.size, counts.succeeded, counts.failed) == (2, 2, 0)


async def test_a_cancel_ends_all_that_is_under_way(stage: BatchScene) -> None:
    run = await stage.create(on_success=StepCall(job="report"), finally_=StepCall(job="report"))
    await stage.add(run, range(3))
    later = RunRequest(job="bill", input=b'{"x": 9}', due_at=stage.scene.clock.now() + timedelta(days=1))
    await stage.operations.add(NAMESPACE, run, [later], at=None, actor=ANNA)
    await stage.play()
    await stage.scene.scheduler.steering.cancel(NAMESPACE, run, actor=ANNA)
    await stage.play()

    assert await stage.stage.state(run) is RunState.CANCELLED
    counts = await stage.counts(run)
    assert (counts.succeeded, counts.failed, counts.cancelled) == (3, 1, 1)
    assert [name for name, _ in stage.ended] == ["finally"]


async def test_a_large_batch_is_cancelled_in_pieces(stage: BatchScene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mainspring.store.acts.workflows.rows.CANCELS_MAX", 3)
    run = await stage.create()
    due = stage.scene.clock.now() + timedelta(days=1)
    requests = [RunRequest(job="bill", input=b'{"x": 1}', due_at=due)] * 8
    await stage.operations.add(NAMESPACE, run, requests, at=None, actor=ANNA)
    await stage.scene.scheduler.steering.cancel(NAMESPACE, run, actor=ANNA)
    await stage.stage.tick()

    assert await stage.stage.state(run) is RunState.CANCELLED
    assert (await stage.counts(run)).cancelled == 8


async def test_runs_of_a_batch_are_found_by_their_labels_and_keep_what_they_asked_for(stage: BatchScene) -> None:
    run = await stage.create()
    request = RunRequest(
        job="bill", input=b'{"x": 1}', labels={"customer": "7"}, tags=("night",), priority=9, by="bert"
    )
    [made] = (await stage.operations.add(NAMESPACE, run, [request], at=None, actor=ANNA))[1]
    found = await stage.stage.run(made)

    assert (found.labels, found.tags, found.priority, found.created_by) == ({"customer": "7"}, ("night",), 9, "bert")
    marked = await stage.scene.store.runs.list(RunFilter(namespace=NAMESPACE, labels={"customer": "7"}))
    assert [one.id for one in marked.runs] == [made]


async def test_a_call_that_is_repeated_adds_nothing(stage: BatchScene) -> None:
    run = await stage.create()
    first = await stage.add(run, range(3), at=0)
    again = await stage.add(run, range(3), at=0)

    assert again == first
    assert (await stage.counts(run)).size == 3
    with pytest.raises(ConflictError, match="has 3 runs, not 1"):
        await stage.add(run, range(4), at=1)


async def test_a_batch_that_is_closed_or_over_takes_no_runs(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.add(run, [1])
    await stage.close(run)
    with pytest.raises(ConflictError, match="is closed") as closed:
        await stage.add(run, [2])
    with pytest.raises(ConflictError, match="is closed"):
        await stage.close(run)
    await stage.play()
    with pytest.raises(ConflictError, match="is over"):
        await stage.add(run, [2])
    with pytest.raises(ConflictError, match="is closed"):
        await stage.close(run)

    assert closed.value.code == "batch_closed"
    assert await stage.stage.state(run) is RunState.SUCCEEDED
    assert (await stage.counts(run)).size == 1


async def test_a_name_that_is_taken_is_refused(stage: BatchScene) -> None:
    await stage.create("bills")

    with pytest.raises(ConflictError, match="has this name") as refused:
        await stage.create("bills")
    assert refused.value.code == "name_taken"
    assert len(await stage.operations.list(NAMESPACE, before=None, limit=10)) == 1


async def test_too_many_runs_are_refused_and_none_is_made(stage: BatchScene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "ITEMS_MAX", 3)
    assert maps.ITEMS_MAX == 100_000
    run = await stage.create()
    await stage.add(run, range(2))

    with pytest.raises(InvalidInputError, match="over the limit of 3") as refused:
        await stage.add(run, range(2))
    assert refused.value.code == "batch_too_large"
    assert (await stage.counts(run)).size == 2


async def test_callbacks_that_cannot_run_are_refused(stage: BatchScene) -> None:
    schema = msgspec.json.encode(
        {
            "type": "object",
            "properties": {"order": {"type": "integer"}},
            "required": ["order"],
            "additionalProperties": False,
        }
    )
    strict = JobSpec(name="strict", handler="strict", schema=schema)
    await stage.scene.store.jobs.register(NAMESPACE, [strict], now=stage.scene.clock.now())
    await stage.scene.scheduler.catalog.refresh()

    for call, words in (
        (StepCall(job="reprot"), "there is no job reprot"),
        (StepCall(job="strict"), "strict requires order"),
        (StepCall(job="strict", input={"order": 1, "size": 2}), "no such parameter"),
        (StepCall(job="strict", input={"order": "seven"}), "order"),
    ):
        with pytest.raises(InvalidInputError, match=words) as refused:
            await stage.create(on_success=call)
        assert refused.value.field.startswith("on_success")
    assert not await stage.operations.list(NAMESPACE, before=None, limit=10)


async def test_what_is_no_batch_is_not_found(stage: BatchScene) -> None:
    run = await stage.stage.enqueue("flow")
    await stage.stage.tick()
    for other in (run, RunId(bytes(16))):
        with pytest.raises(NotFoundError):
            await stage.add(other, [1])
        with pytest.raises(NotFoundError):
            await stage.close(other)
        with pytest.raises(NotFoundError):
            await stage.retry(other)


async def test_keys_and_unknown_jobs_are_refused_with_their_place(stage: BatchScene) -> None:
    run = await stage.create()
    good = RunRequest(job="bill", input=b"{}")

    with pytest.raises(InvalidInputError) as refused:
        await stage.operations.add(NAMESPACE, run, [good, RunRequest(job="bill", key="k")], at=None, actor=ANNA)
    assert refused.value.field == "runs[1].key"
    with pytest.raises(NotFoundError):
        await stage.operations.add(NAMESPACE, run, [good, RunRequest(job="billl")], at=None, actor=ANNA)
    assert (await stage.counts(run)).size == 0


async def test_the_sweep_finds_ends_that_the_counts_lack(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.add(run, range(4))
    await stage.stage.tick()
    for start in stage.stage.taken():
        await stage.stage.answer(start, fail_odd)
    acts: Any = stage.scene.store.workflows
    # Successes were counted with their outcomes; the notes of failures are lost here, as no fault of a server loses them.
    await acts.transactions.write(lambda tx: tx.all("take_notes", ids=[run]))
    found = await acts.mend([run], now=stage.scene.clock.now())
    again = await acts.mend([run], now=stage.scene.clock.now())
    await stage.close(run)
    await stage.stage.tick()

    assert (found, again) == (1, 0)
    counts = await stage.counts(run)
    assert (counts.succeeded, counts.failed) == (2, 2)
    assert await stage.stage.state(run) is RunState.FAILED


def fail_odd(name: str, arguments: Any) -> Any:
    if arguments["x"] % 2:
        raise ValueError("broke")
    return echo(name, arguments)


async def test_the_invariant_of_batches_holds_and_is_violated_by_a_wrong_count(stage: BatchScene) -> None:
    run = await stage.create()
    await stage.add(run, range(3))
    store, now = stage.scene.store, stage.scene.clock.now()
    assert "batches" not in {one.name for one in await store.cluster.violations(now=now)}

    def spoil(graph: Any, flow: Any) -> Any:
        flow.maps[0].size = flow.maps[0].begun = 5
        return Again()

    change = stage.scene.scheduler.workflows.operations.change
    await change(NAMESPACE, run, spoil, "spoil", ANNA, "", dry_run=False)

    assert "batches" in {one.name for one in await store.cluster.violations(now=now)}


async def test_the_newest_batches_are_listed_first_and_by_pages(stage: BatchScene) -> None:
    made = [await stage.create(f"bills {n}") for n in range(3)]
    first = await stage.operations.list(NAMESPACE, before=None, limit=2)
    rest = await stage.operations.list(NAMESPACE, before=first[-1].view.run, limit=2)

    assert [one.view.run for one in (*first, *rest)] == made[::-1]
    assert await stage.operations.named(NAMESPACE, "bills 1") == made[1]


async def test_failed_runs_are_listed_by_their_numbers(stage: BatchScene) -> None:
    run = await stage.create()
    made = await stage.add(run, range(6))
    await stage.play(lambda x: x in (1, 4))
    failed = await stage.operations.runs(run, after=-1, limit=10, failed=True)

    assert [(one.item, one.run) for one in failed] == [(1, made[1]), (4, made[4])]
    assert [one.item for one in await stage.operations.runs(run, after=2, limit=2, failed=False)] == [3, 4]


async def test_a_run_of_the_job_of_batches_that_is_none_ends_and_keeps_no_workflow_from_beginning(scene: Scene) -> None:
    stage = await BatchScene.make(scene)
    await stage.create()
    bare = await stage.stage.enqueue(batch.JOB)
    # Alone at first: a set of workflow runs without a single step is the one that a database may stumble over.
    await stage.stage.tick()
    flow = await stage.stage.enqueue()
    await stage.stage.play(echo)

    assert await stage.stage.state(bare) is RunState.FAILED
    assert await stage.stage.state(flow) is RunState.SUCCEEDED


async def test_a_batch_is_not_held_against_the_arguments_of_a_workflow(scene: Scene) -> None:
    bills = await BatchScene.make(scene)
    schema = b'{"type":"object","properties":{"order":{"type":"integer"}},"required":["order"]}'
    strict = JobSpec(name="strict", handler=HANDLER, schema=schema, workflow=write_workflow(PLAIN))
    executor = scene.executor(name="strict", handlers=[])
    executor.jobs = [strict]
    await executor.connect()

    run = await bills.create()
    await bills.add(run, [1])
    with pytest.raises(InvalidInputError):
        await scene.accept(RunRequest(job="strict"))
