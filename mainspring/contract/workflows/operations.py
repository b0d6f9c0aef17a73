"""Operations on workflows and workflow runs."""

from mainspring.contract.base.fields import IdText
from mainspring.contract.base.headers import IF_MATCH, IF_NONE_MATCH
from mainspring.contract.base.operation import Operation
from mainspring.contract.workflows.bodies import (
    BODY_MAX,
    AgainInfo,
    CheckInfo,
    FlowRequestBody,
    ForkBody,
    ForkInfo,
    GridInfo,
    GridQuery,
    MarkBody,
    MoveBody,
    ResumeBody,
    StepBody,
    StepQuery,
    StepRunPage,
    WorkflowBody,
    WorkflowInfo,
    WorkflowRunInfo,
    WorkflowTextBody,
    WorkflowTextInfo,
)
from mainspring.contract.workflows.lists import WorkflowRunPage, WorkflowRunQuery
from mainspring.domain.access.permissions import Permission

GET_WORKFLOW = Operation(
    "get_workflow",
    "GET /api/v1/workflows/{name}",
    Permission.JOBS_READ,
    "Get a workflow with its graph. Its version is the `ETag`.",
    WorkflowInfo,
    answers={304: None},
    tagged=True,
)
PUT_WORKFLOW = Operation(
    "put_workflow",
    "PUT /api/v1/workflows/{name}",
    Permission.JOBS_WRITE,
    "Define a workflow. An existing one needs `If-Match`; runs that have begun keep their version.",
    WorkflowInfo,
    answers={201: WorkflowInfo},
    body=WorkflowBody,
    body_max=BODY_MAX,
    headers=(IF_MATCH, IF_NONE_MATCH),
    tagged=True,
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
CHECK_WORKFLOW_TEXT = Operation(
    "check_workflow_text",
    "POST /api/v1/workflow-texts",
    Permission.JOBS_READ,
    "Check a workflow that is written as YAML or JSON, say where a fault stands, and change nothing.",
    WorkflowTextInfo,
    body=WorkflowTextBody,
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
LIST_WORKFLOW_RUNS = Operation(
    "list_workflow_runs",
    "GET /api/v1/workflow-runs",
    Permission.RUNS_READ,
    "List the runs of a workflow, newest first, by how far they have come.",
    WorkflowRunPage,
    query=WorkflowRunQuery,
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
    body=FlowRequestBody,
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
    body=FlowRequestBody,
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
    body=FlowRequestBody,
    body_optional=True,
    parts={"id": IdText},
    repeatable=True,
)
MARK_STEP = Operation(
    "mark_step",
    "POST /api/v1/workflow-runs/{id}/mark",
    Permission.RUNS_WRITE,
    "Have a step that is not under way count as succeeded, with a value.",
    AgainInfo,
    body=MarkBody,
    parts={"id": IdText},
)
MOVE_WORKFLOW_RUN = Operation(
    "move_workflow_run",
    "POST /api/v1/workflow-runs/{id}/move",
    Permission.RUNS_WRITE,
    "Have a live workflow run go on by another version, if what is done fits.",
    AgainInfo,
    body=MoveBody,
    body_optional=True,
    parts={"id": IdText},
)
FORK_WORKFLOW_RUN = Operation(
    "fork_workflow_run",
    "POST /api/v1/workflow-runs/{id}/fork",
    Permission.RUNS_WRITE,
    "Start a new run at a step of another one, with the results before it.",
    ForkInfo,
    body=ForkBody,
    parts={"id": IdText},
)
