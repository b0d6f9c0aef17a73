"""Limits, pauses, maintenance, and the reasons why a run is not running: bodies, views and operations."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from mainspring.contract.base.fields import IdText, NamespaceName, Reason
from mainspring.contract.base.operation import EmptyBody, Operation
from mainspring.contract.base.view import View, one_of
from mainspring.contract.jobs import JobInfo
from mainspring.domain.access.permissions import Permission
from mainspring.domain.limits.bucket import BURST_MAX, RATE
from mainspring.domain.limits.gates import Scope
from mainspring.domain.limits.rules import AT_ONCE_MAX
from mainspring.domain.names import QUEUE_MAX, WORD
from mainspring.domain.queues.policy import LENGTH_MAX, LENGTH_MIN, WEIGHT_MAX, WEIGHT_MIN


class StopBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""


class StopNamespaceBody(StopBody, kw_only=True, forbid_unknown_fields=True):
    lasts: Annotated[float, msgspec.Meta(ge=LENGTH_MIN, le=LENGTH_MAX)] | None = None
    """Seconds after which it ends by itself; null: by an operator's word alone."""


class MaintenanceBody(StopNamespaceBody, kw_only=True, forbid_unknown_fields=True):
    on: bool
    """Whether the cluster accepts runs and starts none."""


class PauseInfo(View, frozen=True, kw_only=True):
    """A pause of a namespace or the cluster; null fields if there is none."""

    paused: bool
    reason: str | None = None
    by: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """When it ends by itself; null: by an operator's word alone."""


class ObstacleInfo(View, frozen=True, kw_only=True):
    """One reason why a run is not running, or a trigger has not fired."""

    code: str
    """Stable."""
    text: str
    remedy: str = ""
    """The command that would remove it; empty if there is none."""
    since: datetime | None = None
    until: datetime | None = None
    """When it ends by itself, as far as that is known."""
    facts: dict[str, Any] = {}


class WhyInfo(View, frozen=True):
    """Reasons, the weightiest first."""

    of: str
    """The run's id, or the trigger's name."""
    state: str
    reasons: list[ObstacleInfo]


AtOnce = Annotated[int, msgspec.Meta(ge=1, le=AT_ONCE_MAX)]
RateText = Annotated[
    str, msgspec.Meta(description="Such as 100/s, 30/m or 500/10m.", extra_json_schema={"pattern": f"^{RATE.pattern}$"})
]
LimitName = Annotated[str, msgspec.Meta(max_length=QUEUE_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})]


class LimitBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    at_once: AtOnce | None = None
    """How many attempts may be under way at once; null: any number."""
    rate: RateText | None = None
    """How many attempts may start in a time; null: any number."""
    burst: Annotated[int, msgspec.Meta(ge=1, le=BURST_MAX)] | None = None
    """How many may start together; null: as many as start in 20 ms, at least one."""
    key: tuple[str, ...] = ()
    """Places in the input, such as `customer`: of each key so many. Only of limits with a name."""


class KeyBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    at_once: AtOnce | None = None
    """How many attempts of this key may be under way at once; null: as many as of any other."""
    weight: Annotated[float, msgspec.Meta(ge=WEIGHT_MIN, le=WEIGHT_MAX)] = 1.0
    """Its part where keys take turns."""


class KeyInfo(View, frozen=True, kw_only=True):
    """One key of a limit, a rate or a share."""

    key: str
    at_once: int | None = None
    weight: float = 1.0
    held: int = 0
    """Attempts under way."""
    waiting: int = 0


class KeyPage(View, frozen=True):
    keys: list[KeyInfo]


class LimitInfo(View, frozen=True, kw_only=True):
    """A limit of a queue, of a namespace, or under a name that jobs share."""

    scope: Annotated[str, one_of((Scope.QUEUE, Scope.NAMESPACE, Scope.NAMED))]
    name: str
    at_once: int | None = None
    rate: str | None = None
    burst: int | None = None
    key: tuple[str, ...] = ()
    held: int = 0
    """Attempts under way through it."""
    opens_at: datetime | None = None
    """When its rate lets the next attempt start; null: now."""
    revision: int = 1
    updated_at: datetime | None = None


class LimitPage(View, frozen=True):
    limits: list[LimitInfo]


