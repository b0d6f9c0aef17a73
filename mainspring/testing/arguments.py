"""What the methods of the test kit take: jobs, runs and times."""

import math
from datetime import timedelta
from typing import Any, Protocol

from mainspring.app.class_handles import handle_of
from mainspring.app.job_class import Job
from mainspring.app.job_handle import JobHandle
from mainspring.contract.operations.approvals import ApprovalPage
from mainspring.domain.lengths import read_length
from mainspring.errors import InvalidInputError

Enqueuable = JobHandle[..., Any] | type[Job] | str


class HasId(Protocol):
    """A run by its id: a handle, or the run itself."""

    @property
    def id(self) -> str: ...


def approval_of(page: ApprovalPage, run: HasId) -> str:
    """The run of the step that waits for it; raises LookupError."""
    found = [one.run for one in page.approvals if one.workflow_run == run.id]
    if not found:
        raise LookupError(f"run {run.id} waits for no approval")
    return found[0]


def name_of(job: Enqueuable) -> str:
    if isinstance(job, str):
        return job
    return job.name if isinstance(job, JobHandle) else handle_of(job).name


def seconds(by: float | timedelta | str) -> float:
    found = by.total_seconds() if isinstance(by, timedelta) else read_length(by) if isinstance(by, str) else by
    if found is None or not 0 <= found < math.inf:
        raise InvalidInputError("by", f"{by} is no time to move on by: the clock goes forward only", code="bad_by")
    return found
