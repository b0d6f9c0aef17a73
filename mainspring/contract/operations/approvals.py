"""Approvals that steps of workflows wait for: bodies, views and operations."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.base.fields import PAGE_MAX, IdCursor, IdText
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.base.view import View
from mainspring.domain.access.permissions import Permission
from mainspring.domain.names import LINES
from mainspring.domain.waits.approval import NOTE_MAX

AnswerNote = Annotated[str, msgspec.Meta(max_length=NOTE_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})]


class ApproveBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """An approval, with the form that was asked for."""

    form: dict[str, Any] = {}
    note: AnswerNote = ""


class RejectBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A rejection, with its reason."""

    note: AnswerNote = ""


class ApprovalQuery(Query):
    limit: Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX)] = 50
    cursor: IdCursor | None = None


class VoteInfo(View, frozen=True, kw_only=True):
    """One approver's answer."""

    by: str
    at: datetime
    approved: bool
    note: str = ""


class ApprovalInfo(View, frozen=True, kw_only=True):
    """An approval that a step waits for."""

    run: str
    """The run of the step: it is approved or rejected by this id."""
    workflow_run: str
    step: str
    title: str
    created_by: str = ""
    form: dict[str, Any] = {}
    """JSON schema of the form."""
    details: dict[str, Any] = {}
    """The step's input."""
    approvers: list[str] = []
    approvals: int = 1
    """How many have to agree."""
    four_eyes: bool = False
    votes: list[VoteInfo] = []


class ApprovalPage(View, frozen=True):
    approvals: list[ApprovalInfo]
    next: str | None = None


class DecisionInfo(View, frozen=True, kw_only=True):
    """The state of an approval after an answer."""

    run: str
    decided: bool
    """Whether the step has ended."""
    votes: list[VoteInfo]


LIST_APPROVALS = Operation(
    "list_approvals",
    "GET /api/v1/approvals",
    Permission.RUNS_READ,
    "List the approvals that steps of workflows wait for.",
    ApprovalPage,
    query=ApprovalQuery,
)
APPROVE_RUN = Operation(
    "approve_run",
    "POST /api/v1/runs/{id}/approve",
    Permission.RUNS_APPROVE,
    "Approve what a step of a workflow waits for.",
    DecisionInfo,
    body=ApproveBody,
    body_optional=True,
    parts={"id": IdText},
    tag="approvals",
)
REJECT_RUN = Operation(
    "reject_run",
    "POST /api/v1/runs/{id}/reject",
    Permission.RUNS_APPROVE,
    "Reject what a step of a workflow waits for.",
    DecisionInfo,
    body=RejectBody,
    body_optional=True,
    parts={"id": IdText},
    tag="approvals",
)
