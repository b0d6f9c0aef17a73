"""What another definition of a job would have done to its past runs, and a definition as Python: operations and views."""

from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.contract.base.operation import Operation
from mainspring.contract.base.view import View, one_of
from mainspring.contract.operations.jobs import JobChangesBody
from mainspring.domain.access.permissions import Permission
from mainspring.domain.jobs.replay import ReplayEffect

REPLAYED_MAX = 500


class WhatIfBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Changes of a definition to try on past runs; nothing is saved."""

    changes: JobChangesBody = msgspec.field(default_factory=JobChangesBody)
    """As in a change of the job; its note counts for nothing."""
    runs: Annotated[int, msgspec.Meta(ge=1, le=REPLAYED_MAX)] = 200
    """The newest runs that have ended."""


class WhatIfEffect(View, frozen=True, kw_only=True):
    """Runs that the changed definition would have treated otherwise."""

    effect: Annotated[str, one_of(ReplayEffect)]
    runs: int
    samples: list[str]
    """The newest of them, at most five."""
    seconds: float
    """Of waiting in all, for `waited`."""
    longest: float
    """The longest of these waits."""


class WhatIfInfo(View, frozen=True, kw_only=True):
    """The last runs of a job under the changed definition."""

    job: str
    runs: int
    """Those that were looked at."""
    succeeded: int
    failed: int
    since: datetime | None
    """When the oldest of them was created."""
    until: datetime | None
    at_once: int
    """Attempts of theirs that were under way together, at most."""
    effects: list[WhatIfEffect]
    """Empty: all of them as they were."""
    unjudged: list[str]
    """Changed fields whose effect past runs do not tell."""


class JobPython(View, frozen=True):
    code: str


WHAT_IF = Operation(
    "what_if",
    "POST /api/v1/jobs/{name}/what-if",
    Permission.RUNS_READ,
    "Show what a changed definition would have done to the last runs of a job; change nothing.",
    WhatIfInfo,
    body=WhatIfBody,
    repeatable=True,
    tag="insights",
)
GET_JOB_PYTHON = Operation(
    "get_job_python",
    "GET /api/v1/jobs/{name}/python",
    Permission.JOBS_READ,
    "Get a job's definition as Python.",
    JobPython,
    tag="insights",
)
