"""Operations of bulk, and their bodies."""

from typing import Annotated

import msgspec

from mainspring.contract.base.fields import (
    IdCursor,
    IdText,
    Instant,
    PageLimit,
    Priority,
    Reason,
    like,
)
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.bulk import (
    BackfillInfo,
    BackfillPage,
    BackfillPreview,
    DeadGroupPage,
    DeadLetterInfo,
    DeadLetterPage,
    FilledPage,
    SweepInfo,
    SweepPage,
    SweepPreview,
)
from mainspring.contract.operations.runs import CancelReason, JobFilter, RunIdItem
from mainspring.contract.operations.sweeps import CancelSweepBody, NewSweepBody, SweepPreviewBody
from mainspring.contract.operations.triggers import InstantCursor, TriggerName
from mainspring.contract.runs import ChangedRuns
from mainspring.domain.access.permissions import Permission
from mainspring.domain.bulk.backfill import PRIORITY
from mainspring.domain.bulk.backfill_checks import CONCURRENCY_MAX
from mainspring.domain.names import QUEUE_MAX
from mainspring.domain.runs.cancel import CANCELS_MAX
from mainspring.domain.runs.dead_letter import FINGERPRINT
from mainspring.domain.runs.run import PRIORITY_MAX, PRIORITY_MIN
from mainspring.domain.triggers.checks import NAME_MAX as TRIGGER_MAX


class ChangeRunsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    runs: Annotated[list[RunIdItem], msgspec.Meta(min_length=1, max_length=CANCELS_MAX)]
    priority: Annotated[int, msgspec.Meta(ge=PRIORITY_MIN, le=PRIORITY_MAX)] | None = None
    due_at: Instant | None = None
    queue: Annotated[str, msgspec.Meta(min_length=1, max_length=QUEUE_MAX)] | None = None
    reason: CancelReason = ""


class DiscardBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: CancelReason = ""


FingerprintText = Annotated[str, like(f"^{FINGERPRINT.pattern}$")]


class NewBackfillBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    since: Instant
    until: Instant | None = None
    """Instants not before `since`, and before `until`; null: up to a minute ago."""
    concurrency: Annotated[int, msgspec.Meta(ge=1, le=CONCURRENCY_MAX)] = 1
    """How many of its runs may be live at once."""
    priority: Priority = PRIORITY
    rerun: bool = False
    """Whether instants that have had a run get another one."""
    dry_run: bool = False
    """Preview only; change nothing."""
    reason: Reason = ""


class CancelBackfillBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


GroupCursor = Annotated[str, like(rf"^[0-9]{{1,17}}\.{FINGERPRINT.pattern}$")]
LetterCursor = Annotated[str, like(r"^[0-9]{1,17}\.[0-9a-f]{32}$")]
TriggerFilter = Annotated[str, msgspec.Meta(max_length=TRIGGER_MAX, description="Only backfills of this trigger.")]


class DeadGroupQuery(Query):
    job: JobFilter | None = None
    limit: PageLimit = 50
    cursor: GroupCursor | None = None


class DeadLetterQuery(Query):
    limit: PageLimit = 50
    cursor: LetterCursor | None = None


class SweepQuery(Query):
    limit: PageLimit = 50
    cursor: IdCursor | None = None


class BackfillQuery(Query):
    trigger: TriggerFilter | None = None
    limit: PageLimit = 50
    cursor: IdCursor | None = None


class FilledQuery(Query):
    limit: PageLimit = 100
    cursor: InstantCursor | None = None


