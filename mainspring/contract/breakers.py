"""Circuit breakers: bodies, views and operations."""

from datetime import datetime
from typing import Annotated

import msgspec

from mainspring.contract.base.fields import Reason
from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.base.view import View, one_of
from mainspring.domain.access.permissions import Permission
from mainspring.domain.breakers import spec as rule
from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.names import QUEUE_MAX, WORD
from mainspring.domain.runs.attempt import KIND_MAX

Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
Seconds = Annotated[float, msgspec.Meta(ge=rule.WAIT_MIN, le=rule.WAIT_MAX)]
Kinds = Annotated[
    list[
        Annotated[
            str, msgspec.Meta(min_length=1, max_length=KIND_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})
        ]
    ],
    msgspec.Meta(max_length=rule.KINDS_MAX),
]
BreakerName = Annotated[str, msgspec.Meta(max_length=QUEUE_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})]


TRIAL_MAX = 1000
UNKNOWN = ("handler_calls", "held_calls", "open_then", "kinds", "retry_after", "older_attempts", "jobs")
"""What past attempts do not tell: calls that handlers make by `ctx.breaker`; what becomes of attempts that are held back; what
calls would have found while it really was open; the bases of error classes; `Retry-After`; earlier attempts of the oldest runs;
jobs beyond the first twenty."""


class BreakerReasonBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


class BreakerBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The whole rule; what it leaves out has its default."""

    failures: Share = 0.5
    """The share of failed calls at which it opens."""
    slow: Share | None = None
    """The share of slow calls at which it opens; null: slowness does not count."""
    slow_after: Annotated[float, msgspec.Meta(ge=rule.SLOW_MIN, le=rule.SLOW_MAX)] | None = None
    """Seconds after which a call counts as slow."""
    window: Annotated[float, msgspec.Meta(ge=rule.WINDOW_MIN, le=rule.WINDOW_MAX)] = 30.0
    """Seconds for which calls count."""
    window_calls: Annotated[int, msgspec.Meta(ge=1, le=rule.CALLS_MAX)] | None = None
    """Count the newest calls, so many of them, instead of those of the last seconds."""
    min_calls: Annotated[int, msgspec.Meta(ge=1, le=rule.CALLS_MAX)] = 20
    """Calls that it takes to judge by."""
    wait: Seconds = 10.0
    """Seconds that it stays open the first time; twice as long each time that its probes fail."""
    wait_max: Seconds = 600.0
    probes: Annotated[int, msgspec.Meta(ge=1, le=rule.PROBES_MAX)] = 5
    """Attempts that are let through at once to find out, and how many must end well."""
    probe_within: Annotated[float, msgspec.Meta(ge=rule.PROBE_MIN, le=rule.PROBE_MAX)] = 60.0
    """Seconds after which probes that have not ended count as failed."""
    witnesses: Annotated[int, msgspec.Meta(ge=1, le=rule.WITNESSES_MAX)] = 2
    """Executors that must see failures, if so many have called."""
    record: Kinds = []
    """Error classes, by name, that count as failures; empty: any error."""
    ignore: Kinds = []
    """Error classes that count for nothing; these win."""
    open_on_retry_after: bool = False
    """Whether a single `Retry-After` opens it."""


class BreakerRule(View, frozen=True, kw_only=True):
    """The rule of a breaker; shares are from 0 to 1, times in seconds."""

    failures: float
    slow: float | None
    slow_after: float | None
    window: float
    window_calls: int | None
    min_calls: int
    wait: float
    wait_max: float
    probes: int
    probe_within: float
    witnesses: int
    record: list[str]
    ignore: list[str]
    open_on_retry_after: bool


class BreakerInfo(View, frozen=True, kw_only=True):
    """A breaker, with what was counted in its window."""

    name: str
    state: Annotated[str, one_of(BreakerState)]
    since: datetime
    until: datetime | None = None
    """When it is looked at again, whatever calls say; null: when something is called, or by an operator's word."""
    reason: str = ""
    by: str = ""
    """The operator who put it into its state; empty: none did."""
    streak: int = 0
    """How often in a row it opened again before everything was let go."""
    wave: int = 0
    """Starts in a second that it lets through after it closed; 0: any number."""
    calls: int = 0
    failures: int = 0
    slow: int = 0
    epoch: int = 1
    """Grows with every change of state."""
    rule: BreakerRule


class BreakerPage(View, frozen=True):
    breakers: list[BreakerInfo]


class BreakerChange(View, frozen=True, kw_only=True):
    """A change of state, with the numbers that it was decided by."""

    epoch: int
    at: datetime
    was: Annotated[str, one_of(BreakerState)]
    state: Annotated[str, one_of(BreakerState)]
    until: datetime | None = None
    calls: int = 0
    failures: int = 0
    slow: int = 0
    reason: str = ""
    by: str = ""


