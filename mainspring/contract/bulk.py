"""Bulk operations, dead letters and backfills."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.fields import Instant, LabelKey, LabelValue, Name, Priority, Reason, Tag
from mainspring.contract.runs import CancelReason, RunDiscard
from mainspring.contract.view import View, one_of, schema_of
from mainspring.domain.bulk.backfill import PRIORITY, BackfillState
from mainspring.domain.bulk.backfill_checks import CONCURRENCY_MAX
from mainspring.domain.bulk.operation import CANARIES_MAX, SweepAct, SweepFilter
from mainspring.domain.metadata import LABELS_MAX, TAGS_MAX
from mainspring.domain.names import QUEUE_MAX
from mainspring.domain.runs.dead_letter import FINGERPRINT
from mainspring.domain.runs.run import RunState

OVER = frozenset({"done", "stopped", "cancelled"})
LIVE = tuple(state.label for state in RunState if not state.final)
Fingerprint = Annotated[str, msgspec.Meta(pattern=f"^{FINGERPRINT.pattern}$")]
State = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(LIVE)})$")]
QueueText = Annotated[str, msgspec.Meta(min_length=1, max_length=QUEUE_MAX)]


BackfillStateText = Annotated[str, one_of(BackfillState)]
SweepFilterJson = Annotated[Any, schema_of(SweepFilter)]


class DiscardBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: CancelReason = ""


class DeadGroupInfo(View, frozen=True, kw_only=True, rename={"error": "class"}):
    """Dead letters with one fingerprint."""

    fingerprint: str
    job: str
    error: str
    message: str
    """Without ids, numbers, paths and other parts that differ from run to run."""
    runs: int
    more: bool
    """There are more than were counted."""
    first_at: datetime
    last_at: datetime
    example: str
    """The run that failed last."""


class DeadGroupPage(View, frozen=True):
    """A page, the group seen last first; `next` is the cursor of the next one."""

    groups: list[DeadGroupInfo]
    next: str | None


class DeadLetterInfo(View, frozen=True, kw_only=True, rename={"error": "class"}):
    run: str
    job: str
    queue: str
    fingerprint: str
    error: str
    message: str
    reason: str | None = None
    failed_at: datetime
    discarded: RunDiscard | None = None


class DeadLetterPage(View, frozen=True):
    """A page, oldest first, which may be short; `next` is the cursor of the next one."""

    letters: list[DeadLetterInfo]
    next: str | None


class SweepFilterBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Which runs: those that match all of it. Dead letters for a retry or a discard, live runs for a cancel."""

    fingerprint: Fingerprint | None = None
    job: Name | None = None
    queue: QueueText | None = None
    states: Annotated[tuple[State, ...], msgspec.Meta(max_length=len(LIVE))] = ()
    """Of a cancel: any of these."""
    tags: Annotated[tuple[Tag, ...], msgspec.Meta(max_length=TAGS_MAX)] = ()
    labels: Annotated[dict[LabelKey, LabelValue], msgspec.Meta(max_length=LABELS_MAX)] = {}
    since: Instant | None = None
    until: Instant | None = None
    """When they failed, or for a cancel, were created."""


class NewSweepBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    act: SweepAct
    filter: SweepFilterBody = msgspec.field(default_factory=SweepFilterBody)
    all: bool = False
    """Needed if the filter is empty."""
    canaries: Annotated[int, msgspec.Meta(ge=0, le=CANARIES_MAX)] = 0
    """Of a retry: so many first; only if all of them succeed does the rest follow."""
    reason: CancelReason = ""


class CancelSweepBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: CancelReason = ""


class SweepInfo(View, frozen=True, kw_only=True):
    """How far an act on many runs has come."""

    id: str
    act: str
    state: str
    """`running`, `canaries` while these are awaited; then `done`, `stopped` or `cancelled`."""
    note: str = ""
    """Why it is in that state."""
    filter: SweepFilterJson = {}
    reason: str = ""
    by: str = ""
    canaries: int = 0
    tried: list[str] = []
    """The canaries."""
    changed: int
    passed: int = 0
    """Runs that had changed meanwhile, so that nothing was done to them."""
    expected: int | None = None
    """How many matched when it began; null if that was not counted."""
    created_at: datetime
    moved_at: datetime

    @property
    def over(self) -> bool:
        return self.state in OVER


class SweepPage(View, frozen=True):
    """A page, newest first; `next` is the cursor of the next one."""

    sweeps: list[SweepInfo]
    next: str | None


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


class BackfillPreview(View, frozen=True, kw_only=True):
    """What a backfill would do."""

    since: datetime
    until: datetime
    instants: int
    fired: int
    """Fire times that have a run, as far as the ledger knows."""
    runs: int
    """Runs that would be created."""
    first: datetime | None = None
    last: datetime | None = None
    sample: list[datetime] = []
    """The first that would get one."""
    known_since: datetime
    """From when on the ledger is whole: whether an instant before that has had a run is not known for sure."""


class BackfillInfo(View, frozen=True, kw_only=True):
    """How far a backfill has come."""

    id: str
    trigger: str
    job: str
    state: BackfillStateText
    """`running`; then `done`, `stopped` if what it needs is gone, or `cancelled`."""
    note: str = ""
    """Why it is in that state."""
    since: datetime
    until: datetime
    concurrency: int
    priority: int
    rerun: bool = False
    reason: str = ""
    by: str = ""
    expected: int
    """How many instants there are."""
    made: int
    """Fire times that got a run."""
    passed: int
    """Fire times that already had a run."""
    live: list[str] = []
    """Its runs that have not ended, as far as is known."""
    succeeded: int = 0
    failed: int = 0
    """Its runs that ended in any other way."""
    next: datetime | None = None
    """The first instant that is not accounted for; null: all are."""
    created_at: datetime
    moved_at: datetime

    @property
    def over(self) -> bool:
        return self.state != "running"


class BackfillPage(View, frozen=True):
    """A page, newest first; `next` is the cursor of the next one."""

    backfills: list[BackfillInfo]
    next: str | None


class FilledInstant(View, frozen=True):
    at: datetime
    run: str


class FilledPage(View, frozen=True):
    """A page, oldest first; `next` is the cursor of the next one."""

    instants: list[FilledInstant]
    next: str | None
