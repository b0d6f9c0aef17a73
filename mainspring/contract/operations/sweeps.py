"""Bodies of sweeps."""

from typing import Annotated, Any

import msgspec

from mainspring.contract.base.fields import Instant, LabelKey, LabelValue, Name, Tag
from mainspring.contract.operations.runs import CancelReason
from mainspring.domain.bulk.operation import CANARIES_MAX, HOLD_MAX, SweepAct
from mainspring.domain.metadata import LABELS_MAX, TAGS_MAX
from mainspring.domain.names import JOB_MAX, QUEUE_MAX
from mainspring.domain.runs.dead_letter import FINGERPRINT
from mainspring.domain.runs.run import RunState

LIVE = tuple(state.label for state in RunState if not state.final)
Fingerprint = Annotated[str, msgspec.Meta(pattern=f"^{FINGERPRINT.pattern}$")]
State = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(LIVE)})$")]
StepName = Annotated[str, msgspec.Meta(min_length=1, max_length=JOB_MAX)]
QueueText = Annotated[str, msgspec.Meta(min_length=1, max_length=QUEUE_MAX)]


class SweepFilterBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Which runs: those that match all of it. Dead letters for a retry or a discard, live runs for a cancel.

    For `resume`, `retry_step`, `skip`, `mark`, `move`, `pause` and `unpause`: runs of the workflow that `job` names.
    """

    fingerprint: Fingerprint | None = None
    job: Name | None = None
    queue: QueueText | None = None
    states: Annotated[tuple[State, ...], msgspec.Meta(max_length=len(LIVE))] = ()
    """Of a cancel: any of these."""
    tags: Annotated[tuple[Tag, ...], msgspec.Meta(max_length=TAGS_MAX)] = ()
    labels: Annotated[dict[LabelKey, LabelValue], msgspec.Meta(max_length=LABELS_MAX)] = {}
    since: Instant | None = None
    until: Instant | None = None
    """When they failed, or otherwise, were created."""
    failed_step: StepName | None = None
    """Of an act on workflow runs: only those of which this step failed or was cancelled."""


class FlowTermsBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The terms of an act on workflow runs."""

    step: Annotated[str, msgspec.Meta(max_length=JOB_MAX)] = ""
    """Of `retry_step`, `skip` and `mark`."""
    result: Any = None
    """Of `mark`: the value that the step counts as having returned."""
    version: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] | None = None
    """Of `resume` and `move`: the version to go by, 0 for the newest."""
    redo: bool = False
    """Of `resume`: run steps again that were undone, too."""


class NewSweepBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    act: SweepAct
    filter: SweepFilterBody = msgspec.field(default_factory=SweepFilterBody)
    all: bool = False
    """Needed if the filter is empty."""
    terms: FlowTermsBody = msgspec.field(default_factory=FlowTermsBody)
    canaries: Annotated[int, msgspec.Meta(ge=0, le=CANARIES_MAX)] = 0
    """Of a retry: so many first; only if all of them succeed does the rest follow."""
    reason: CancelReason = ""
    hold: Annotated[float, msgspec.Meta(ge=0, le=HOLD_MAX)] = 0.0
    """Seconds before it begins; a cancel within them takes all of it back."""


class SweepPreviewBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    act: SweepAct
    filter: SweepFilterBody = msgspec.field(default_factory=SweepFilterBody)
    all: bool = False
    terms: FlowTermsBody = msgspec.field(default_factory=FlowTermsBody)


class CancelSweepBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: CancelReason = ""