LIST_LIMITS = Operation(
    "list_limits",
    "GET /api/v1/limits",
    Permission.QUEUES_READ,
    "List the limits of a namespace, of its queues, and those that jobs share by name.",
    LimitPage,
)
GET_LIMIT = Operation(
    "get_limit",
    "GET /api/v1/limits/{name}",
    Permission.QUEUES_READ,
    "Get a limit that jobs share by name, and how much of it is taken.",
    LimitInfo,
)
SET_LIMIT = Operation(
    "set_limit",
    "PUT /api/v1/limits/{name}",
    Permission.QUEUES_WRITE,
    "Set a limit that any number of jobs may name. It counts at once, also for runs that wait.",
    LimitInfo,
    body=LimitBody,
    parts={"name": LimitName},
    repeatable=True,
)
DELETE_LIMIT = Operation(
    "delete_limit",
    "DELETE /api/v1/limits/{name}",
    Permission.QUEUES_WRITE,
    "Delete a limit that no job names.",
    type(None),
)
LIST_JOB_KEYS = Operation(
    "list_job_keys",
    "GET /api/v1/jobs/{name}/keys",
    Permission.QUEUES_READ,
    "List keys of a job's limit, rate or share, with the attempts under way and the runs that wait.",
    KeyPage,
)
SET_JOB_KEY = Operation(
    "set_job_key",
    "PUT /api/v1/jobs/{name}/keys/{key}",
    Permission.QUEUES_WRITE,
    "Give one key of a job a limit and a weight of its own. It counts at once, also for runs that wait.",
    KeyInfo,
    body=KeyBody,
    repeatable=True,
)
LIST_LIMIT_KEYS = Operation(
    "list_limit_keys",
    "GET /api/v1/limits/{name}/keys",
    Permission.QUEUES_READ,
    "List keys of a limit that jobs share, with the attempts under way and the runs that wait.",
    KeyPage,
)
SET_LIMIT_KEY = Operation(
    "set_limit_key",
    "PUT /api/v1/limits/{name}/keys/{key}",
    Permission.QUEUES_WRITE,
    "Give one key of a shared limit a number of its own. It counts at once, also for runs that wait.",
    KeyInfo,
    body=KeyBody,
    repeatable=True,
)
SET_QUEUE_LIMIT = Operation(
    "set_queue_limit",
    "PUT /api/v1/queues/{name}/limit",
    Permission.QUEUES_WRITE,
    "Limit how many attempts of a queue's runs may be under way at once, and how fast they start.",
    LimitInfo,
    body=LimitBody,
    parts={"name": LimitName},
    repeatable=True,
)
DELETE_QUEUE_LIMIT = Operation(
    "delete_queue_limit",
    "DELETE /api/v1/queues/{name}/limit",
    Permission.QUEUES_WRITE,
    "Remove the limit of a queue.",
    type(None),
)
SET_NAMESPACE_LIMIT = Operation(
    "set_namespace_limit",
    "PUT /api/v1/namespaces/{name}/limit",
    Permission.NAMESPACES_WRITE,
    "Limit how many attempts of a namespace's runs may be under way at once, and how fast they start.",
    LimitInfo,
    body=LimitBody,
    parts={"name": NamespaceName},
    repeatable=True,
)
DELETE_NAMESPACE_LIMIT = Operation(
    "delete_namespace_limit",
    "DELETE /api/v1/namespaces/{name}/limit",
    Permission.NAMESPACES_WRITE,
    "Remove the limit of a namespace.",
    type(None),
    parts={"name": NamespaceName},
)
EXPLAIN_RUN = Operation(
    "explain_run",
    "GET /api/v1/runs/{id}/why",
    Permission.RUNS_READ,
    "Explain why a run is not running, the weightiest reason first, by the rules that dispatch follows.",
    WhyInfo,
    parts={"id": IdText},
)
EXPLAIN_TRIGGER = Operation(
    "explain_trigger",
    "GET /api/v1/triggers/{name}/why",
    Permission.TRIGGERS_READ,
    "Explain why a trigger has not fired, the weightiest reason first.",
    WhyInfo,
)
PAUSE_JOB = Operation(
    "pause_job",
    "POST /api/v1/jobs/{name}/pause",
    Permission.QUEUES_STEER,
    "Stop starting runs of a job. Running attempts continue, and new runs are still accepted.",
    JobInfo,
    body=StopBody,
    body_optional=True,
    repeatable=True,
)
RESUME_JOB = Operation(
    "resume_job",
    "POST /api/v1/jobs/{name}/resume",
    Permission.QUEUES_STEER,
    "End the pause of a job. Does nothing if the job is not paused.",
    JobInfo,
    body=EmptyBody,
    body_optional=True,
    repeatable=True,
)
PAUSE_NAMESPACE = Operation(
    "pause_namespace",
    "POST /api/v1/namespaces/{name}/pause",
    Permission.NAMESPACES_WRITE,
    "Stop starting runs of a namespace. Running attempts continue, and new runs are still accepted.",
    PauseInfo,
    body=StopNamespaceBody,
    body_optional=True,
    parts={"name": NamespaceName},
    repeatable=True,
)
RESUME_NAMESPACE = Operation(
    "resume_namespace",
    "POST /api/v1/namespaces/{name}/resume",
    Permission.NAMESPACES_WRITE,
    "End the pause of a namespace. Does nothing if the namespace is not paused.",
    PauseInfo,
    body=EmptyBody,
    body_optional=True,
    parts={"name": NamespaceName},
    repeatable=True,
)
GET_MAINTENANCE = Operation(
    "get_maintenance",
    "GET /api/v1/maintenance",
    Permission.QUEUES_READ,
    "Get whether the cluster accepts runs and starts none.",
    PauseInfo,
)
SET_MAINTENANCE = Operation(
    "set_maintenance",
    "PUT /api/v1/maintenance",
    Permission.NAMESPACES_WRITE,
    "Accept runs and start none in the whole cluster, or start them again.",
    PauseInfo,
    body=MaintenanceBody,
    repeatable=True,
)
