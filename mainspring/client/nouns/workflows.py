"""Workflows and workflow runs, approvals and batches."""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self, Unpack

from mainspring.client.calls import AsyncCall, ask, if_match, if_new
from mainspring.client.handles import Timeout
from mainspring.client.nouns.flow_filters import flow_query
from mainspring.client.options import FlowFilters
from mainspring.client.transport.requests import CHUNK, Enqueue, with_origin
from mainspring.client.values import encode
from mainspring.contract.operations import approvals
from mainspring.contract.operations.approvals import ApprovalPage, DecisionInfo
from mainspring.contract.runs import RunInfo
from mainspring.contract.workflows import batches, bodies, operations
from mainspring.contract.workflows.batches import AddedRuns, BatchInfo, BatchPage, BatchRunPage, RetriedBatch
from mainspring.contract.workflows.bodies import (
    AgainInfo,
    CheckInfo,
    ForkInfo,
    GridInfo,
    StepRunPage,
    WorkflowInfo,
    WorkflowRunInfo,
)
from mainspring.contract.workflows.lists import WorkflowRunPage

LEFT = "the code that filled it raised an error"


class AsyncWorkflows:
    """`client.workflows` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> WorkflowInfo:
        """A workflow with its graph."""
        return await self._call(ask(operations.GET_WORKFLOW, name))

    async def put(self, name: str, definition: Mapping[str, Any], version: int | None = None) -> WorkflowInfo:
        """Replace a definition, as YAML and JSON have it, or (None) create it; runs that have begun keep their version.

        Raises StaleError if it is at another version.
        """
        headers = if_new() if version is None else if_match(version)
        return await self._call(ask(operations.PUT_WORKFLOW, name, body=definition, headers=headers))

    async def check(self, definition: Mapping[str, Any]) -> CheckInfo:
        """Check a definition as if it were saved. Raises InvalidInputError."""
        return await self._call(ask(operations.CHECK_WORKFLOW, body=definition))

    async def run(self, run: str) -> WorkflowRunInfo:
        """How far a workflow run has come, step by step."""
        return await self._call(ask(operations.GET_WORKFLOW_RUN, run))

    async def runs(
        self, name: str, *, limit: int = 50, cursor: str | None = None, **filters: Unpack[FlowFilters]
    ) -> WorkflowRunPage:
        """Its runs, newest first. A page may be short, even empty, and yet have a `next`."""
        query = flow_query(name, limit=limit, cursor=cursor, **filters)
        return await self._call(ask(operations.LIST_WORKFLOW_RUNS, query=query))

    async def grid(self, name: str, *, limit: int = 50) -> GridInfo:
        """The newest runs of a workflow against its steps."""
        return await self._call(ask(operations.GET_WORKFLOW_GRID, name, query=bodies.GridQuery(limit=limit)))

    async def steps(self, run: str, *, limit: int = 50, cursor: str | None = None, times: bool = False) -> StepRunPage:
        """The runs of its steps, by step and item; with `times`, when each began and ended."""
        query = bodies.StepQuery(limit=limit, cursor=cursor, times=times)
        return await self._call(ask(operations.LIST_STEP_RUNS, run, query=query))

    async def resume(
        self, run: str, *, redo: bool = False, version: int | None = None, dry_run: bool = False, reason: str = ""
    ) -> AgainInfo:
        """Run failed and cancelled steps again, of maps the failed items only; by another version, 0 for the newest, if given.

        Raises ConflictError.
        """
        body = bodies.ResumeBody(redo=redo, version=version, dry_run=dry_run, reason=reason)
        return await self._call(ask(operations.RESUME_WORKFLOW_RUN, run, body=body))

    async def retry(self, run: str, step: str, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Run a step and all that comes after it again. Raises ConflictError."""
        body = bodies.StepBody(step=step, dry_run=dry_run, reason=reason)
        return await self._call(ask(operations.RETRY_WORKFLOW_RUN, run, body=body))

    async def skip(self, run: str, step: str, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Skip a step that is not under way. Raises ConflictError."""
        body = bodies.StepBody(step=step, dry_run=dry_run, reason=reason)
        return await self._call(ask(operations.SKIP_STEP, run, body=body))

    async def mark(
        self, run: str, step: str, result: Any = None, *, dry_run: bool = False, reason: str = ""
    ) -> AgainInfo:
        """Have a step that is not under way count as succeeded with this value.

        Raises ConflictError, and InvalidInputError if the value is not what the step returns.
        """
        body = bodies.MarkBody(step=step, result=result, dry_run=dry_run, reason=reason)
        return await self._call(ask(operations.MARK_STEP, run, body=body))

    async def fork(
        self,
        run: str,
        step: str,
        *,
        arguments: Mapping[str, Any] | None = None,
        version: int | None = None,
        dry_run: bool = False,
        reason: str = "",
    ) -> ForkInfo:
        """Start a new run at a step, with the results before it; by another version, 0 for the newest, if given.

        Raises ConflictError if a result is pruned, or does not fit that version.
        """
        given = None if arguments is None else dict(arguments)
        body = bodies.ForkBody(step=step, input=given, version=version, dry_run=dry_run, reason=reason)
        return await self._call(ask(operations.FORK_WORKFLOW_RUN, run, body=body))

    async def move(self, run: str, version: int = 0, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Have a live run go on by another version, 0 for the newest. Raises ConflictError with all that does not fit."""
        body = bodies.MoveBody(version=version, dry_run=dry_run, reason=reason)
        return await self._call(ask(operations.MOVE_WORKFLOW_RUN, run, body=body))

    async def pause(self, run: str, *, reason: str = "") -> WorkflowRunInfo:
        """Begin no more steps; running ones continue. Raises ConflictError if it is over."""
        return await self._call(ask(operations.PAUSE_WORKFLOW_RUN, run, body=bodies.FlowRequestBody(reason=reason)))

    async def unpause(self, run: str, *, reason: str = "") -> WorkflowRunInfo:
        return await self._call(ask(operations.UNPAUSE_WORKFLOW_RUN, run, body=bodies.FlowRequestBody(reason=reason)))

    async def stop(self, run: str, *, reason: str = "") -> WorkflowRunInfo:
        """Cancel it without running its undos and endings."""
        return await self._call(ask(operations.STOP_WORKFLOW_RUN, run, body=bodies.FlowRequestBody(reason=reason)))


class AsyncApprovals:
    """`client.approvals` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> ApprovalPage:
        """The approvals that steps of workflows wait for."""
        query = approvals.ApprovalQuery(limit=limit, cursor=cursor)
        return await self._call(ask(approvals.LIST_APPROVALS, query=query))

    async def approve(self, run: str, *, form: Mapping[str, Any] | None = None, note: str = "") -> DecisionInfo:
        """Approve what a step waits for, by the id of its run.

        Raises ForbiddenError, InvalidInputError if the form does not fit, and ConflictError if the caller has answered.
        """
        body = approvals.ApproveBody(form=dict(form or {}), note=note)
        return await self._call(ask(approvals.APPROVE_RUN, run, body=body))

    async def reject(self, run: str, *, note: str = "") -> DecisionInfo:
        """Reject what a step waits for."""
        return await self._call(ask(approvals.REJECT_RUN, run, body=approvals.RejectBody(note=note)))


class AsyncBatches:
    """`client.batches` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(
        self,
        name: str,
        runs: Sequence[Enqueue] = (),
        *,
        close: bool = False,
        on_success: Mapping[str, Any] | None = None,
        on_failure: Mapping[str, Any] | None = None,
        finally_: Mapping[str, Any] | None = None,
    ) -> BatchInfo:
        """Begin a batch with up to 10,000 runs; callbacks are written `{"job": …, "input": {…}}`.

        Raises ConflictError for a name that is taken, InvalidInputError for a callback that cannot run.
        """
        callbacks = {"on_success": on_success, "on_failure": on_failure, "finally": finally_}
        given = {key: dict(value) for key, value in callbacks.items() if value is not None}
        body = {"name": name, "runs": [with_origin(run) for run in runs], "close": close, **given}
        return await self._call(ask(batches.CREATE_BATCH, body=encode(body, "input")))

    async def get(self, batch: str) -> BatchInfo:
        """A batch with its counts, which are kept, not counted."""
        return await self._call(ask(batches.GET_BATCH, batch))

    async def named(self, name: str) -> BatchInfo | None:
        """The batch of a name."""
        page = await self._call(ask(batches.LIST_BATCHES, query=batches.BatchQuery(name=name)))
        return page.batches[0] if page.batches else None

    async def add(self, batch: str, runs: Sequence[Enqueue], *, at: int | None = None) -> AddedRuns:
        """Add up to 10,000 runs, all or none; with `at`, how many it has, a repeated call adds nothing.

        Raises ConflictError if it is closed or over, InvalidInputError if it would grow over 100,000.
        """
        body: dict[str, Any] = {"runs": [with_origin(run) for run in runs]}
        body |= {} if at is None else {"at": at}
        request = ask(batches.ADD_BATCH_RUNS, batch, body=encode(body, "input"), repeatable=at is not None)
        return await self._call(request)

    async def close(self, batch: str) -> BatchInfo:
        """No more runs join; it ends once all have. Raises ConflictError if it is closed or over."""
        return await self._call(ask(batches.CLOSE_BATCH, batch))

    async def cancel(self, batch: str, *, reason: str = "") -> BatchInfo:
        """Cancel its live runs. Raises ConflictError if it is over."""
        return await self._call(ask(batches.CANCEL_BATCH, batch, body=batches.BatchRequestBody(reason=reason)))

    async def retry(self, batch: str, *, dry_run: bool = False, reason: str = "") -> RetriedBatch:
        """Run those again that failed or were cancelled. Raises ConflictError if none has."""
        body = batches.RetryBatchBody(dry_run=dry_run, reason=reason)
        return await self._call(ask(batches.RETRY_BATCH, batch, body=body))

    async def runs(
        self, batch: str, *, failed: bool = False, times: bool = False, limit: int = 50, cursor: str | None = None
    ) -> BatchRunPage:
        """Its runs by their numbers; with `failed`, those that failed or were cancelled."""
        query = batches.BatchRunQuery(limit=limit, cursor=cursor, failed=failed, times=times)
        return await self._call(ask(batches.LIST_BATCH_RUNS, batch, query=query))

    # Last in the class: behind it, `list` names this method.
    async def list(self, *, limit: int = 50, cursor: str | None = None) -> BatchPage:
        """Batches with their counts, newest first."""
        return await self._call(ask(batches.LIST_BATCHES, query=batches.BatchQuery(limit=limit, cursor=cursor)))


class AsyncBatchCalls(Protocol):
    """A client, as a batch sees it."""

    @property
    def batches(self) -> AsyncBatches: ...

    async def wait(self, run: str, *, timeout: Timeout = None) -> RunInfo: ...


class AsyncBatch:
    """A batch in the hand of the code that fills it; at the end of a `with` it is closed, after an error cancelled."""

    def __init__(self, client: AsyncBatchCalls, batch: BatchInfo) -> None:
        self._client = client
        self.id = batch.id
        self.name = batch.name

    async def add(self, runs: Iterable[Enqueue]) -> tuple[str, ...]:
        """Add runs, made by `job.call(…)`; return their ids. Each chunk of 5,000 is accepted whole or not at all."""
        wanted = tuple(runs)
        made: list[str] = []
        for start in range(0, len(wanted), CHUNK):
            made += (await self._client.batches.add(self.id, wanted[start : start + CHUNK])).runs
        return tuple(made)

    async def close(self) -> BatchInfo:
        """No more runs join; it ends once all have."""
        return await self._client.batches.close(self.id)

    async def info(self) -> BatchInfo:
        """How many of its runs are over, by state."""
        return await self._client.batches.get(self.id)

    async def wait(self, timeout: Timeout = None) -> BatchInfo:
        """The batch once it is over, callbacks included; raises TimeoutError."""
        await self._client.wait(self.id, timeout=timeout)
        return await self.info()

    async def cancel(self, reason: str = "") -> BatchInfo:
        """Cancel its live runs; raises ConflictError if it is over."""
        return await self._client.batches.cancel(self.id, reason=reason)

    async def retry(self, reason: str = "") -> int:
        """Run those again that failed or were cancelled; return how many. Raises ConflictError if none has."""
        return (await self._client.batches.retry(self.id, reason=reason)).runs

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            await self.close()
        else:
            await self.cancel(LEFT)

    def __repr__(self) -> str:
        return f"<batch {self.name!r} {self.id}>"
