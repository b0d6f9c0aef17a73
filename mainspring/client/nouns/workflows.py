"""Workflows and workflow runs."""

from collections.abc import Mapping
from typing import Any

from mainspring.client.calls import AsyncCall, ask
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


class AsyncWorkflows:
    """`client.workflows` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> WorkflowInfo:
        """A workflow with its graph."""
        return await self._call(ask(operations.GET_WORKFLOW, name))

    async def put(self, name: str, definition: Mapping[str, Any]) -> WorkflowInfo:
        """Define a workflow, as YAML and JSON have it; runs that have begun keep their version."""
        return await self._call(ask(operations.PUT_WORKFLOW, name, body=definition))

    async def check(self, definition: Mapping[str, Any]) -> CheckInfo:
        """Check a definition as if it were saved. Raises InvalidInputError."""
        return await self._call(ask(operations.CHECK_WORKFLOW, body=definition))

    async def run(self, run: str) -> WorkflowRunInfo:
        """How far a workflow run has come, step by step."""
        return await self._call(ask(operations.GET_WORKFLOW_RUN, run))

    async def grid(self, name: str, *, limit: int = 50) -> GridInfo:
        """The newest runs of a workflow against its steps."""
        return await self._call(ask(operations.GET_WORKFLOW_GRID, name, query=bodies.GridQuery(limit=limit)))

    async def steps(self, run: str, *, limit: int = 50, cursor: str | None = None, times: bool = False) -> StepRunPage:
        """The runs of its steps, by step and item; with `times`, when each began and ended."""
        query = bodies.StepQuery(limit=limit, cursor=cursor or "", times=times)
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
        dry_run: bool = False,
        reason: str = "",
    ) -> ForkInfo:
        """Start a new run at a step, with the results before it. Raises ConflictError if one of these is pruned."""
        given = None if arguments is None else dict(arguments)
        body = bodies.ForkBody(step=step, input=given, dry_run=dry_run, reason=reason)
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
        query = approvals.ApprovalQuery(limit=limit, cursor=cursor or "")
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
