"""The trial of a version of the code: its view and its operation."""

from datetime import datetime

from mainspring.contract.base.operation import Operation
from mainspring.contract.base.view import View
from mainspring.domain.access.permissions import Permission


class CanarySideInfo(View, frozen=True, kw_only=True):
    """The runs of one side; cancelled and skipped ones are not counted."""

    runs: int
    succeeded: int
    failed: int
    retrying: int
    """Runs that are not over, and have failed so far."""
    failure_rate: float
    """Of all of these, those that have failed."""


class CanaryInfo(View, frozen=True, kw_only=True):
    """A version of the code that gets a share of a job's runs, beside all others."""

    job: str
    version: str
    share: float
    """0: it was stopped."""
    stopped: bool
    stop_above: float | None
    min_runs: int
    since: datetime
    """From when on runs are counted: the last hour, or since the job was changed."""
    canary: CanarySideInfo
    others: CanarySideInfo


GET_CANARY = Operation(
    "get_canary",
    "GET /api/v1/jobs/{name}/canary",
    Permission.JOBS_READ,
    "Show the failure rates of a job's canary and of the other versions side by side.",
    CanaryInfo,
)
