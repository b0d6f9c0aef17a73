"""Workflows and workflow runs: bodies, views and operations."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.base.fields import PAGE_MAX, IdText, Note, Priority, Reason
from mainspring.contract.base.operation import EmptyBody, Operation, Query
from mainspring.contract.base.view import View
from mainspring.contract.operations.jobs import Description, Limit, Queue
from mainspring.domain.access.permissions import Permission
from mainspring.domain.runs.run import PRIORITY_DEFAULT
from mainspring.domain.workflows.checks import AT_ONCE_MAX, DEFINITION_MAX, STEPS_MAX

BODY_MAX = DEFINITION_MAX + 64 * 1024
GRID_MAX = 100


class WorkflowBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A workflow as it is written: steps by name, the place of the result, endings."""

    steps: Annotated[dict[str, Any], msgspec.Meta(min_length=1, max_length=STEPS_MAX)]
    result: str = ""
    on_success: dict[str, Any] | None = None
    on_failure: dict[str, Any] | None = None
    finally_: dict[str, Any] | None = msgspec.field(default=None, name="finally")
    fail_fast: bool = False
    steps_at_once: Annotated[int, msgspec.Meta(ge=1, le=AT_ONCE_MAX)] | None = None
    schema: dict[str, Any] = {}
    """JSON schema of the input."""
    queue: Queue = "default"
    priority: Priority = PRIORITY_DEFAULT
    deadline: Limit | None = None
    """Seconds that a run may take in all, from when it is due."""
    description: Description = ""
    note: Note = ""


class WorkflowStepInfo(View, frozen=True, kw_only=True):
    """A step of a graph."""

    name: str
    job: str
    parents: list[str] = []
    rule: str = "all_succeeded"
    each: str = ""
    """The place of the list that a map runs over."""
    ending: str = ""
    """undo, on_success, on_failure or finally, of a step of a later stage."""


class WorkflowInfo(View, frozen=True, kw_only=True):
    """A workflow as it is now."""

    name: str
    version: int
    queue: str
    priority: int
    deadline: float | None = None
    description: str = ""
    definition: dict[str, Any] = {}
    graph: list[WorkflowStepInfo] = []


class CheckInfo(View, frozen=True, kw_only=True):
    """What a check of a definition found; one that could not be saved is refused instead."""

    graph: list[WorkflowStepInfo]
    unchecked: list[str] = []
    """Places whose types could not be compared."""
    unserved: list[str] = []
    """Jobs that no connected executor has."""


class StepStateInfo(View, frozen=True, kw_only=True):
    """How far a step has come."""

    name: str
    job: str
    state: str
    why: str | None = None
    """Why it was skipped."""
    parents: list[str] = []
    size: int | None = None
    """Of a map: its items, and how many of them have begun, succeeded and failed."""
    begun: int | None = None
    succeeded: int | None = None
    failed: int | None = None


class WorkflowRunInfo(View, frozen=True, kw_only=True):
    """How far a workflow run has come."""

    id: str
    workflow: str
    version: int
    state: str
    paused: bool = False
    began_at: datetime
    finished_at: datetime | None = None
    steps: list[StepStateInfo] = []


class StepRunInfo(View, frozen=True, kw_only=True):
    """The run of a step, or of an item of a map; how it went only with `times`."""

    step: str
    item: int | None = None
    run: str
    state: str | None = None
    created_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    executor: str | None = None


class StepRunPage(View, frozen=True):
    runs: list[StepRunInfo]
    next: str | None = None


class StepQuery(Query):
    limit: Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX)] = 50
    """At most 200 with times."""
    cursor: str = ""
    times: bool = False
    """Say of each run how it stands, when it began and when it ended."""


class GridQuery(Query):
    limit: Annotated[int, msgspec.Meta(ge=1, le=GRID_MAX)] = 50
    """Workflow runs, the newest."""


class GridRun(View, frozen=True, kw_only=True):
    """A workflow run as a column of a grid."""

    id: str
    version: int
    state: str
    began_at: datetime
    finished_at: datetime | None = None
    cells: str
    """One letter for each step: w(aiting), b(egun), s(ucceeded), f(ailed), c(ancelled), k for skipped, - for none."""


class GridInfo(View, frozen=True, kw_only=True):
    """The newest runs of a workflow against its steps."""

    steps: list[str]
    """Of the newest run's version, then those that only older runs have."""
    runs: list[GridRun]
    """The newest first."""


