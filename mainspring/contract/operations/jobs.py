"""Operations of jobs, and their bodies."""

from types import NoneType
from typing import Annotated

import msgspec

from mainspring.contract.base.fields import Note, PageLimit, Priority, VersionCursor, cursor_of
from mainspring.contract.base.headers import IF_MATCH, IF_NONE_MATCH
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.jobs import JobDiff, JobInfo, JobPage, JobVersionInfo, JobVersionPage
from mainspring.domain.access.permissions import Permission
from mainspring.domain.jobs.job import LOSSES_MAX, OnLost
from mainspring.domain.jobs.rules import (
    ATTEMPTS_MAX,
    BACKOFF_MAX,
    DESCRIPTION_MAX,
    KIND,
    LIMIT_MAX,
    LOSSES_MOST,
    MULTIPLIER_MAX,
    NAME_NEW,
    NAMES_MAX,
)
from mainspring.domain.limits.policy import Policy
from mainspring.domain.names import JOB_MAX, LINES, QUEUE_MAX, WORD
from mainspring.domain.runs.attempt import KIND_MAX
from mainspring.domain.runs.run import PRIORITY_DEFAULT
from mainspring.domain.workflows.spec import HANDLER as WORKFLOW_HANDLER

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET
Attempts = Annotated[int, msgspec.Meta(ge=1, le=ATTEMPTS_MAX)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=BACKOFF_MAX)]
Multiplier = Annotated[float, msgspec.Meta(ge=1, le=MULTIPLIER_MAX)]
Limit = Annotated[float, msgspec.Meta(gt=0, le=LIMIT_MAX)]
Kind = Annotated[str, msgspec.Meta(max_length=KIND_MAX, pattern=f"^{KIND.pattern}$")]
Kinds = Annotated[tuple[Kind, ...], msgspec.Meta(max_length=NAMES_MAX)]
Word = Annotated[
    str, msgspec.Meta(min_length=1, max_length=JOB_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})
]
HandlerName = Annotated[
    Word, msgspec.Meta(description="Any but that of workflows.", extra_json_schema={"not": {"const": WORKFLOW_HANDLER}})
]
Queue = Annotated[
    str, msgspec.Meta(min_length=1, max_length=QUEUE_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})
]
Losses = Annotated[int, msgspec.Meta(ge=1, le=LOSSES_MOST)]
Description = Annotated[
    str, msgspec.Meta(max_length=DESCRIPTION_MAX, extra_json_schema={"pattern": f"^{LINES.pattern}$"})
]
Arguments = dict[str, msgspec.Raw]
Version = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class RetryPolicyBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    attempts: Attempts = 1
    backoff: Seconds = 1.0
    backoff_max: Seconds = 600.0
    multiplier: Multiplier = 2.0
    retry_on: Kinds = ()
    """Error classes by name, plain or qualified, with all that derive from them, or codes; empty: any error."""
    give_up_on: Kinds = ()
    """The same for errors that are never tried again; these win."""
    budget: Limit | None = None
    """Seconds from the beginning of the first attempt, after which none begins."""


class RetryPolicyChangesBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    attempts: Attempts | Unset = UNSET
    backoff: Seconds | Unset = UNSET
    backoff_max: Seconds | Unset = UNSET
    multiplier: Multiplier | Unset = UNSET
    retry_on: Kinds | Unset = UNSET
    give_up_on: Kinds | Unset = UNSET
    budget: Limit | Unset | None = UNSET


class JobBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A whole definition; fields left out have their defaults."""

    handler: HandlerName
    queue: Queue = "default"
    priority: Priority = PRIORITY_DEFAULT
    retry: RetryPolicyBody = msgspec.field(default_factory=RetryPolicyBody)
    description: Description = ""
    input: Arguments = {}
    """Arguments that a run has unless it brings its own, key by key."""
    timeout: Limit | None = None
    """Seconds that an attempt may take."""
    deadline: Limit | None = None
    """Seconds that a run may take in all, from when it is due, unless it brings a deadline."""
    start_within: Limit | None = None
    """Seconds that a run may wait for its first attempt, from when it is due, unless it says so itself."""
    on_lost: OnLost = OnLost.RETRY
    losses_max: Losses = LOSSES_MAX
    policy: Policy = msgspec.field(default_factory=Policy)
    """How many of its runs may be under way, how fast they start, and where."""
    note: Note = ""
    """Kept with the version."""


class JobChangesBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The fields to change; the others stay."""

    handler: Word | Unset = UNSET
    queue: Queue | Unset = UNSET
    priority: Priority | Unset = UNSET
    retry: RetryPolicyChangesBody | Unset = UNSET
    description: Description | Unset = UNSET
    input: Arguments | Unset = UNSET
    timeout: Limit | Unset | None = UNSET
    deadline: Limit | Unset | None = UNSET
    start_within: Limit | Unset | None = UNSET
    on_lost: OnLost | Unset = UNSET
    losses_max: Losses | Unset = UNSET
    policy: Policy | Unset = UNSET
    """The whole policy; what it leaves out has its default."""
    note: Note = ""


class RollbackBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    version: Version
    note: Note = ""


NewJobName = Annotated[str, msgspec.Meta(max_length=JOB_MAX, extra_json_schema={"pattern": f"^{NAME_NEW.pattern}$"})]
VersionOrNone = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Before = Annotated[VersionOrNone, msgspec.Meta(description="0: the previous version.")]
After = Annotated[VersionOrNone, msgspec.Meta(description="0: the newest version.")]
JobCursor = Annotated[str, cursor_of("job")]


class JobQuery(Query):
    prefix: str = ""
    queue: str | None = None
    handler: str | None = None
    limit: PageLimit = 50
    cursor: JobCursor | None = None


class VersionQuery(Query):
    limit: PageLimit = 50
    cursor: VersionCursor | None = None


class NoteQuery(Query):
    note: Note = ""


class DiffQuery(Query, rename={"before": "from", "after": "to"}):
    before: Before = 0
    after: After = 0


LIST_JOBS = Operation(
    "list_jobs", "GET /api/v1/jobs", Permission.JOBS_READ, "List jobs by name.", JobPage, query=JobQuery
)
GET_JOB = Operation(
    "get_job",
    "GET /api/v1/jobs/{name}",
    Permission.JOBS_READ,
    "Get a job with the definition from its code. Its version is the `ETag`.",
    JobInfo,
    answers={304: None},
    tagged=True,
)
PUT_JOB = Operation(
    "put_job",
    "PUT /api/v1/jobs/{name}",
    Permission.JOBS_WRITE,
    "Create a job, or replace its definition. An existing job needs `If-Match`.",
    JobInfo,
    answers={201: JobInfo},
    body=JobBody,
    headers=(IF_MATCH, IF_NONE_MATCH),
    parts={"name": NewJobName},
    tagged=True,
)
CHANGE_JOB = Operation(
    "change_job",
    "PATCH /api/v1/jobs/{name}",
    Permission.JOBS_WRITE,
    "Change some fields of a job's definition. Needs `If-Match`.",
    JobInfo,
    body=JobChangesBody,
    headers=(IF_MATCH,),
    tagged=True,
)
DELETE_JOB = Operation(
    "delete_job",
    "DELETE /api/v1/jobs/{name}",
    Permission.JOBS_WRITE,
    "Delete a job that has no live runs and is defined by no executor's code. History keeps its name.",
    NoneType,
    query=NoteQuery,
    headers=(IF_MATCH,),
)
LIST_JOB_VERSIONS = Operation(
    "list_job_versions",
    "GET /api/v1/jobs/{name}/versions",
    Permission.JOBS_READ,
    "List the versions of a job, newest first.",
    JobVersionPage,
    query=VersionQuery,
)
GET_JOB_VERSION = Operation(
    "get_job_version",
    "GET /api/v1/jobs/{name}/versions/{version}",
    Permission.JOBS_READ,
    "Get one version of a job.",
    JobVersionInfo,
    parts={"version": Version},
)
DIFF_JOB = Operation(
    "diff_job",
    "GET /api/v1/jobs/{name}/diff",
    Permission.JOBS_READ,
    "Show the differences between two versions of a job; by default between the newest and the previous one.",
    JobDiff,
    query=DiffQuery,
)
ROLL_BACK_JOB = Operation(
    "roll_back_job",
    "POST /api/v1/jobs/{name}/rollback",
    Permission.JOBS_WRITE,
    "Create a new version that equals an old one.",
    JobInfo,
    body=RollbackBody,
    headers=(IF_MATCH,),
    tagged=True,
)
