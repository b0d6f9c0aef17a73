"""Alert rules: the kinds of conditions, and the fields that each kind reads."""

from datetime import datetime
from enum import StrEnum

import msgspec

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0


class Severity(StrEnum):
    """How much an alert matters, the least first."""

    INFO = "info"
    WARN = "warn"
    PAGE = "page"


class AlertKind(StrEnum):
    """The conditions that a rule can name."""

    RUN_FAILED = "run_failed"
    FAILURE_RATE = "failure_rate"
    STALE = "stale"
    TRIGGER_LATE = "trigger_late"
    FIRES_SKIPPED = "fires_skipped"
    TRIGGER_PAUSED = "trigger_paused"
    QUEUE_AGE = "queue_age"
    QUEUE_DEPTH = "queue_depth"
    BUDGET_NEAR = "budget_near"
    NO_EXECUTOR = "no_executor"
    RUN_LONG = "run_long"
    DEAD_LETTERS = "dead_letters"
    EXECUTOR_LOST = "executor_lost"
    EXECUTORS_FEW = "executors_few"
    SERVERS_FEW = "servers_few"
    STRAYS = "strays"
    SERVER_LOST = "server_lost"
    STORE = "store"
    EXPIRING = "expiring"
    BREAKER_OPEN = "breaker_open"
    CANARY_STOPPED = "canary_stopped"
    WORKFLOW_STUCK = "workflow_stuck"
    CHANNEL_FAILED = "channel_failed"
    UNWATCHED = "unwatched"
    SLO_BURN = "slo_burn"
    SLO_BUDGET = "slo_budget"


class Quiet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When no channel is told of a rule's alerts."""

    calendar: str
    """Of the namespace: on the days and in the hours that it leaves out, notices wait."""


class AlertSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"for_": "for"}):
    """A rule; times are in seconds, shares from 0 to 1. A field that its kind does not read is refused."""

    kind: AlertKind
    job: str = ""
    """A name, or a pattern such as `mail-*`; each match is a subject of its own."""
    queue: str = ""
    trigger: str = ""
    executor: str = ""
    breaker: str = ""
    slo: str = ""
    over: float | None = None
    """How far back is counted; null: the default of the kind."""
    at_least: int | None = None
    """The number from which on it counts, or below which it does for `executors_few` and `servers_few`."""
    above: float | None = None
    """The share above which it counts."""
    older_than: float | None = None
    for_: float = 0.0
    """How long the condition must hold before the alert fires."""
    severity: Severity = Severity.WARN
    notify: tuple[str, ...] = ()
    """Channels."""
    recovery: bool = True
    """Whether channels are told of the end."""
    escalate_to: tuple[str, ...] = ()
    escalate_after: float | None = None
    """How long an alert may fire unacknowledged before `escalate_to` is told."""
    runbook: str = ""
    """Where the remedy is written down; sent along."""
    quiet: Quiet | None = None


class AlertRule(msgspec.Struct, frozen=True, kw_only=True):
    """A stored rule."""

    namespace: str
    name: str
    spec: AlertSpec
    version: int = 1
    owner: str = ""
    author: str = ""
    updated_at: datetime


class Fields(msgspec.Struct, frozen=True, kw_only=True):
    """The fields that a kind reads, and their defaults; None: the rule must say it."""

    subjects: tuple[str, ...]
    """One of them has to be given; none: the condition has no subject, or takes every one there is."""
    defaults: dict[str, float | int | None] = {}
    needs_subject: bool = True