class AgainInfo(View, frozen=True, kw_only=True):
    """The steps that run again, or for the first time."""

    steps: list[str]
    dry_run: bool = False


class ResumeBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    redo: bool = False
    """Run steps again that were undone, too."""
    dry_run: bool = False
    """Only say which steps would run."""
    reason: Reason = ""


class StepBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    step: str
    dry_run: bool = False
    reason: Reason = ""


GET_WORKFLOW = Operation(
    "get_workflow",
    "GET /api/v1/workflows/{name}",
    Permission.JOBS_READ,
    "Get a workflow with its graph.",
    WorkflowInfo,
)
PUT_WORKFLOW = Operation(
    "put_workflow",
    "PUT /api/v1/workflows/{name}",
    Permission.JOBS_WRITE,
    "Define a workflow. Runs that have begun keep their version.",
    WorkflowInfo,
    body=WorkflowBody,
    body_max=BODY_MAX,
)
CHECK_WORKFLOW = Operation(
    "check_workflow",
    "POST /api/v1/workflow-checks",
    Permission.JOBS_READ,
    "Check a workflow as if it were saved, and change nothing.",
    CheckInfo,
    body=WorkflowBody,
    body_max=BODY_MAX,
    repeatable=True,
    tag="workflows",
)
GET_WORKFLOW_GRID = Operation(
    "get_workflow_grid",
    "GET /api/v1/workflows/{name}/grid",
    Permission.RUNS_READ,
    "Get the newest runs of a workflow against its steps.",
    GridInfo,
    query=GridQuery,
)
GET_WORKFLOW_RUN = Operation(
    "get_workflow_run",
    "GET /api/v1/workflow-runs/{id}",
    Permission.RUNS_READ,
    "Get how far a workflow run has come, step by step.",
    WorkflowRunInfo,
    parts={"id": IdText},
)
LIST_STEP_RUNS = Operation(
    "list_step_runs",
    "GET /api/v1/workflow-runs/{id}/steps",
    Permission.RUNS_READ,
    "List the runs of a workflow run's steps, by step and item.",
    StepRunPage,
    query=StepQuery,
    parts={"id": IdText},
)
RESUME_WORKFLOW_RUN = Operation(
    "resume_workflow_run",
    "POST /api/v1/workflow-runs/{id}/resume",
    Permission.RUNS_WRITE,
    "Run failed and cancelled steps again, of maps the failed items only; succeeded steps keep their results.",
    AgainInfo,
    body=ResumeBody,
    body_optional=True,
    parts={"id": IdText},
)
RETRY_WORKFLOW_RUN = Operation(
    "retry_workflow_run",
    "POST /api/v1/workflow-runs/{id}/retry",
    Permission.RUNS_WRITE,
    "Run a step and all that comes after it again.",
    AgainInfo,
    body=StepBody,
    parts={"id": IdText},
)
SKIP_STEP = Operation(
    "skip_step",
    "POST /api/v1/workflow-runs/{id}/skip",
    Permission.RUNS_WRITE,
    "Skip a step that is not under way.",
    AgainInfo,
    body=StepBody,
    parts={"id": IdText},
)
PAUSE_WORKFLOW_RUN = Operation(
    "pause_workflow_run",
    "POST /api/v1/workflow-runs/{id}/pause",
    Permission.RUNS_WRITE,
    "Begin no more steps of a workflow run. Running steps continue.",
    WorkflowRunInfo,
    body=EmptyBody,
    body_optional=True,
    parts={"id": IdText},
    repeatable=True,
)
UNPAUSE_WORKFLOW_RUN = Operation(
    "unpause_workflow_run",
    "POST /api/v1/workflow-runs/{id}/unpause",
    Permission.RUNS_WRITE,
    "End the pause of a workflow run.",
    WorkflowRunInfo,
    body=EmptyBody,
    body_optional=True,
    parts={"id": IdText},
    repeatable=True,
)
STOP_WORKFLOW_RUN = Operation(
    "stop_workflow_run",
    "POST /api/v1/workflow-runs/{id}/stop",
    Permission.RUNS_WRITE,
    "Cancel a workflow run without running its undos and endings.",
    WorkflowRunInfo,
    body=EmptyBody,
    body_optional=True,
    parts={"id": IdText},
    repeatable=True,
)
