"""Operations of runs, and their bodies."""

from typing import Annotated, Any, ClassVar

import msgspec

from mainspring.contract.base.fields import (
    PAGE_MAX,
    RUN_ID,
    IdText,
    Input,
    Instant,
    LabelKey,
    LabelValue,
    Name,
    Tag,
    Traceparent,
    like,
)
from mainspring.contract.base.headers import IDEMPOTENCY_KEY
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.base.route import ExecutorName, RouteBody
from mainspring.contract.base.view import one_of
from mainspring.contract.runs import (
    AcceptedRun,
    AcceptedRuns,
    AttemptPage,
    CancelledRuns,
    LogPage,
    RunCount,
    RunInfo,
    RunPage,
)
from mainspring.domain.access.permissions import Permission
from mainspring.domain.metadata import LABEL_KEY, LABEL_MAX, LABELS_MAX, TAG_MAX, TAGS_MAX
from mainspring.domain.names import JOB_MAX, QUEUE_MAX
from mainspring.domain.runs.cancel import CANCELS_MAX, REASON, REASON_MAX
from mainspring.domain.runs.query import QUERY_MAX
from mainspring.domain.runs.run import DUE_MAX, INPUT_MAX, KEY_MAX, PRIORITY_MAX, PRIORITY_MIN, RunState

RUNS_MAX = 10_000
NO_INPUT = msgspec.Raw(b"{}")
ParentId = Annotated[str, msgspec.Meta(pattern=RUN_ID, description="The run whose handler asks for this one.")]
AHEAD_MAX = {"maximum": DUE_MAX.total_seconds()}
Delay = Annotated[
    float, msgspec.Meta(ge=0, description="Seconds from now; instead of due_at.", extra_json_schema=AHEAD_MAX)
]
TimeLeft = Annotated[
    float, msgspec.Meta(ge=0.001, description="Seconds from now; instead of deadline.", extra_json_schema=AHEAD_MAX)
]
CancelReason = Annotated[str, msgspec.Meta(max_length=REASON_MAX, extra_json_schema={"pattern": f"^{REASON.pattern}$"})]
RunIdItem = Annotated[str, msgspec.Meta(pattern=RUN_ID)]


class RunBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The options of a run; those left out come from the job."""

    input: Input = msgspec.field(default_factory=lambda: NO_INPUT)
    queue: Name | None = None
    executor: ExecutorName | None = None
    """The one executor that may take it, by name; left out: any that can, by the job's route."""
    route: RouteBody | None = None
    """How its executor is chosen, instead of the job's route."""
    priority: Annotated[int, msgspec.Meta(ge=PRIORITY_MIN, le=PRIORITY_MAX)] | None = None
    due_at: Instant | None = None
    delay: Delay | None = None
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=KEY_MAX)] | None = None
    labels: Annotated[dict[LabelKey, LabelValue], msgspec.Meta(max_length=LABELS_MAX)] = {}
    tags: Annotated[tuple[Tag, ...], msgspec.Meta(max_length=TAGS_MAX)] = ()
    parent: ParentId | None = None
    traceparent: Traceparent | None = None
    deadline: Instant | None = None
    deadline_in: TimeLeft | None = None
    start_within: (
        Annotated[
            float,
            msgspec.Meta(
                gt=0,
                le=DUE_MAX.total_seconds(),
                description="Seconds from when the run is due until it fails unless an attempt has started.",
            ),
        ]
        | None
    ) = None


class NewRunBody(RunBody, kw_only=True, forbid_unknown_fields=True):
    """A run to accept."""

    job: Name


class NewRunsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Many runs to accept, all or none."""

    runs: Annotated[list[NewRunBody], msgspec.Meta(min_length=1, max_length=RUNS_MAX)]


class CancelBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: CancelReason = ""
    children: bool = False
    """Also cancel the run's children, and theirs."""


class CancelRunsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    runs: Annotated[list[RunIdItem], msgspec.Meta(min_length=1, max_length=CANCELS_MAX)]
    reason: CancelReason = ""


class RetryBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    input: Input | msgspec.UnsetType = msgspec.UNSET
    """Instead of the one that it had."""
    force: bool = False
    """Run it again although it has succeeded."""
    reason: CancelReason = ""


BODY_ONE_MAX = INPUT_MAX + 16 * 1024
BODY_MANY_MAX = 64 * 1024 * 1024
RETRY_BODY_MAX = INPUT_MAX + 64 * 1024
JobFilter = Annotated[str, msgspec.Meta(min_length=1, max_length=JOB_MAX)]
QueueFilter = Annotated[str, msgspec.Meta(min_length=1, max_length=QUEUE_MAX)]
KeyFilter = Annotated[str, msgspec.Meta(min_length=1, max_length=KEY_MAX)]
ParentFilter = Annotated[str, like(RUN_ID, "The run whose handler asked for them.")]
IdPrefix = Annotated[str, like("^[0-9a-fA-F-]{1,36}$", "The beginning of their ids.")]
StateFilter = Annotated[str, one_of(state.label for state in RunState)]
TagFilter = Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": TAG_MAX, "pattern": "^[^=]*$"})]
LabelFilter = Annotated[str, like(f"^{LABEL_KEY.pattern}=.{{1,{LABEL_MAX}}}$")]
Tags = Annotated[list[TagFilter], msgspec.Meta(max_length=TAGS_MAX, description="Runs that have all of them.")]
Labels = Annotated[
    list[LabelFilter], msgspec.Meta(max_length=LABELS_MAX, description="As key=value; runs that have all of them.")
]
CreatedSince = Annotated[
    str, msgspec.Meta(description="Created then or later.", extra_json_schema={"format": "date-time"})
]
CreatedBefore = Annotated[
    str, msgspec.Meta(description="Created before then.", extra_json_schema={"format": "date-time"})
]
Sort = Annotated[str, msgspec.Meta(description="By creation time.", extra_json_schema={"enum": ["newest", "oldest"]})]
RunLimit = Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX, description="At most 100 with bodies.")]
RunCursor = Annotated[str, msgspec.Meta(description="The `next` of the previous page, with the same filters.")]
WithBodies = Annotated[bool, msgspec.Meta(description="Include inputs, results and tracebacks of up to 64 KiB each.")]
WaitSeconds = Annotated[float, msgspec.Meta(ge=0, le=60, description="Seconds to wait for the end of the run.")]
LogPosition = Annotated[
    int,
    msgspec.Meta(ge=0, le=2**63 - 1, description="The `next` of the previous page."),
]
LogLimit = Annotated[int, msgspec.Meta(ge=1, le=1000)]


