"""Operations of queues, and their bodies."""

from typing import Annotated

import msgspec

from mainspring.contract.base.fields import NamespaceName, PageLimit, Reason
from mainspring.contract.base.operation import EmptyBody, Operation, Query
from mainspring.contract.base.view import one_of
from mainspring.contract.queues import (
    JobFigures,
    NamespaceBudget,
    NamespacePolicyInfo,
    QueueInfo,
    QueuePage,
    QueueScaling,
    RatesInfo,
)
from mainspring.domain.access.permissions import Permission
from mainspring.domain.names import QUEUE_MAX, WORD
from mainspring.domain.queues.policy import LENGTH_MAX, LENGTH_MIN, WEIGHT_MAX, WEIGHT_MIN, WhenFull
from mainspring.domain.queues.queue import BUDGET_MAX
from mainspring.domain.queues.rollup import Resolution
from mainspring.domain.queues.scaling import SLOTS_MAX, WITHIN_MAX

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET
MaxQueued = Annotated[int, msgspec.Meta(ge=0, le=BUDGET_MAX)] | None


PolicyLength = Annotated[float, msgspec.Meta(ge=LENGTH_MIN, le=LENGTH_MAX)]
Weight = Annotated[float, msgspec.Meta(ge=WEIGHT_MIN, le=WEIGHT_MAX)]
CalendarName = Annotated[str, msgspec.Meta(max_length=QUEUE_MAX, extra_json_schema={"pattern": f"^({WORD.pattern})?$"})]


class PauseBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    reason: Reason = ""
    lasts: PolicyLength | None = None
    """Seconds after which it ends by itself; null: by an operator's word alone."""
    new: bool = False
    """Create the queue if no run has used that name; otherwise an unknown name is refused."""


class BudgetBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    max_queued: MaxQueued
    """How many accepted runs may wait; null for any number."""
    new: bool = False


class QueuePolicyBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The fields that are given are changed; null takes a rule away."""

    ageing: PolicyLength | Unset | None = UNSET
    """Seconds after which a due run is old: half of all starts go to old runs, whatever their priority."""
    hurry: PolicyLength | Unset | None = UNSET
    """Seconds before its deadline from which a run goes before the others of its priority, the earliest deadline first."""
    late_after: PolicyLength | Unset | None = UNSET
    """Seconds after which a due run makes the queue late: it then gets more of the slots that it shares with other queues."""
    blackout: CalendarName | Unset = UNSET
    """The calendar by which nothing starts on days that do not count and in its blackouts; empty: none."""
    when_full: WhenFull | Unset = UNSET
    """What becomes of requests for runs over the budget: refused, or held until there is room, up to 10 seconds."""
    weight: Weight | Unset | None = UNSET
    """Its part of the slots that it shares with the other queues of its namespace; null: 1."""
    new: bool = False


class NamespacePolicyBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    blackout: CalendarName | Unset = UNSET
    """As of a queue, for all of the namespace's runs."""
    when_full: WhenFull | Unset = UNSET
    weight: Weight | Unset | None = UNSET
    """How often its runs are claimed beside those of other namespaces; null: 1."""


class NamespaceBudgetBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    max_queued: MaxQueued


NewQueueName = Annotated[str, msgspec.Meta(max_length=QUEUE_MAX, extra_json_schema={"pattern": f"^{WORD.pattern}$"})]
RateSteps = Annotated[int, msgspec.Meta(ge=1, le=1440, description="Number of steps, the current one included.")]


class QueueQuery(Query):
    limit: PageLimit = 100
    cursor: str | None = None


class FiguresQuery(Query):
    step: Annotated[str, one_of(step.label for step in Resolution)] = "hour"
    steps: RateSteps = 24


class RatesQuery(Query):
    step: Annotated[str, one_of(step.label for step in Resolution)] = "minute"
    steps: RateSteps = 60
    job: str | None = None


ExecutorSlots = Annotated[int, msgspec.Meta(ge=1, le=SLOTS_MAX, description="Attempts that one executor runs at once.")]
Within = Annotated[
    float, msgspec.Meta(gt=0, le=WITHIN_MAX, description="Seconds in which a backlog is to be worked off.")
]


class ScalingQuery(Query):
    slots: ExecutorSlots = 1
    within: Within = 60.0


class ScalingOfQuery(Query):
    queues: Annotated[
        str, msgspec.Meta(min_length=1, max_length=10_000, description="Queues, with commas between them.")
    ]
    slots: ExecutorSlots = 1
    within: Within = 60.0


