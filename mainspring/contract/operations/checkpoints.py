"""Operations of checkpoints, and their bodies."""

import msgspec

from mainspring.contract.base.fields import IdText, Instant
from mainspring.contract.base.operation import Operation
from mainspring.contract.checkpoints import RunMemory
from mainspring.contract.operations.runs import CancelReason
from mainspring.contract.runs import RunInfo
from mainspring.domain.access.permissions import Permission


class SuspendBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: CancelReason = ""
    resume_at: Instant | None = None
    """When it goes on by itself."""


class ResumeRunBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: CancelReason = ""


SUSPEND_RUN = Operation(
    "suspend_run",
    "POST /api/v1/runs/{id}/suspend",
    Permission.RUNS_STEER,
    "Suspend a run: 200 if it waits now, 202 while its handler has yet to stop.",
    RunInfo,
    answers={202: RunInfo},
    body=SuspendBody,
    body_optional=True,
    parts={"id": IdText},
)
RESUME_RUN = Operation(
    "resume_run",
    "POST /api/v1/runs/{id}/resume",
    Permission.RUNS_STEER,
    "Resume a suspended run from its checkpoint; finished steps are not repeated.",
    RunInfo,
    body=ResumeRunBody,
    body_optional=True,
    parts={"id": IdText},
)
GET_MEMORY = Operation(
    "get_memory",
    "GET /api/v1/runs/{id}/memory",
    Permission.RUNS_READ,
    "Get the checkpoint of a run, the results of its steps, and its effects.",
    RunMemory,
    parts={"id": IdText},
)