RunQueryText = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=QUERY_MAX,
        description="Terms such as `state:failed job:charge duration:>30s input.country:DE`, instead of the other filters.",
    ),
]


class RunQuery(Query):
    q: RunQueryText | None = None
    job: JobFilter | None = None
    queue: QueueFilter | None = None
    state: list[StateFilter] = []
    tag: Tags = []
    label: Labels = []
    key: KeyFilter | None = None
    parent: ParentFilter | None = None
    prefix: IdPrefix | None = None
    since: CreatedSince | None = None
    until: CreatedBefore | None = None
    sort: Sort = "newest"
    limit: RunLimit = 50
    cursor: RunCursor | None = None
    bodies: WithBodies = False


class CountQuery(Query):
    q: Annotated[str, msgspec.Meta(max_length=QUERY_MAX, description="As in the list of runs; empty: all.")] = ""


class WaitQuery(Query):
    wait: WaitSeconds = 0.0


class LogQuery(Query):
    after: LogPosition = 0
    limit: LogLimit = 1000
    follow: bool = False
    """Stream the lines as server-sent events until the run's end."""

    hidden: ClassVar[tuple[str, ...]] = ("follow",)


CREATE_RUNS = Operation(
    "create_runs",
    "POST /api/v1/runs",
    Permission.RUNS_WRITE,
    "Accept one run, or up to 10,000 at once, all or none.",
    AcceptedRun,
    answers={201: AcceptedRun | AcceptedRuns},
    body=NewRunBody | NewRunsBody,
    body_max=BODY_MANY_MAX,
    headers=(IDEMPOTENCY_KEY,),
)
START_RUN = Operation(
    "start_run",
    "POST /api/v1/jobs/{name}/runs",
    Permission.RUNS_WRITE,
    "Accept a run of a job; the body may be left out.",
    AcceptedRun,
    answers={201: AcceptedRun},
    body=RunBody,
    body_optional=True,
    body_max=BODY_ONE_MAX,
    headers=(IDEMPOTENCY_KEY,),
)
LIST_RUNS = Operation(
    "list_runs",
    "GET /api/v1/runs",
    Permission.RUNS_READ,
    "List runs that match every filter. A page may be short; there are more while `next` is given.",
    RunPage,
    query=RunQuery,
)
COUNT_RUNS = Operation(
    "count_runs",
    "GET /api/v1/runs/count",
    Permission.RUNS_READ,
    "Count the newest 500 runs that match a query, by state; `is_complete` says whether there are more.",
    RunCount,
    query=CountQuery,
)
GET_RUN = Operation(
    "get_run",
    "GET /api/v1/runs/{id}",
    Permission.RUNS_READ,
    "Get a run; with `wait`, once it has ended or after that many seconds.",
    RunInfo,
    query=WaitQuery,
    parts={"id": IdText},
)
GET_RESULT = Operation[Any](
    "get_result",
    "GET /api/v1/runs/{id}/result",
    Permission.RUNS_READ,
    "Get the value that the run's handler returned; a problem if the run has not succeeded.",
    msgspec.Raw,
    parts={"id": IdText},
)
LIST_ATTEMPTS = Operation(
    "list_attempts",
    "GET /api/v1/runs/{id}/attempts",
    Permission.RUNS_READ,
    "List the attempts of a run that did not succeed, oldest first.",
    AttemptPage,
    parts={"id": IdText},
)
LIST_LOGS = Operation(
    "list_logs",
    "GET /api/v1/runs/{id}/logs",
    Permission.RUNS_READ,
    "List the log lines of a run in the order of their arrival.",
    LogPage,
    query=LogQuery,
    parts={"id": IdText},
)
CANCEL_RUNS = Operation(
    "cancel_runs",
    "POST /api/v1/runs/cancel",
    Permission.RUNS_STEER,
    "Cancel up to 1,000 runs. The answer has the result for each.",
    CancelledRuns,
    body=CancelRunsBody,
    repeatable=True,
)
CANCEL_RUN = Operation(
    "cancel_run",
    "POST /api/v1/runs/{id}/cancel",
    Permission.RUNS_STEER,
    "Cancel a run: 200 if it has ended, 202 while its attempt is being stopped.",
    RunInfo,
    answers={202: RunInfo},
    body=CancelBody,
    body_optional=True,
    parts={"id": IdText},
    repeatable=True,
)
RETRY_RUN = Operation(
    "retry_run",
    "POST /api/v1/runs/{id}/retry",
    Permission.RUNS_STEER,
    "Run an ended run again, now, with another input if one is given; after a success only with `force`.",
    RunInfo,
    body=RetryBody,
    body_optional=True,
    body_max=RETRY_BODY_MAX,
    parts={"id": IdText},
)
