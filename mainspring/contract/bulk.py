"""Bulk operations, dead letters and backfills."""

from datetime import datetime
from typing import Annotated, Any

from mainspring.contract.base.view import View, one_of, schema_of
from mainspring.contract.runs import RunDiscard
from mainspring.domain.bulk.backfill import BackfillState
from mainspring.domain.bulk.operation import FlowTerms, SweepFilter

OVER = frozenset({"done", "stopped", "cancelled"})
BackfillStateText = Annotated[str, one_of(BackfillState)]
FlowTermsJson = Annotated[Any, schema_of(FlowTerms)]
SweepFilterJson = Annotated[Any, schema_of(SweepFilter)]


class MuteInfo(View, frozen=True, kw_only=True):
    """That no alert tells of a kind of failure."""

    at: datetime
    until: datetime | None
    """Null: until it comes again."""
    by: str
    reason: str


class FailureNoteInfo(View, frozen=True, kw_only=True):
    """What people say of a kind of failure."""

    fingerprint: str
    note: str
    noted_by: str
    noted_at: datetime | None
    mute: MuteInfo | None
    """The last one, also if it has ended; null: there is none."""
    owner: str = ""
    """The person or team that looks after it; empty: nobody does."""
    owned_by: str = ""
    """Who said so last."""
    owned_at: datetime | None = None


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
    note: str = ""
    """What people say of it."""
    noted_by: str = ""
    noted_at: datetime | None = None
    mute: MuteInfo | None = None
    """The last one, also if it has ended."""
    muted: bool = False
    """Whether it raises no alert of a new failure now."""
    owner: str = ""
    """The person or team that looks after it; empty: nobody does."""
    owned_by: str = ""
    """Who said so last."""
    owned_at: datetime | None = None


class DeadGroupPage(View, frozen=True):
    """A page, the group seen last first; `next` is the cursor of the next one."""

    groups: list[DeadGroupInfo]
    next: str | None


class FailureFigureInfo(View, frozen=True, kw_only=True):
    """When a kind of failure happened in the last 24 hours, and by which code."""

    fingerprint: str
    hours: list[int]
    """Dead letters by the hour in which they failed, the last hour last; of the newest 250."""
    more: bool
    """There are more than were counted."""
    versions: list[str]
    """Code versions that the newest five runs were tried with, in the order of their names; empty: none are known."""


class FailureFigures(View, frozen=True):
    """In the order asked for."""

    failures: list[FailureFigureInfo]


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


class SweepInfo(View, frozen=True, kw_only=True):
    """How far an act on many runs has come."""

    id: str
    act: str
    state: str
    """`running`, `canaries` while these are awaited; then `done`, `stopped` or `cancelled`."""
    note: str = ""
    """Why it is in that state."""
    filter: SweepFilterJson = {}
    terms: FlowTermsJson = {}
    reason: str = ""
    by: str = ""
    canaries: int = 0
    tried: list[str] = []
    """The canaries."""
    changed: int
    passed: int = 0
    """Runs that had changed meanwhile, so that nothing was done to them."""
    steps: int = 0
    """Steps of workflow runs, which a retry leaves as they are: resume their workflow runs."""
    expected: int | None = None
    """How many matched when it began; null if that was not counted."""
    created_at: datetime
    moved_at: datetime
    held_until: datetime | None = None
    """It begins then; cancelled before that, it has changed nothing."""

    @property
    def over(self) -> bool:
        return self.state in OVER


class FlowPreviewInfo(View, frozen=True, kw_only=True):
    """The effect of a sweep on one workflow run."""

    run: str
    steps: list[str] = []
    """The steps that would run."""
    refused: str = ""
    """Why nothing would be done to it."""


class SweepPreview(View, frozen=True, kw_only=True):
    """The runs that a sweep would act on now."""

    count: int
    is_complete: bool
    """Whether all of them were counted; else there are more than `count`."""
    sample: list[str]
    flows: list[FlowPreviewInfo] = []
    """Of an act that changes workflow runs: its effect on those of the sample."""


class SweepPage(View, frozen=True):
    """A page, newest first; `next` is the cursor of the next one."""

    sweeps: list[SweepInfo]
    next: str | None


class BackfillPreview(View, frozen=True, kw_only=True):
    """The effect of a backfill that has not begun."""

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