LIST_DEAD_GROUPS = Operation(
    "list_dead_groups",
    "GET /api/v1/dead-letters",
    Permission.RUNS_READ,
    "List the dead letters, grouped by job, error class and message.",
    DeadGroupPage,
    query=DeadGroupQuery,
)
LIST_DEAD_LETTERS = Operation(
    "list_dead_letters",
    "GET /api/v1/dead-letters/{fingerprint}",
    Permission.RUNS_READ,
    "List the dead letters of a group, oldest first.",
    DeadLetterPage,
    query=DeadLetterQuery,
    parts={"fingerprint": FingerprintText},
)
DISCARD_RUN = Operation(
    "discard_run",
    "POST /api/v1/runs/{id}/discard",
    Permission.RUNS_STEER,
    "Remove a failed run from the dead letters. The run stays failed.",
    DeadLetterInfo,
    body=DiscardBody,
    body_optional=True,
    parts={"id": IdText},
    tag="dead letters",
)
CREATE_SWEEP = Operation(
    "create_sweep",
    "POST /api/v1/sweeps",
    Permission.RUNS_STEER,
    "Retry, discard or cancel every run that matches, or steer every run of a workflow, in the background.",
    SweepInfo,
    status=202,
    body=NewSweepBody,
)
PREVIEW_SWEEP = Operation(
    "preview_sweep",
    "POST /api/v1/sweep-previews",
    Permission.RUNS_READ,
    "Count the runs that a sweep would act on, name five of them, and change nothing.",
    SweepPreview,
    body=SweepPreviewBody,
    repeatable=True,
    tag="sweeps",
)
LIST_SWEEPS = Operation(
    "list_sweeps",
    "GET /api/v1/sweeps",
    Permission.RUNS_READ,
    "List sweeps, newest first.",
    SweepPage,
    query=SweepQuery,
)
GET_SWEEP = Operation(
    "get_sweep",
    "GET /api/v1/sweeps/{id}",
    Permission.RUNS_READ,
    "Get a sweep and its progress.",
    SweepInfo,
    parts={"id": IdText},
)
CANCEL_SWEEP = Operation(
    "cancel_sweep",
    "POST /api/v1/sweeps/{id}/cancel",
    Permission.RUNS_STEER,
    "Stop a sweep. Runs that it has changed stay changed.",
    SweepInfo,
    body=CancelSweepBody,
    body_optional=True,
    parts={"id": IdText},
)
CREATE_BACKFILL = Operation(
    "create_backfill",
    "POST /api/v1/triggers/{name}/backfills",
    Permission.TRIGGERS_STEER,
    "Create runs for past fire times of a trigger, in the background; with `dry_run`, only show which.",
    BackfillInfo,
    status=202,
    answers={200: BackfillPreview},
    body=NewBackfillBody,
    parts={"name": TriggerName},
)
LIST_BACKFILLS = Operation(
    "list_backfills",
    "GET /api/v1/backfills",
    Permission.TRIGGERS_READ,
    "List backfills, newest first.",
    BackfillPage,
    query=BackfillQuery,
    tag="triggers",
)
GET_BACKFILL = Operation(
    "get_backfill",
    "GET /api/v1/backfills/{id}",
    Permission.TRIGGERS_READ,
    "Get a backfill and its progress.",
    BackfillInfo,
    parts={"id": IdText},
    tag="triggers",
)
LIST_FILLED = Operation(
    "list_filled",
    "GET /api/v1/backfills/{id}/instants",
    Permission.TRIGGERS_READ,
    "List the fire times for which a backfill has created runs, oldest first.",
    FilledPage,
    query=FilledQuery,
    parts={"id": IdText},
    tag="triggers",
)
CANCEL_BACKFILL = Operation(
    "cancel_backfill",
    "POST /api/v1/backfills/{id}/cancel",
    Permission.TRIGGERS_STEER,
    "Stop creating runs. Runs that the backfill has created continue.",
    BackfillInfo,
    body=CancelBackfillBody,
    body_optional=True,
    parts={"id": IdText},
    tag="triggers",
)
CHANGE_RUNS = Operation(
    "change_runs",
    "POST /api/v1/runs/change",
    Permission.RUNS_STEER,
    "Give up to 1,000 runs that have not started another priority, due time or queue.",
    ChangedRuns,
    body=ChangeRunsBody,
    repeatable=True,
)
