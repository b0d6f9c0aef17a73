"""Generated from mainspring/client/nouns/workflows.py by `make client-sync`: do not edit."""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self, Unpack

from mainspring.client.calls import SyncCall, ask, if_match, if_new
from mainspring.client.handles import Timeout
from mainspring.client.nouns.flow_filters import flow_query
from mainspring.client.nouns.workflows import LEFT
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


class Workflows:
    """`client.workflows` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> WorkflowInfo:
        """A workflow with its graph."""
        return self._call(ask(operations.GET_WORKFLOW, name))

    def put(self, name: str, definition: Mapping[str, Any], version: int | None = None) -> WorkflowInfo:
        """Replace a definition, as YAML and JSON have it, or (None) create it; runs that have begun keep their version.

        Raises StaleError if it is at another version.
        """
        headers = if_new() if version is None else if_match(version)
        return self._call(ask(operations.PUT_WORKFLOW, name, body=definition, headers=headers))

    def check(self, definition: Mapping[str, Any]) -> CheckInfo:
        """Check a definition as if it were saved. Raises InvalidInputError."""
        return self._call(ask(operations.CHECK_WORKFLOW, body=definition))

    def run(self, run: str) -> WorkflowRunInfo:
        """How far a workflow run has come, step by step."""
        return self._call(ask(operations.GET_WORKFLOW_RUN, run))

    def runs(
        self, name: str, *, limit: int = 50, cursor: str | None = None, **filters: Unpack[FlowFilters]
    ) -> WorkflowRunPage:
        """Its runs, newest first. A page may be short, even empty, and yet have a `next`."""
        query = flow_query(name, limit=limit, cursor=cursor, **filters)
        return self._call(ask(operations.LIST_WORKFLOW_RUNS, query=query))

    def grid(self, name: str, *, limit: int = 50) -> GridInfo:
        """The newest runs of a workflow against its steps."""
        return self._call(ask(operations.GET_WORKFLOW_GRID, name, query=bodies.GridQuery(limit=limit)))

    def steps(self, run: str, *, limit: int = 50, cursor: str | None = None, times: bool = False) -> StepRunPage:
        """The runs of its steps, by step and item; with `times`, when each began and ended."""
        query = bodies.StepQuery(limit=limit, cursor=cursor, times=times)
        return self._call(ask(operations.LIST_STEP_RUNS, run, query=query))

    def resume(
        self, run: str, *, redo: bool = False, version: int | None = None, dry_run: bool = False, reason: str = ""
    ) -> AgainInfo:
        """Run failed and cancelled steps again, of maps the failed items only; by another version, 0 for the newest, if given.

        Raises ConflictError.
        """
        body = bodies.ResumeBody(redo=redo, version=version, dry_run=dry_run, reason=reason)
        return self._call(ask(operations.RESUME_WORKFLOW_RUN, run, body=body))

    def retry(self, run: str, step: str, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Run a step and all that comes after it again. Raises ConflictError."""
        body = bodies.StepBody(step=step, dry_run=dry_run, reason=reason)
        return self._call(ask(operations.RETRY_WORKFLOW_RUN, run, body=body))

    def skip(self, run: str, step: str, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Skip a step that is not under way. Raises ConflictError."""
        body = bodies.StepBody(step=step, dry_run=dry_run, reason=reason)
        return self._call(ask(operations.SKIP_STEP, run, body=body))

    def mark(self, run: str, step: str, result: Any = None, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Have a step that is not under way count as succeeded with this value.

        Raises ConflictError, and InvalidInputError if the value is not what the step returns.
        """
        body = bodies.MarkBody(step=step, result=result, dry_run=dry_run, reason=reason)
        return self._call(ask(operations.MARK_STEP, run, body=body))

    def fork(
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
        return self._call(ask(operations.FORK_WORKFLOW_RUN, run, body=body))

    def move(self, run: str, version: int = 0, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Have a live run go on by another version, 0 for the newest. Raises ConflictError with all that does not fit."""
        body = bodies.MoveBody(version=version, dry_run=dry_run, reason=reason)
        return self._call(ask(operations.MOVE_WORKFLOW_RUN, run, body=body))

    def pause(self, run: str, *, reason: str = "") -> WorkflowRunInfo:
        """Begin no more steps; running ones continue. Raises ConflictError if it is over."""
        return self._call(ask(operations.PAUSE_WORKFLOW_RUN, run, body=bodies.FlowRequestBody(reason=reason)))

    def unpause(self, run: str, *, reason: str = "") -> WorkflowRunInfo:
        return self._call(ask(operations.UNPAUSE_WORKFLOW_RUN, run, body=bodies.FlowRequestBody(reason=reason)))

    def stop(self, run: str, *, reason: str = "") -> WorkflowRunInfo:
        """Cancel it without running its undos and endings."""
        return self._call(ask(operations.STOP_WORKFLOW_RUN, run, body=bodies.FlowRequestBody(reason=reason)))


class Approvals:
    """`client.approvals` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def list(self, *, limit: int = 50, cursor: str | None = None) -> ApprovalPage:
        """The approvals that steps of workflows wait for."""
        query = approvals.ApprovalQuery(limit=limit, cursor=cursor)
        return self._call(ask(approvals.LIST_APPROVALS, query=query))

    def approve(self, run: str, *, form: Mapping[str, Any] | None = None, note: str = "") -> DecisionInfo:
        """Approve what a step waits for, by the id of its run.

        Raises ForbiddenError, InvalidInputError if the form does not fit, and ConflictError if the caller has answered.
        """
        body = approvals.ApproveBody(form=dict(form or {}), note=note)
        return self._call(ask(approvals.APPROVE_RUN, run, body=body))

    def reject(self, run: str, *, note: str = "") -> DecisionInfo:
        """Reject what a step waits for."""
        return self._call(ask(approvals.REJECT_RUN, run, body=approvals.RejectBody(note=note)))


class Batches:
    """`client.batches` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def create(
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
        return self._call(ask(batches.CREATE_BATCH, body=encode(body, "input")))

    def get(self, batch: str) -> BatchInfo:
        """A batch with its counts, which are kept, not counted."""
        return self._call(ask(batches.GET_BATCH, batch))

    def named(self, name: str) -> BatchInfo | None:
        """The batch of a name."""
        page = self._call(ask(batches.LIST_BATCHES, query=batches.BatchQuery(name=name)))
        return page.batches[0] if page.batches else None

    def add(self, batch: str, runs: Sequence[Enqueue], *, at: int | None = None) -> AddedRuns:
        """Add up to 10,000 runs, all or none; with `at`, how many it has, a repeated call adds nothing.

        Raises ConflictError if it is closed or over, InvalidInputError if it would grow over 100,000.
        """
        body: dict[str, Any] = {"runs": [with_origin(run) for run in runs]}
        body |= {} if at is None else {"at": at}
        request = ask(batches.ADD_BATCH_RUNS, batch, body=encode(body, "input"), repeatable=at is not None)
        return self._call(request)

    def close(self, batch: str) -> BatchInfo:
        """No more runs join; it ends once all have. Raises ConflictError if it is closed or over."""
        return self._call(ask(batches.CLOSE_BATCH, batch))

    def cancel(self, batch: str, *, reason: str = "") -> BatchInfo:
        """Cancel its live runs. Raises ConflictError if it is over."""
        return self._call(ask(batches.CANCEL_BATCH, batch, body=batches.BatchRequestBody(reason=reason)))

    def retry(self, batch: str, *, dry_run: bool = False, reason: str = "") -> RetriedBatch:
        """Run those again that failed or were cancelled. Raises ConflictError if none has."""
        body = batches.RetryBatchBody(dry_run=dry_run, reason=reason)
        return self._call(ask(batches.RETRY_BATCH, batch, body=body))

    def runs(
        self, batch: str, *, failed: bool = False, times: bool = False, limit: int = 50, cursor: str | None = None
    ) -> BatchRunPage:
        """Its runs by their numbers; with `failed`, those that failed or were cancelled."""
        query = batches.BatchRunQuery(limit=limit, cursor=cursor, failed=failed, times=times)
        return self._call(ask(batches.LIST_BATCH_RUNS, batch, query=query))

    # Last in the class: behind it, `list` names this method.
    def list(self, *, limit: int = 50, cursor: str | None = None) -> BatchPage:
        """Batches with their counts, newest first."""
        return self._call(ask(batches.LIST_BATCHES, query=batches.BatchQuery(limit=limit, cursor=cursor)))


class BatchCalls(Protocol):
    """A client, as a batch sees it."""

    @property
    def batches(self) -> Batches: ...

    def wait(self, run: str, *, timeout: Timeout = None) -> RunInfo: ...


class Batch:
    """A batch in the hand of the code that fills it; at the end of a `with` it is closed, after an error cancelled."""

    def __init__(self, client: BatchCalls, batch: BatchInfo) -> None:
        self._client = client
        self.id = batch.id
        self.name = batch.name

    def add(self, runs: Iterable[Enqueue]) -> tuple[str, ...]:
        """Add runs, made by `job.call(…)`; return their ids. Each chunk of 5,000 is accepted whole or not at all."""
        wanted = tuple(runs)
        made: list[str] = []
        for start in range(0, len(wanted), CHUNK):
            made += (self._client.batches.add(self.id, wanted[start : start + CHUNK])).runs
        return tuple(made)

    def close(self) -> BatchInfo:
        """No more runs join; it ends once all have."""
        return self._client.batches.close(self.id)

    def info(self) -> BatchInfo:
        """How many of its runs are over, by state."""
        return self._client.batches.get(self.id)

    def wait(self, timeout: Timeout = None) -> BatchInfo:
        """The batch once it is over, callbacks included; raises TimeoutError."""
        self._client.wait(self.id, timeout=timeout)
        return self.info()

    def cancel(self, reason: str = "") -> BatchInfo:
        """Cancel its live runs; raises ConflictError if it is over."""
        return self._client.batches.cancel(self.id, reason=reason)

    def retry(self, reason: str = "") -> int:
        """Run those again that failed or were cancelled; return how many. Raises ConflictError if none has."""
        return (self._client.batches.retry(self.id, reason=reason)).runs

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self.cancel(LEFT)

    def __repr__(self) -> str:
        return f"<batch {self.name!r} {self.id}>"