JOB_OR_QUEUE = ("job", "queue")
JOB_OR_TRIGGER = ("job", "trigger")
READS: dict[AlertKind, Fields] = {
    AlertKind.RUN_FAILED: Fields(subjects=JOB_OR_QUEUE, defaults={"over": 5 * MINUTE, "at_least": 1}),
    AlertKind.FAILURE_RATE: Fields(
        subjects=JOB_OR_QUEUE, defaults={"over": 15 * MINUTE, "at_least": 20, "above": None}
    ),
    AlertKind.STALE: Fields(subjects=JOB_OR_TRIGGER, defaults={"older_than": None}),
    AlertKind.TRIGGER_LATE: Fields(subjects=JOB_OR_TRIGGER, defaults={"older_than": MINUTE}),
    AlertKind.FIRES_SKIPPED: Fields(subjects=JOB_OR_TRIGGER, defaults={"over": HOUR, "at_least": 1}),
    AlertKind.TRIGGER_PAUSED: Fields(subjects=JOB_OR_TRIGGER, defaults={"older_than": HOUR}),
    AlertKind.QUEUE_AGE: Fields(subjects=("queue",), defaults={"older_than": None}),
    AlertKind.QUEUE_DEPTH: Fields(subjects=("queue",), defaults={"at_least": None}),
    AlertKind.BUDGET_NEAR: Fields(subjects=("queue",), defaults={"above": 0.8}),
    AlertKind.NO_EXECUTOR: Fields(subjects=("queue",), defaults={"older_than": MINUTE}),
    AlertKind.RUN_LONG: Fields(subjects=("job",), defaults={"older_than": None}),
    AlertKind.DEAD_LETTERS: Fields(subjects=("job",), defaults={"over": HOUR, "at_least": None}),
    AlertKind.EXECUTOR_LOST: Fields(subjects=("executor",), defaults={"over": HOUR}),
    AlertKind.EXECUTORS_FEW: Fields(subjects=("queue",), defaults={"at_least": 1}),
    AlertKind.SERVERS_FEW: Fields(subjects=(), defaults={"at_least": 2}, needs_subject=False),
    AlertKind.STRAYS: Fields(subjects=("executor",), defaults={"at_least": 1}),
    AlertKind.SERVER_LOST: Fields(subjects=(), needs_subject=False),
    AlertKind.STORE: Fields(subjects=(), needs_subject=False),
    AlertKind.EXPIRING: Fields(subjects=(), defaults={"older_than": 14 * DAY}, needs_subject=False),
    AlertKind.BREAKER_OPEN: Fields(subjects=("breaker",), defaults={"older_than": 0.0}),
    AlertKind.CANARY_STOPPED: Fields(subjects=("job",), defaults={"older_than": 0.0}),
    AlertKind.WORKFLOW_STUCK: Fields(subjects=("job",), defaults={"older_than": HOUR}),
    AlertKind.CHANNEL_FAILED: Fields(subjects=(), defaults={"older_than": DAY}, needs_subject=False),
    AlertKind.UNWATCHED: Fields(subjects=(), defaults={"older_than": 2 * MINUTE}, needs_subject=False),
    AlertKind.SLO_BURN: Fields(subjects=("slo",)),
    AlertKind.SLO_BUDGET: Fields(subjects=("slo",), defaults={"above": 0.5}),
}
OPTIONAL = {
    (AlertKind.DEAD_LETTERS, "at_least", "job"): "a new fingerprint within `over` counts",
    (AlertKind.RUN_LONG, "older_than", "job"): "three times the 99th percentile of last week counts",
    (AlertKind.STALE, "older_than", "trigger"): "twice the longest of the trigger's next intervals counts",
}
"""Fields without a default that a rule about such a subject may leave out, and the condition then."""
NUMBERS = ("over", "at_least", "above", "older_than")
SUBJECTS = ("job", "queue", "trigger", "executor", "breaker", "slo")
# Their rules are built in, and channels ask for them by `cluster`.
CLUSTER_KINDS = (
    *(AlertKind.SERVER_LOST, AlertKind.STORE, AlertKind.EXPIRING),
    *(AlertKind.CHANNEL_FAILED, AlertKind.UNWATCHED),
)
"""Kinds about the whole cluster."""


def number(spec: AlertSpec, field: str) -> float:
    """The field as the rule has it, or the default of its kind."""
    said: float | None = getattr(spec, field)
    default = READS[spec.kind].defaults.get(field)
    return said if said is not None else default or 0.0


def subject_field(spec: AlertSpec) -> str:
    """The field that names the subjects of a rule; empty: it has none."""
    return next((field for field in READS[spec.kind].subjects if getattr(spec, field)), "")
