"""Operators' changes to workflow runs that concern values and versions: mark, fork, move."""

from collections.abc import Awaitable, Callable

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import Job
from mainspring.domain.runs.birth import Accepted, RunRequest
from mainspring.domain.runs.cancel import Operator, check_reason
from mainspring.domain.runs.run import RESULT_MAX
from mainspring.domain.workflows import again
from mainspring.domain.workflows.again import Again
from mainspring.domain.workflows.changes.fork import Fork, forked, refuse_misfits, runs_again
from mainspring.domain.workflows.changes.versions import TargetVersion
from mainspring.domain.workflows.flow import Flow
from mainspring.domain.workflows.graph import Graph
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, TooLargeError
from mainspring.scheduler.operations.workflows import WorkflowOperations
from mainspring.scheduler.workflows.check_workflows import CheckWorkflows
from mainspring.store.interface import Store
from mainspring.wire.schema_types import type_for

Accept = Callable[[str, list[RunRequest]], Awaitable[list[Accepted]]]


class FlowChanges:
    """Each has a preview (`dry_run`), takes a reason and leaves an audit entry."""

    def __init__(
        self, store: Store, clock: Clock, operations: WorkflowOperations, checks: CheckWorkflows, accept: Accept
    ) -> None:
        self._store = store
        self._clock = clock
        self._operations = operations
        self._checks = checks
        self._accept = accept

    async def mark(
        self, namespace: str, run: RunId, step: str, result: bytes, *, actor: Actor, reason: str, dry_run: bool
    ) -> Again:
        """A step that is not under way counts as succeeded with this result. Raises ConflictError and InvalidInputError."""
        _, _, graph = await self._operations.get(namespace, run)
        self.check_mark(namespace, graph, step, result)
        name = id_text(run)
        return await self._operations.change(
            namespace, run, lambda g, flow: again.mark(g, flow, name, step, result), "mark", actor, reason, dry_run
        )

    def check_mark(self, namespace: str, graph: Graph, step: str, result: bytes) -> None:
        """Raises InvalidInputError for an unknown step, or a value that its job does not return."""
        job = self._checks.find(namespace, graph.steps[again.step_number(graph, step)].job)
        check_result(result, b"{}" if job is None else job.returns)

    async def move(
        self, namespace: str, run: RunId, version: int | None, *, actor: Actor, reason: str, dry_run: bool
    ) -> Again:
        """A live workflow run goes on by another version, by default the newest. Raises ConflictError with all misfits."""
        view, _, _ = await self._operations.get(namespace, run)
        if view.finished_at is not None:
            raise ConflictError("workflow_run", id_text(run), "is over: resume it with that version")
        target = await self.target(namespace, run, version)

        def nothing(graph: Graph, flow: Flow) -> Again:
            return Again(again.waiting_steps(graph, flow))

        return await self._operations.change(namespace, run, nothing, "move", actor, reason, dry_run, target)

    async def target(self, namespace: str, run: RunId, version: int | None) -> TargetVersion:
        """Raises NotFoundError for a version that the workflow does not have."""
        view, job, _ = await self._operations.get(namespace, run)
        if view.definition is not None:
            raise ConflictError("workflow_run", id_text(run), "has a definition of its own, and no versions")
        number = job.version if version is None else version
        graph = await self._operations.graph_of_version(job, number)
        if graph is None or not graph.steps:
            raise NotFoundError("version", f"{job.name} {number}")
        return TargetVersion(number, graph)

    async def fork(
        self,
        namespace: str,
        run: RunId,
        step: str,
        given: bytes | None,
        *,
        actor: Actor,
        reason: str,
        dry_run: bool,
        target: TargetVersion | None = None,
    ) -> tuple[Again, RunId | None]:
        """A new run that begins at a step, with the results before it; the steps that it may run, and its id.

        Raises InvalidInputError for an unknown step, and ConflictError if a result that it needs is pruned, or does not fit the
        version that it is to go by.
        """
        check_reason(reason)
        view, job, graph = await self._operations.get(namespace, run)
        if view.definition is not None:
            raise ConflictError("workflow_run", id_text(run), "has a definition of its own, and no versions")
        after = graph if target is None else target.graph
        fork = forked(graph, view.flow, after, step)
        refuse_misfits(fork, id_text(run))
        await self._check_kept(run, graph, fork)
        may_run = Again(runs_again(after, fork.flow))
        if dry_run:
            return may_run, None
        request = await self._request(namespace, run, job, step, given, actor)
        if target is not None:
            request = msgspec.structs.replace(request, fork_version=target.number)
        [accepted] = await self._accept(namespace, [request])
        by = Operator(namespace=namespace, actor=actor, reason=reason, now=self._clock.now())
        version = view.version if target is None else target.number
        entry = by.entry("workflow.fork", run, step=step, fork=id_text(accepted.id), version=version)
        await self._store.access.append_audit(entry)
        return may_run, accepted.id

    async def _request(
        self, namespace: str, run: RunId, job: Job, step: str, given: bytes | None, actor: Actor
    ) -> RunRequest:
        origin = await self._store.runs.get(namespace, run)
        if origin is None:
            raise NotFoundError("run", id_text(run))
        return RunRequest(
            job=job.name,
            input=(origin.input or b"{}") if given is None else given,
            priority=origin.priority,
            by=actor.name,
            fork_of=id_text(run),
            fork_step=step,
        )

    async def _check_kept(self, run: RunId, graph: Graph, fork: Fork) -> None:
        steps = list(fork.kept.values())
        known = await self._store.workflows.kept(run, steps)
        if gone := [graph.steps[step].name for step in steps if step not in known]:
            raise ConflictError("workflow_run", id_text(run), f"the results of {', '.join(gone)} are pruned")


def check_result(result: bytes, schema: bytes) -> None:
    """Raises InvalidInputError unless the value fits what the job returns."""
    if len(result) > RESULT_MAX:
        raise TooLargeError(
            "result", f"{len(result)} bytes are over the limit of {RESULT_MAX}", code="result_too_large"
        )
    try:
        msgspec.json.decode(result, type=type_for(schema))
    except (msgspec.DecodeError, ValueError) as error:
        raise InvalidInputError("result", f"is not what the step returns: {error}", code="bad_result") from None
