"""Jobs as classes, for those who prefer them to functions."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, ClassVar, Literal

from mainspring.app.class_handles import (
    ClassCall,
    ClassEnqueue,
    ClassEnqueueIn,
    ClassEnqueueInSync,
    ClassEnqueueSync,
    ClassHandle,
    ClassOptions,
)
from mainspring.app.triggers import Length, Trigger
from mainspring.domain.jobs.job import LOSSES_MAX, OnLost, Pool, RetryPolicy
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

    options = ClassOptions()
    call = ClassCall()
    enqueue = ClassEnqueue()
    enqueue_sync = ClassEnqueueSync()
    enqueue_in = ClassEnqueueIn()
    enqueue_in_sync = ClassEnqueueInSync()
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
    }
