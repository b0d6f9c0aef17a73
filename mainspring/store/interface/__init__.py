"""What the rest of the project may ask of a database: domain verbs, each one atomic act.

Rules that hold for every method. `now` is an argument; no statement reads a clock. Lists in, lists out. A method that
changes state does so in one statement or starts with a row lock. `StoreUnavailableError` means: try again later; the
act may or may not have happened, and repeating it with the same ids and tokens is harmless.
"""

from mainspring.store.interface.access import Access, AccessChanges, TokenFilter
from mainspring.store.interface.audit import Audit, AuditFilter
from mainspring.store.interface.backfills import Backfills
from mainspring.store.interface.calendars import CalendarFilter, Calendars
from mainspring.store.interface.cluster import Cluster
from mainspring.store.interface.dead import Dead, DeadFilter, DeadPage, Sweeps
from mainspring.store.interface.executors import Executors, PresenceFilter
from mainspring.store.interface.history import History
from mainspring.store.interface.invariants import Invariants
from mainspring.store.interface.jobs import JobFilter, Jobs
from mainspring.store.interface.memories import Memories
from mainspring.store.interface.queues import Queues, Rollups
from mainspring.store.interface.runs import Decide, RunFilter, RunPage, Runs
from mainspring.store.interface.steering import Steering
from mainspring.store.interface.store import Store
from mainspring.store.interface.suspensions import Suspensions
from mainspring.store.interface.telemetry import Telemetry
from mainspring.store.interface.triggers import TriggerFilter, Triggers
from mainspring.store.interface.webhooks import EventCount, Webhooks

__all__ = [
    "Access",
    "AccessChanges",
    "Audit",
    "AuditFilter",
    "Backfills",
    "CalendarFilter",
    "Calendars",
    "Cluster",
    "Dead",
    "DeadFilter",
    "DeadPage",
    "Decide",
    "EventCount",
    "Executors",
    "History",
    "Invariants",
    "JobFilter",
    "Jobs",
    "Memories",
    "PresenceFilter",
    "Queues",
    "Rollups",
    "RunFilter",
    "RunPage",
    "Runs",
    "Steering",
    "Store",
    "Suspensions",
    "Sweeps",
    "Telemetry",
    "TokenFilter",
    "TriggerFilter",
    "Triggers",
    "Webhooks",
]
