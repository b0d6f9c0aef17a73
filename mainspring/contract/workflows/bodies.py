"""Workflows and workflow runs: bodies, views and operations."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.base.fields import PAGE_MAX, Note, Priority, Reason, like
from mainspring.contract.base.operation import Query
from mainspring.contract.base.view import View
from mainspring.contract.operations.jobs import Description, Limit, NewJobName, Queue
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.run import PRIORITY_DEFAULT
from mainspring.domain.workflows.checks import AT_ONCE_MAX, DEFINITION_MAX, STEPS_MAX

VersionNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
BODY_MAX = DEFINITION_MAX + 64 * 1024
GRID_MAX = 100
STEP_PLACE = r"^([0-9]{1,4})\.(-1|[0-9]{1,6})$"
"""The number of a step, and of its item; -1: the step has none."""
StepCursor = Annotated[str, like(STEP_PLACE, "The `next` of the previous page.")]


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
    returns: dict[str, Any] = {}
    """JSON schema of the result."""
    input: dict[str, Any] = {}
    """Arguments that a run has unless it brings its own, key by key."""
    queue: Queue = "default"
    priority: Priority = PRIORITY_DEFAULT
    deadline: Limit | None = None
    """Seconds that a run may take in all, from when it is due."""
    start_within: Limit | None = None
    """Seconds that a run may wait for its beginning, from when it is due."""
    runs_at_once: Annotated[int, msgspec.Meta(ge=1, le=AT_ONCE_MAX)] | None = None
    """Runs of it that may be under way at once; the others wait."""
    policy: Policy = msgspec.field(default_factory=Policy)
    """All else that a job says of where and how its runs start."""
    description: Description = ""
    note: Note = ""


class NamedWorkflowBody(WorkflowBody, kw_only=True, forbid_unknown_fields=True):
    """A workflow of an owner's set."""

    name: NewJobName


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
    owner: str = ""
    """Of the set of definitions that it was applied with; empty: of none."""
    definition: dict[str, Any] = {}
    """All of it that differs from the defaults, as files and `PUT` have it."""
    graph: list[WorkflowStepInfo] = []


class CheckInfo(View, frozen=True, kw_only=True):
    """What a check of a definition found; one that could not be saved is refused instead."""

    graph: list[WorkflowStepInfo]
    unchecked: list[str] = []
    """Places whose types could not be compared."""
    unserved: list[str] = []
    """Jobs that no connected executor has."""


class WorkflowTextBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A workflow as a person writes it: YAML, or JSON, which is YAML too."""

    text: Annotated[str, msgspec.Meta(max_length=DEFINITION_MAX)]


class TextFault(View, frozen=True, kw_only=True):
    """Why a text could not be saved, and where."""

    line: int
    column: int
    """Both count from one."""
    field: str
    """Empty: the text itself cannot be read."""
    reason: str
    code: str


class WorkflowTextInfo(View, frozen=True, kw_only=True):
    """A text as it would be saved, or what is wrong with it."""

    faults: list[TextFault] = []
    """Empty: it could be saved."""
    definition: dict[str, Any] | None = None
    """As `PUT` takes it; null: the text cannot be read."""
    text: str = ""
    """The same, written as YAML."""
    graph: list[WorkflowStepInfo] = []
    unchecked: list[str] = []
    unserved: list[str] = []


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
    cursor: StepCursor | None = None
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


class ForkInfo(View, frozen=True, kw_only=True):
    """The new run of a fork, and the steps that it may run."""

    run: str | None = None
    """None after a dry run."""
    steps: list[str]
    dry_run: bool = False


class ResumeBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    redo: bool = False
    """Run steps again that were undone, too."""
    version: VersionNumber | None = None
    """Go on by this version of the workflow; 0: the newest. Left out: by its own."""
    dry_run: bool = False
    """Only say which steps would run."""
    reason: Reason = ""


class StepBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    step: str
    dry_run: bool = False
    reason: Reason = ""


class MarkBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    step: str
    result: Any = None
    """The value that the step counts as having returned."""
    dry_run: bool = False
    reason: Reason = ""


class ForkBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    step: str
    """Where the new run begins."""
    input: dict[str, Any] | None = None
    """Left out: that of the origin."""
    version: VersionNumber | None = None
    """Go by this version of the workflow; 0: the newest. Left out: that of the origin."""
    dry_run: bool = False
    reason: Reason = ""


class MoveBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    version: VersionNumber = 0
    """0: the newest."""
    dry_run: bool = False
    reason: Reason = ""


class FlowRequestBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""
