"""Workflows and workflow runs."""

from collections.abc import Mapping
from typing import Any

from mainspring.client.calls import AsyncCall, ask
from mainspring.contract import workflows
from mainspring.contract.operations import approvals
from mainspring.contract.operations.approvals import ApprovalPage, DecisionInfo
from mainspring.contract.workflows import AgainInfo, CheckInfo, GridInfo, StepRunPage, WorkflowInfo, WorkflowRunInfo


class AsyncWorkflows:
    """`client.workflows` of an `AsyncClient`."""

    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, name: str) -> WorkflowInfo:
        """A workflow with its graph."""
        return await self._call(ask(workflows.GET_WORKFLOW, name))

    async def put(self, name: str, definition: Mapping[str, Any]) -> WorkflowInfo:
        """Define a workflow, as YAML and JSON have it; runs that have begun keep their version."""
        return await self._call(ask(workflows.PUT_WORKFLOW, name, body=definition))

    async def check(self, definition: Mapping[str, Any]) -> CheckInfo:
        """Check a definition as if it were saved. Raises InvalidInputError."""
        return await self._call(ask(workflows.CHECK_WORKFLOW, body=definition))

    async def run(self, run: str) -> WorkflowRunInfo:
        """How far a workflow run has come, step by step."""
        return await self._call(ask(workflows.GET_WORKFLOW_RUN, run))

    async def grid(self, name: str, *, limit: int = 50) -> GridInfo:
        """The newest runs of a workflow against its steps."""
        return await self._call(ask(workflows.GET_WORKFLOW_GRID, name, query=workflows.GridQuery(limit=limit)))

    async def steps(self, run: str, *, limit: int = 50, cursor: str | None = None, times: bool = False) -> StepRunPage:
        """The runs of its steps, by step and item; with `times`, when each began and ended."""
        query = workflows.StepQuery(limit=limit, cursor=cursor or "", times=times)
        return await self._call(ask(workflows.LIST_STEP_RUNS, run, query=query))

    async def resume(self, run: str, *, redo: bool = False, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Run failed and cancelled steps again, of maps the failed items only. Raises ConflictError."""
        body = workflows.ResumeBody(redo=redo, dry_run=dry_run, reason=reason)
        return await self._call(ask(workflows.RESUME_WORKFLOW_RUN, run, body=body))

    async def retry(self, run: str, step: str, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Run a step and all that comes after it again. Raises ConflictError."""
        body = workflows.StepBody(step=step, dry_run=dry_run, reason=reason)
        return await self._call(ask(workflows.RETRY_WORKFLOW_RUN, run, body=body))

    async def skip(self, run: str, step: str, *, dry_run: bool = False, reason: str = "") -> AgainInfo:
        """Skip a step that is not under way. Raises ConflictError."""
        body = workflows.StepBody(step=step, dry_run=dry_run, reason=reason)
        return await self._call(ask(workflows.SKIP_STEP, run, body=body))

    async def pause(self, run: str) -> WorkflowRunInfo:
        """Begin no more steps; running ones continue. Raises ConflictError if it is over."""
        return await self._call(ask(workflows.PAUSE_WORKFLOW_RUN, run))

    async def unpause(self, run: str) -> WorkflowRunInfo:
        return await self._call(ask(workflows.UNPAUSE_WORKFLOW_RUN, run))

    async def stop(self, run: str) -> WorkflowRunInfo:
        """Cancel it without running its undos and endings."""
        return await self._call(ask(workflows.STOP_WORKFLOW_RUN, run))


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
