"""The store as the rest of the project sees it: domain verbs, each one atomic act.

Rules that hold for every method. `now` is an argument; no statement reads a clock. Lists in, lists out. A method that
changes state does so in one statement or starts with a row lock. `StoreUnavailableError` means: try again later; the
act may or may not have happened, and repeating it with the same ids and tokens is harmless.
"""

from mainspring.store.interface.access import Access, AccessChanges, AuditFilter, TokenFilter, Users
from mainspring.store.interface.alerts.alerts import AlertFilter, Alerts, NoticeFilter, Notices
from mainspring.store.interface.alerts.findings import AlertFindings
from mainspring.store.interface.breakers import Breakers
from mainspring.store.interface.bulk import Bulk, DeadFilter, DeadPage
from mainspring.store.interface.calendars import CalendarFilter, Calendars
from mainspring.store.interface.cluster import Cluster
from mainspring.store.interface.executors import Executors, PresenceFilter
from mainspring.store.interface.jobs import JobFilter, Jobs
from mainspring.store.interface.lanes import Lanes
from mainspring.store.interface.limits import Limits
from mainspring.store.interface.queues import Queues
from mainspring.store.interface.runs import Decide, RunFilter, RunPage, Runs
from mainspring.store.interface.store import Store
from mainspring.store.interface.triggers import TriggerFilter, Triggers
from mainspring.store.interface.webhooks import EventCount, Webhooks
from mainspring.store.interface.workflows import FlowView, OpenApproval, StepRun, Unlooked, Waits, Workflows

__all__ = [
    "Access",
    "AccessChanges",
    "AlertFilter",
    "AlertFindings",
    "Alerts",
    "AuditFilter",
    "Breakers",
    "Bulk",
    "CalendarFilter",
    "Calendars",
    "Cluster",
    "DeadFilter",
    "DeadPage",
    "Decide",
    "EventCount",
    "Executors",
    "FlowView",
    "JobFilter",
    "Jobs",
    "Lanes",
    "Limits",
    "NoticeFilter",
    "Notices",
    "OpenApproval",
    "PresenceFilter",
    "Queues",
    "RunFilter",
    "RunPage",
    "Runs",
    "StepRun",
    "Store",
    "TokenFilter",
    "TriggerFilter",
    "Triggers",
    "Unlooked",
    "Users",
    "Waits",
    "Webhooks",
    "Workflows",
]
