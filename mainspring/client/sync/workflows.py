"""Generated from mainspring/client/nouns/workflows.py by `make client-sync`: do not edit."""

from collections.abc import Mapping
from typing import Any

from mainspring.client.calls import SyncCall, ask
from mainspring.contract.operations import approvals
from mainspring.contract.operations.approvals import ApprovalPage, DecisionInfo
from mainspring.contract.workflows import bodies, operations
from mainspring.contract.workflows.bodies import (
    AgainInfo,
    CheckInfo,
    ForkInfo,
    GridInfo,
    StepRunPage,
    WorkflowInfo,
    WorkflowRunInfo,
)


class Workflows:
    """`client.workflows` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> WorkflowInfo:
        """A workflow with its graph."""
        return self._call(ask(operations.GET_WORKFLOW, name))

    def put(self, name: str, definition: Mapping[str, Any]) -> WorkflowInfo:
        """Define a workflow, as YAML and JSON have it; runs that have begun keep their version."""
        return self._call(ask(operations.PUT_WORKFLOW, name, body=definition))

    def check(self, definition: Mapping[str, Any]) -> CheckInfo:
        """Check a definition as if it were saved. Raises InvalidInputError."""
        return self._call(ask(operations.CHECK_WORKFLOW, body=definition))

    def run(self, run: str) -> WorkflowRunInfo:
        """How far a workflow run has come, step by step."""
        return self._call(ask(operations.GET_WORKFLOW_RUN, run))

    def grid(self, name: str, *, limit: int = 50) -> GridInfo:
        """The newest runs of a workflow against its steps."""
        return self._call(ask(operations.GET_WORKFLOW_GRID, name, query=bodies.GridQuery(limit=limit)))

    def steps(self, run: str, *, limit: int = 50, cursor: str | None = None, times: bool = False) -> StepRunPage:
        """The runs of its steps, by step and item; with `times`, when each began and ended."""
        query = bodies.StepQuery(limit=limit, cursor=cursor or "", times=times)
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
        dry_run: bool = False,
        reason: str = "",
    ) -> ForkInfo:
        """Start a new run at a step, with the results before it. Raises ConflictError if one of these is pruned."""
        given = None if arguments is None else dict(arguments)
        body = bodies.ForkBody(step=step, input=given, dry_run=dry_run, reason=reason)
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
        query = approvals.ApprovalQuery(limit=limit, cursor=cursor or "")
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
