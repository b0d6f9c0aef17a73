"""Jobs as classes, for those who prefer them to functions."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Literal

from mainspring.app.class_handles import (
    ClassArgumentsOf,
    ClassAsStep,
    ClassCall,
    ClassDefinition,
    ClassEnqueue,
    ClassEnqueueIn,
    ClassEnqueueInSync,
    ClassEnqueueSync,
    ClassHandle,
    ClassMap,
    ClassOptions,
    ClassReadResult,
    ClassStep,
)
from mainspring.app.triggers import Length, Trigger
from mainspring.domain.jobs.job import LOSSES_MAX, OnLost, Pool, RetryPolicy
from mainspring.domain.limits.policy import Blocking, Debounce, Fair, KeptHistory, Keys, Limit, Policy, Rate, Throttle
from mainspring.domain.routing.canary import Canary
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.run import PRIORITY_DEFAULT


class Job:
    """Derive from this, write `run`, plain or async, and give the class to `@app.job`.

    Each process that runs the job makes one instance. Parameters of its constructor are injected.
    """

    name: ClassVar[str | None] = None
    """The job's name; None: derived from the class's name."""
    queue: ClassVar[str] = "default"
    priority: ClassVar[int] = PRIORITY_DEFAULT
    retry: ClassVar[RetryPolicy] = RetryPolicy()
    pool: ClassVar[Pool | None] = None
    timeout: ClassVar[float | timedelta | None] = None
    deadline: ClassVar[float | timedelta | None] = None
    start_within: ClassVar[float | timedelta | None] = None
    on_lost: ClassVar[OnLost | Literal["retry", "fail", "ask"]] = OnLost.RETRY
    losses_max: ClassVar[int] = LOSSES_MAX
    cron: ClassVar[str | Sequence[str] | None] = None
    zone: ClassVar[str | None] = None
    every: ClassVar[Length | None] = None
    triggers: ClassVar[Sequence[Trigger]] = ()
    at_once: ClassVar[int | None] = None
    limit_key: ClassVar[Keys] = ()
    limits: ClassVar[Sequence[Limit | str]] = ()
    rate: ClassVar[Rate | str | None] = None
    blocking: ClassVar[Blocking | Literal["queue", "latest", "discard", "replace"]] = Blocking.QUEUE
    debounce: ClassVar[Debounce | str | float | timedelta | None] = None
    throttle: ClassVar[Throttle | str | None] = None
    executor_limit: ClassVar[int | None] = None
    fair: ClassVar[Fair | str | None] = None
    weight: ClassVar[float | None] = None
    route: ClassVar[Route | str] = Route()
    requires: ClassVar[Sequence[str]] = ()
    prefers: ClassVar[Sequence[str]] = ()
    uses: ClassVar[Mapping[str, float | str]] = {}
    runs_on: ClassVar[str] = ""
    breaker: ClassVar[str] = ""
    stop_when_open: ClassVar[bool] = False
    blackout: ClassVar[str] = ""
    canary: ClassVar[Canary | None] = None
    history: ClassVar[KeptHistory | Literal["all", "failures", "none"]] = KeptHistory.ALL
    slices: ClassVar[int | None] = None
    settle_by: ClassVar[Literal["all", "any"] | int] = "all"

    options = ClassOptions()
    call = ClassCall()
    enqueue = ClassEnqueue()
    enqueue_sync = ClassEnqueueSync()
    enqueue_in = ClassEnqueueIn()
    enqueue_in_sync = ClassEnqueueInSync()
    step = ClassStep()
    map = ClassMap()
    as_step = ClassAsStep()
    arguments_of = ClassArgumentsOf()
    read_result = ClassReadResult()
    definition = ClassDefinition()
    handle = ClassHandle()
    """All of the above is the handle's."""


def options_of(kind: type[Job]) -> dict[str, Any]:
    """The class's options, as `@app.job(…)` would take them."""
    return {
        "name": kind.name,
        "queue": kind.queue,
        "priority": kind.priority,
        "retry": kind.retry,
        "pool": kind.pool,
        "timeout": kind.timeout,
        "deadline": kind.deadline,
        "start_within": kind.start_within,
        "on_lost": kind.on_lost,
        "losses_max": kind.losses_max,
        "cron": kind.cron,
        "zone": kind.zone,
        "every": kind.every,
        "triggers": kind.triggers,
        **{field: getattr(kind, field) for field in Policy.__struct_fields__},
    }
