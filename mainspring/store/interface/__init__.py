"""The store as the rest of the project sees it: domain verbs, each one atomic act.

Rules that hold for every method. `now` is an argument; no statement reads a clock. Lists in, lists out. A method that
changes state does so in one statement or starts with a row lock. `StoreUnavailableError` means: try again later; the
act may or may not have happened, and repeating it with the same ids and tokens is harmless.
"""

from mainspring.domain.runs.query import RunFilter, RunMatches
from mainspring.store.interface.access import (
    AccessChanges,
    AccessStore,
    AuditFilter,
    PreferenceStore,
    SavedViewStore,
    TokenFilter,
    UserStore,
)
from mainspring.store.interface.alerts.alerts import AlertFilter, AlertStore, NoticeFilter, NoticeStore
from mainspring.store.interface.alerts.findings import FindingStore
from mainspring.store.interface.breakers import BreakerStore
from mainspring.store.interface.bulk import BulkStore, DeadFilter, DeadPage
from mainspring.store.interface.calendars import CalendarFilter, CalendarStore
from mainspring.store.interface.cluster import ClusterStore
from mainspring.store.interface.executors import ExecutorStore, PresenceFilter
from mainspring.store.interface.jobs import JobFilter, JobStore
from mainspring.store.interface.lanes import LaneStore
from mainspring.store.interface.limits import LimitStore
from mainspring.store.interface.queues import QueueStore
from mainspring.store.interface.runs import Decide, RunStore
from mainspring.store.interface.store import Store
from mainspring.store.interface.triggers import TriggerFilter, TriggerStore
from mainspring.store.interface.webhooks import EventCount, WebhookStore
from mainspring.store.interface.workflows import (
    BatchStore,
    FlowView,
    Joined,
    NewBatch,
    OpenApproval,
    RunsAtOnce,
    StepRun,
    Unlooked,
    WaitStore,
    WorkflowStore,
)

__all__ = [
    "AccessChanges",
    "AccessStore",
    "AlertFilter",
    "AlertStore",
    "AuditFilter",
    "BatchStore",
    "BreakerStore",
    "BulkStore",
    "CalendarFilter",
    "CalendarStore",
    "ClusterStore",
    "DeadFilter",
    "DeadPage",
    "Decide",
    "EventCount",
    "ExecutorStore",
    "FindingStore",
    "FlowView",
    "JobFilter",
    "JobStore",
    "Joined",
    "LaneStore",
    "LimitStore",
    "NewBatch",
    "NoticeFilter",
    "NoticeStore",
    "OpenApproval",
    "PreferenceStore",
    "PresenceFilter",
    "QueueStore",
    "RunFilter",
    "RunMatches",
    "RunStore",
    "RunsAtOnce",
    "SavedViewStore",
    "StepRun",
    "Store",
    "TokenFilter",
    "TriggerFilter",
    "TriggerStore",
    "Unlooked",
    "UserStore",
    "WaitStore",
    "WebhookStore",
    "WorkflowStore",
]