LIST_QUEUES = Operation(
    "list_queues",
    "GET /api/v1/queues",
    Permission.QUEUES_READ,
    "List queues by name, each with its latest counts.",
    QueuePage,
    query=QueueQuery,
)
GET_QUEUE = Operation(
    "get_queue",
    "GET /api/v1/queues/{name}",
    Permission.QUEUES_READ,
    "Get a queue with its latest counts.",
    QueueInfo,
)
GET_RATES = Operation(
    "get_rates",
    "GET /api/v1/queues/{name}/rates",
    Permission.QUEUES_READ,
    "Count the finished runs of a queue per minute (kept for 7 days) or per hour (kept for a year).",
    RatesInfo,
    query=RatesQuery,
)
GET_NAMESPACE_RATES = Operation(
    "get_namespace_rates",
    "GET /api/v1/rates",
    Permission.QUEUES_READ,
    "Count the finished runs of all queues per minute (kept for 7 days) or per hour (kept for a year).",
    RatesInfo,
    query=RatesQuery,
    tag="queues",
)
GET_JOB_FIGURES = Operation(
    "get_job_figures",
    "GET /api/v1/rates/jobs",
    Permission.QUEUES_READ,
    "Count the finished runs of each job over the last minutes or hours, with how long they waited and took.",
    JobFigures,
    query=FiguresQuery,
    tag="queues",
)
GET_SCALING = Operation(
    "get_scaling",
    "GET /api/v1/queues/{name}/scaling",
    Permission.QUEUES_READ,
    "Get the few numbers that an autoscaler needs.",
    QueueScaling,
    query=ScalingQuery,
)
GET_SCALING_OF = Operation(
    "get_scaling_of",
    "GET /api/v1/scaling",
    Permission.SCALING_READ,
    "Get the numbers for an autoscaler of executors that take runs from several queues, added up. Unknown queues are empty.",
    QueueScaling,
    query=ScalingOfQuery,
    tag="queues",
)
PAUSE_QUEUE = Operation(
    "pause_queue",
    "POST /api/v1/queues/{name}/pause",
    Permission.QUEUES_STEER,
    "Stop starting runs of a queue. Running attempts continue, and new runs are still accepted.",
    QueueInfo,
    body=PauseBody,
    body_optional=True,
    parts={"name": NewQueueName},
)
RESUME_QUEUE = Operation(
    "resume_queue",
    "POST /api/v1/queues/{name}/resume",
    Permission.QUEUES_STEER,
    "End the pause of a queue. Does nothing if the queue is not paused.",
    QueueInfo,
    body=EmptyBody,
    body_optional=True,
)
SET_BUDGET = Operation(
    "set_budget",
    "PUT /api/v1/queues/{name}/budget",
    Permission.QUEUES_WRITE,
    "Limit how many accepted runs may wait in a queue. Requests over the limit are answered 429.",
    QueueInfo,
    body=BudgetBody,
    parts={"name": NewQueueName},
    repeatable=True,
)
CHANGE_QUEUE = Operation(
    "change_queue",
    "PATCH /api/v1/queues/{name}",
    Permission.QUEUES_WRITE,
    "Change the order in which the runs of a queue start, and when none does. It counts at once, also for runs that wait.",
    QueueInfo,
    body=QueuePolicyBody,
    parts={"name": NewQueueName},
    repeatable=True,
)
CHANGE_NAMESPACE = Operation(
    "change_namespace",
    "PATCH /api/v1/namespaces/{name}/policy",
    Permission.NAMESPACES_WRITE,
    "Change when no run of a namespace starts, and the answer to requests over its budget.",
    NamespacePolicyInfo,
    body=NamespacePolicyBody,
    parts={"name": NamespaceName},
    tag="queues",
    repeatable=True,
)
GET_NAMESPACE_BUDGET = Operation(
    "get_namespace_budget",
    "GET /api/v1/namespaces/{name}/budget",
    Permission.NAMESPACES_READ,
    "Get how many accepted runs may wait in all queues of a namespace together.",
    NamespaceBudget,
    parts={"name": NamespaceName},
    tag="queues",
)
SET_NAMESPACE_BUDGET = Operation(
    "set_namespace_budget",
    "PUT /api/v1/namespaces/{name}/budget",
    Permission.NAMESPACES_WRITE,
    "Set or remove the budget of a namespace. Requests for runs over the budget are answered 429.",
    NamespaceBudget,
    body=NamespaceBudgetBody,
    parts={"name": NamespaceName},
    tag="queues",
    repeatable=True,
)
