"""Batches: bodies, views and operations."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.base.fields import PAGE_MAX, IdCursor, IdText, Instant, Name, Reason, like
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.base.view import View
from mainspring.contract.operations.runs import BODY_MANY_MAX, RUNS_MAX, NewRunBody
from mainspring.contract.workflows.bodies import StepRunInfo
from mainspring.domain.access.permissions import Permission
from mainspring.domain.batches.batch import NAME_MAX
from mainspring.domain.workflows.maps import ITEMS_MAX

BatchName = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX)]
ITEM = "^[0-9]{1,6}$"
ItemCursor = Annotated[str, like(ITEM, "The `next` of the previous page.")]
TIMES_MAX = 200


class CallbackBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A job to run once a batch is over; its parameter `batch`, if it has one, takes how the batch ended."""

    job: Name
    input: dict[str, Any] = {}


class BatchRunBody(NewRunBody, kw_only=True, forbid_unknown_fields=True):
    """A run that joins a batch."""

    # Typed as a text all the same, so that the server refuses one in its own words.
    key: Annotated[str | None, msgspec.Meta(extra_json_schema={"const": None})] = None
    """None: a run that is there already cannot join, as it may be another batch's, or over."""


class NewBatchBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A batch, with its first runs."""

    name: BatchName
    """Of one batch in the namespace."""
    runs: Annotated[list[BatchRunBody], msgspec.Meta(max_length=RUNS_MAX)] = []
    close: bool = False
    """Whether these are all: a batch ends only once it is closed."""
    on_success: CallbackBody | None = None
    """Runs once all runs have succeeded."""
    on_failure: CallbackBody | None = None
    """Runs once all runs are over and some have not succeeded."""
    finally_: CallbackBody | None = msgspec.field(default=None, name="finally")
    """Runs once all runs are over, after the other two."""
    deadline: Instant | None = None
    """When its live runs are cancelled, and the batch fails."""


class AddRunsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Runs that join a batch, all or none."""

    runs: Annotated[list[BatchRunBody], msgspec.Meta(min_length=1, max_length=RUNS_MAX)]
    at: Annotated[int, msgspec.Meta(ge=0, le=ITEMS_MAX)] | None = None
    """How many runs the batch has; a call that is repeated with it adds nothing."""


class BatchRequestBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


class RetryBatchBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    dry_run: bool = False
    """Only say how many would run again."""
    reason: Reason = ""


class BatchInfo(View, frozen=True, kw_only=True):
    """A batch: its runs by state, as far as they have ended."""

    id: str
    """That of its run: waiting for the run is waiting for the batch."""
    name: str
    state: str
    """open, running, succeeded, failed or cancelled."""
    size: int
    unfinished: int
    """Runs that wait, are queued or are running."""
    succeeded: int
    failed: int
    cancelled: int
    progress: float
    """The share of its runs that are over; 1 if it has none."""
    created_at: datetime
    finished_at: datetime | None = None
    on_success: str | None = None
    """The job of the callback."""
    on_failure: str | None = None
    finally_: str | None = msgspec.field(default=None, name="finally")

    @property
    def over(self) -> bool:
        return self.finished_at is not None


class BatchPage(View, frozen=True):
    batches: list[BatchInfo]
    next: str | None = None


class AddedRuns(View, frozen=True):
    """Ids in the order of the request."""

    before: int
    """How many runs the batch had."""
    runs: list[str]


class BatchRunPage(View, frozen=True):
    runs: list[StepRunInfo]
    next: str | None = None


class RetriedBatch(View, frozen=True, kw_only=True):
    """How many runs run again."""

    runs: int
    dry_run: bool = False


class BatchQuery(Query):
    limit: Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX)] = 50
    cursor: IdCursor | None = None
    name: BatchName | None = None
    """Only the batch of this name."""


class BatchRunQuery(Query):
    limit: Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX)] = 50
    """At most 200 with times."""
    cursor: ItemCursor | None = None
    failed: bool = False
    """Only runs that failed or were cancelled."""
    times: bool = False
    """Say of each run how it stands, when it began and when it ended."""


LIST_BATCHES = Operation(
    "list_batches",
    "GET /api/v1/batches",
    Permission.RUNS_READ,
    "List batches with their counts, newest first.",
    BatchPage,
    query=BatchQuery,
)
CREATE_BATCH = Operation(
    "create_batch",
    "POST /api/v1/batches",
    Permission.RUNS_WRITE,
    "Begin a batch: a named set of runs, with callbacks once all are over.",
    BatchInfo,
    status=201,
    body=NewBatchBody,
    body_max=BODY_MANY_MAX,
)
GET_BATCH = Operation(
    "get_batch",
    "GET /api/v1/batches/{id}",
    Permission.RUNS_READ,
    "Get a batch with its counts.",
    BatchInfo,
    parts={"id": IdText},
)
LIST_BATCH_RUNS = Operation(
    "list_batch_runs",
    "GET /api/v1/batches/{id}/runs",
    Permission.RUNS_READ,
    "List the runs of a batch by their numbers.",
    BatchRunPage,
    query=BatchRunQuery,
    parts={"id": IdText},
)
ADD_BATCH_RUNS = Operation(
    "add_batch_runs",
    "POST /api/v1/batches/{id}/runs",
    Permission.RUNS_WRITE,
    "Add up to 10,000 runs to an open batch, all or none.",
    AddedRuns,
    status=201,
    body=AddRunsBody,
    body_max=BODY_MANY_MAX,
    parts={"id": IdText},
)
CLOSE_BATCH = Operation(
    "close_batch",
    "POST /api/v1/batches/{id}/close",
    Permission.RUNS_WRITE,
    "Close a batch: no more runs join, and it ends once all have.",
    BatchInfo,
    parts={"id": IdText},
)
CANCEL_BATCH = Operation(
    "cancel_batch",
    "POST /api/v1/batches/{id}/cancel",
    Permission.RUNS_STEER,
    "Cancel the live runs of a batch.",
    BatchInfo,
    status=202,
    body=BatchRequestBody,
    body_optional=True,
    parts={"id": IdText},
)
RETRY_BATCH = Operation(
    "retry_batch",
    "POST /api/v1/batches/{id}/retry",
    Permission.RUNS_STEER,
    "Run those runs of a batch again that failed or were cancelled.",
    RetriedBatch,
    body=RetryBatchBody,
    body_optional=True,
    parts={"id": IdText},
)
