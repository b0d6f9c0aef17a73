"""Answers for a page as a whole: the overview of a namespace, a histogram of runs, saved views."""

from datetime import datetime
from typing import Annotated

from mainspring.contract.alerts.views import FindingInfo
from mainspring.contract.base.view import View, one_of
from mainspring.contract.bulk import DeadGroupInfo
from mainspring.contract.executors import ExecutorInfo
from mainspring.contract.limits import PauseInfo
from mainspring.contract.operations.approvals import ApprovalInfo
from mainspring.contract.queues import QueueInfo, RatesInfo

COUNTED_BY = ("finished", "created")


class OverviewTotals(View, frozen=True, kw_only=True):
    """All queues and executors of a namespace together; runs are of the last survey, rates of the last five minutes."""

    queues: int
    paused_queues: int
    queued: int
    later: int
    waiting: int
    running: int
    oldest_seconds: float | None = None
    finished: float
    """Runs that ended in a minute."""
    failed: float
    executors: int
    executors_more: bool
    """Whether there are more executors than were counted."""
    slots: int


class NextFire(View, frozen=True, kw_only=True):
    """A trigger that fires soon."""

    trigger: str
    job: str
    at: datetime
    words: str


class OverviewInfo(View, frozen=True, kw_only=True):
    """A namespace as it stands; made at most once a second, and the same for all who ask."""

    taken_at: datetime
    totals: OverviewTotals
    maintenance: PauseInfo
    """Whether the cluster accepts runs and starts none."""
    pause: PauseInfo
    """Of the namespace."""
    findings: list[FindingInfo]
    """The worst first."""
    findings_more: int
    queues: list[QueueInfo]
    """Those that are the longest late, then the fullest."""
    executors: list[ExecutorInfo]
    """Those with a stuck pool or a blocked loop."""
    rates: RatesInfo
    """The last 60 minutes."""
    failing: list[DeadGroupInfo]
    """Groups of dead letters, the latest first."""
    failing_groups: int
    failing_more: bool
    """Whether there are more groups than were counted."""
    next_fires: list[NextFire]
    approvals: list[ApprovalInfo]
    approvals_more: bool


class HistogramStep(View, frozen=True, kw_only=True):
    at: datetime
    states: dict[str, int]
    """Runs by state; states without a run are left out."""


class RunHistogram(View, frozen=True, kw_only=True):
    """Runs that match a query, by time, oldest first."""

    by: Annotated[str, one_of(COUNTED_BY)]
    """`finished`: from roll-ups, all of them; `created`: looked at one by one, the newest first."""
    since: datetime
    until: datetime
    step_seconds: int
    steps: list[HistogramStep]
    count: int
    is_complete: bool
    """False: runs created before `reached` were not looked at."""
    reached: datetime


class SavedViewInfo(View, frozen=True, kw_only=True):
    """A query of runs under a name."""

    name: str
    q: str
    shared: bool
    """Whether all of the namespace see it; otherwise only its author does."""
    author: str
    updated_at: datetime


class SavedViewList(View, frozen=True):
    """By name, one's own first."""

    views: list[SavedViewInfo]
