"""Batches: named sets of plain runs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.batches import batch
from mainspring.domain.batches.batch import JOB, BatchSpec
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.cancel import Operator, check_reason
from mainspring.domain.runs.run import NewRun
from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.again import Again
from mainspring.domain.workflows.checks import check_jobs
from mainspring.domain.workflows.flow import Flow
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.schemas import parameters_of
from mainspring.domain.workflows.spec import HANDLER, StepCall
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import DeadlineSet, Facts, RunsAccepted, RunsChanged, publish_new_runs
from mainspring.scheduler.intake.budgets import Budgets
from mainspring.scheduler.intake.build_runs import Validate
from mainspring.scheduler.operations.workflows import WorkflowOperations
from mainspring.scheduler.workflows.check_workflows import CheckWorkflows
from mainspring.store.interface import FlowView, NewBatch, StepRun, Store
from mainspring.wire.arguments import checked

SPEC = JobSpec(name=JOB, handler=HANDLER, description="Runs of batches.", workflow=b'{"steps":{}}')
SAMPLE = batch.BatchEnd(id="", name="", state="succeeded", size=0, succeeded=0, failed=0, cancelled=0)
"""Stands for the end of a batch when its callbacks are checked."""


class BatchView(msgspec.Struct, frozen=True):
    """A batch as it is now."""

    view: FlowView
    spec: BatchSpec
    graph: Graph


class BatchOperations:
    """The counts of a batch are those of a map: whatever ends one of its runs notes it, and nothing is ever counted anew."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        catalog: Catalog,
        validate: Validate,
        budgets: Budgets,
        operations: WorkflowOperations,
        checks: CheckWorkflows,
        facts: Facts,
    ) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._validate = validate
        self._budgets = budgets
        self._operations = operations
        self._checks = checks
        self._facts = facts

    async def create(
        self,
        namespace: str,
        spec: BatchSpec,
        requests: Sequence[RunRequest] = (),
        *,
        closed: bool = False,
        deadline: datetime | None = None,
        actor: Actor,
    ) -> RunId:
        """Begin a batch with its first runs, all or nothing.

        Raises InvalidInputError, also for a callback that cannot run, NotFoundError for an unknown job, and ConflictError for
        a name that is taken.
        """
        batch.check_name(spec.name)
        await self._register(namespace, actor)
        definition = batch.write_batch(self._checked(namespace, spec))
        now = self._clock.now()
        runs = await self._built(namespace, requests, now)
        own = RunRequest(job=JOB, by=actor.name, deadline_at=deadline)
        [run] = await self._validate.runs(namespace, [own], now)
        new = NewBatch(
            name=spec.name,
            run=run,
            version=self._catalog.jobs[namespace, JOB].version,
            definition=definition,
            flow=batch.new_flow(own_graph(definition), spec.name, len(runs), closed=closed),
        )
        by = Operator(namespace=namespace, actor=actor, reason="", now=now)
        with self._admitted(runs):
            await self._store.batches.create(new, runs, by, now=now)
        self._publish(runs, now)
        if run.deadline_at is not None:
            self._facts.publish(DeadlineSet(run.deadline_at))
        self._facts.publish(RunsChanged([run.id]))
        return run.id

    async def _built(self, namespace: str, requests: Sequence[RunRequest], now: datetime) -> list[NewRun]:
        refuse_keys(requests)
        if any((namespace, request.job) not in self._catalog.jobs for request in requests):
            await self._catalog.refresh()
        return await self._validate.runs(namespace, requests, now)

    @contextmanager
    def _admitted(self, runs: Sequence[NewRun]) -> Iterator[None]:
        """Count the runs into the budgets of their queues, unless they are not made; raises OverBudgetError."""
        self._budgets.admit(runs)
        try:
            yield
        except BaseException:
            self._budgets.take_back(runs)
            raise

    def _publish(self, runs: Sequence[NewRun], now: datetime) -> None:
        if runs:
            self._facts.publish(RunsAccepted(runs))
            publish_new_runs(self._facts, runs, now)

    async def _register(self, namespace: str, actor: Actor) -> None:
        if (namespace, JOB) not in self._catalog.jobs:
            now = self._clock.now()
            await self._store.jobs.define(
                namespace, JOB, lambda _: SPEC, act="job.define", actor=actor, note="for batches", now=now
            )
            await self._catalog.tick()
        self._catalog.has_workflows = True

    def _checked(self, namespace: str, spec: BatchSpec) -> BatchSpec:
        """With the end of the batch as an argument of each callback that takes it; raises InvalidInputError."""
        calls = {
            field: self._call(namespace, getattr(spec, field)) for field in ("on_success", "on_failure", "finally_")
        }
        full = msgspec.structs.replace(spec, **calls)
        known = {name: None for place, name in self._catalog.jobs if place == namespace}
        check_jobs(batch.workflow_of(full), lambda name: self._checks.find(namespace, name), known)
        for field, call in calls.items():
            if call is not None:
                self._check_constants(namespace, field.rstrip("_"), call)
        return full

    def _call(self, namespace: str, call: StepCall | None) -> StepCall | None:
        job = None if call is None else self._checks.find(namespace, call.job)
        return call if job is None else batch.with_end(call, parameters_of(msgspec.json.decode(job.schema)))

    def _check_constants(self, namespace: str, field: str, call: StepCall) -> None:
        """Raises InvalidInputError for a value that the callback's job does not take."""
        job = self._catalog.jobs[namespace, call.job]
        given = msgspec.json.encode({**call.input, **dict.fromkeys(call.mapping, SAMPLE)})
        try:
            checked(job, given, self._catalog.schema_of(job))
        except InvalidInputError as error:
            raise type(error)(f"{field}.{error.field}", error.reason, code=error.code) from None

    async def add(
        self, namespace: str, run: RunId, requests: Sequence[RunRequest], *, at: int | None, actor: Actor
    ) -> tuple[int, list[RunId]]:
        """Create runs that join an open batch, all or none; how many it had before, and their ids.

        A call that is repeated with the same `at` adds nothing, and answers with the ids of the first.
        Raises NotFoundError, InvalidInputError and ConflictError.
        """
        now = self._clock.now()
        runs = await self._built(namespace, requests, now)
        by = Operator(namespace=namespace, actor=actor, reason="", now=now)
        with self._admitted(runs):
            joined = await self._store.batches.add(run, runs, by, at=at, now=now)
            if joined is None:
                view = await self.get(namespace, run)
                raise ConflictError("batch", view.spec.name, "is over", code="batch_closed")
        if joined.repeated:
            self._budgets.take_back(runs)
            last = (batch.STEP_NUMBER, joined.before - 1)
            found = await self._store.workflows.steps(run, after=last, limit=len(runs))
            return joined.before, [one.run for one in found]
        self._publish(runs, now)
        return joined.before, [one.id for one in runs]

    async def close(self, namespace: str, run: RunId, *, actor: Actor) -> None:
        """No more runs join; it ends once all have. Raises NotFoundError and ConflictError."""
        name = (await self.get(namespace, run)).spec.name

        def closed(_: Graph, flow: Flow) -> Again:
            batch.close(flow, name)
            return Again()

        await self._operations.change(namespace, run, closed, "close", actor, "", dry_run=False)

    async def refuse_over(self, namespace: str, run: RunId) -> None:
        """Raises NotFoundError, and ConflictError if it is over."""
        view = await self.get(namespace, run)
        if view.view.finished_at is not None:
            raise ConflictError("batch", view.spec.name, "is over", code="batch_over")

    async def retry(self, namespace: str, run: RunId, *, actor: Actor, reason: str, dry_run: bool) -> int:
        """Run those again that ended without success; how many there are. Raises NotFoundError and ConflictError."""
        name = (await self.get(namespace, run)).spec.name
        found = 0

        def retried(graph: Graph, flow: Flow) -> Again:
            nonlocal found
            found = batch.counts_of(flow).failed
            return batch.retry(graph, flow, name)

        await self._operations.change(namespace, run, retried, "retry", actor, check_reason(reason), dry_run)
        return found

    async def get(self, namespace: str, run: RunId) -> BatchView:
        """Raises NotFoundError."""
        view = await self._store.workflows.get(namespace, run)
        if view is None or view.definition is None or not view.definition.startswith(batch.MARK):
            raise NotFoundError("batch", id_text(run))
        return shown(view)

    async def named(self, namespace: str, name: str) -> RunId | None:
        """The batch of a name."""
        return await self._store.batches.named(namespace, name)

    async def runs(self, run: RunId, *, after: int, limit: int, failed: bool) -> list[StepRun]:
        """Its runs by their numbers, or those that ended without success."""
        if failed:
            return await self._store.batches.unsuccessful(run, after=after, limit=limit)
        place = (batch.STEP_NUMBER, after)
        found = await self._store.workflows.steps(run, after=place, limit=limit)
        return [one for one in found if one.step == batch.STEP_NUMBER]

    # Last in the class: behind it, `list` names this method.
    async def list(self, namespace: str, *, before: RunId | None, limit: int) -> Sequence[BatchView]:
        return [shown(view) for view in await self._store.batches.list(namespace, before=before, limit=limit)]


def shown(view: FlowView) -> BatchView:
    assert view.definition is not None
    return BatchView(view, batch.read_batch(view.definition), own_graph(view.definition))


def refuse_keys(requests: Sequence[RunRequest]) -> None:
    """A run that is there already cannot join: it may be another batch's, or over."""
    for position, request in enumerate(requests):
        if request.key is not None:
            raise InvalidInputError(f"runs[{position}].key", "runs of a batch have no keys", code="bad_key")