class BreakerHistory(View, frozen=True):
    """Changes, the newest first."""

    changes: list[BreakerChange]


class BreakerTrialBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A rule to try on past attempts; nothing is saved."""

    rule: BreakerBody = msgspec.field(default_factory=BreakerBody)
    runs: Annotated[int, msgspec.Meta(ge=1, le=TRIAL_MAX)] = 500
    """The newest runs that have ended, shared among the jobs that name the breaker."""


class BreakerOpening(View, frozen=True, kw_only=True):
    """Once that it would have opened."""

    at: datetime
    until: datetime | None
    """When it would have closed; null: not by the last of the attempts."""
    openings: int
    """How often it would have opened until then, with those after probes that failed."""
    reason: str


class BreakerTrial(View, frozen=True, kw_only=True):
    """What a rule would have done with past attempts of the jobs that name a breaker."""

    name: str
    jobs: list[str]
    """Whose attempts were looked at; empty: none names it."""
    calls: int
    failures: int
    slow: int
    """By this rule."""
    since: datetime | None
    """When the first of them began; null: there are none."""
    until: datetime | None
    opened: list[BreakerOpening]
    """Oldest first."""
    open_seconds: float
    held: int
    """Attempts that it would have held back. When they would have come instead is not known: they are left out."""
    opened_then: int
    """How often it really opened in that time, with the rule that it had."""
    unknown: list[Annotated[str, one_of(UNKNOWN)]]
    """What the past does not tell."""


class HistoryQuery(Query):
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50


LIST_BREAKERS = Operation(
    "list_breakers",
    "GET /api/v1/breakers",
    Permission.QUEUES_READ,
    "List the circuit breakers of a namespace.",
    BreakerPage,
)
GET_BREAKER = Operation(
    "get_breaker",
    "GET /api/v1/breakers/{name}",
    Permission.QUEUES_READ,
    "Get a circuit breaker, its rule, and the calls that were counted in its window.",
    BreakerInfo,
)
GET_BREAKER_HISTORY = Operation(
    "get_breaker_history",
    "GET /api/v1/breakers/{name}/history",
    Permission.QUEUES_READ,
    "List the changes of a circuit breaker, the newest first.",
    BreakerHistory,
    query=HistoryQuery,
)
SET_BREAKER = Operation(
    "set_breaker",
    "PUT /api/v1/breakers/{name}",
    Permission.QUEUES_WRITE,
    "Define a circuit breaker, or replace its rule. Its state stays.",
    BreakerInfo,
    body=BreakerBody,
    parts={"name": BreakerName},
    repeatable=True,
)
TRY_BREAKER = Operation(
    "try_breaker",
    "POST /api/v1/breakers/{name}/what-if",
    Permission.QUEUES_READ,
    "Show what a rule would have done with the past attempts of the jobs that name a circuit breaker; change nothing.",
    BreakerTrial,
    body=BreakerTrialBody,
    parts={"name": BreakerName},
    repeatable=True,
)
DELETE_BREAKER = Operation(
    "delete_breaker",
    "DELETE /api/v1/breakers/{name}",
    Permission.QUEUES_WRITE,
    "Delete a circuit breaker that no job names.",
    type(None),
)
FORCE_BREAKER_OPEN = Operation(
    "force_breaker_open",
    "POST /api/v1/breakers/{name}/force-open",
    Permission.QUEUES_STEER,
    "Hold a circuit breaker open until an operator resumes or resets it.",
    BreakerInfo,
    body=BreakerReasonBody,
    body_optional=True,
    repeatable=True,
)
DISABLE_BREAKER = Operation(
    "disable_breaker",
    "POST /api/v1/breakers/{name}/disable",
    Permission.QUEUES_STEER,
    "Let everything through and count nothing, until an operator resumes or resets it.",
    BreakerInfo,
    body=BreakerReasonBody,
    body_optional=True,
    repeatable=True,
)
WATCH_BREAKER = Operation(
    "watch_breaker",
    "POST /api/v1/breakers/{name}/watch-only",
    Permission.QUEUES_STEER,
    "Let everything through and count it, until an operator resumes or resets it.",
    BreakerInfo,
    body=BreakerReasonBody,
    body_optional=True,
    repeatable=True,
)
RESUME_BREAKER = Operation(
    "resume_breaker",
    "POST /api/v1/breakers/{name}/resume",
    Permission.QUEUES_STEER,
    "Put a circuit breaker back into the state it had before an operator's word. Does nothing without one.",
    BreakerInfo,
    body=BreakerReasonBody,
    body_optional=True,
    repeatable=True,
)
RESET_BREAKER = Operation(
    "reset_breaker",
    "POST /api/v1/breakers/{name}/reset",
    Permission.QUEUES_STEER,
    "Close a circuit breaker, forget what was counted, and let everything go.",
    BreakerInfo,
    body=BreakerReasonBody,
    body_optional=True,
    repeatable=True,
)
