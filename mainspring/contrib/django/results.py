"""Runs as the framework's results."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils import timezone

from mainspring.contract.runs import AttemptInfo, RunError, RunInfo
from mainspring.contrib.django.call import DjangoCall, find
from mainspring.contrib.django.framework import Task, TaskError, TaskResult, TaskResultStatus
from mainspring.domain.ids import born_at_millis

STATES: dict[str, Any] = {
    "queued": TaskResultStatus.READY,
    "waiting": TaskResultStatus.READY,
    "running": TaskResultStatus.RUNNING,
    "succeeded": TaskResultStatus.SUCCESSFUL,
}
"""States that are not listed are final and unsuccessful."""

OTHER_ERROR = "mainspring.errors.RunFailedError"
"""Stands for failures without an exception of the function, such as a lost executor."""


def new_result(call: DjangoCall, task: "Task[Any, Any]", run: str) -> "TaskResult[Any]":
    return TaskResult(
        task=task,
        id=run,
        status=STATES["queued"],
        enqueued_at=shown(accepted_at(run)),
        started_at=None,
        finished_at=None,
        last_attempted_at=None,
        args=call.args,
        kwargs=call.kwargs,
        backend=call.backend,
        errors=[],
        worker_ids=[],
    )


def accepted_at(run: str) -> datetime:
    """The instant that the id carries, so that every process shows the same one."""
    return datetime.fromtimestamp(born_at_millis(UUID(run).bytes) / 1000, UTC)


def read_result(run: RunInfo, attempts: Sequence[AttemptInfo]) -> "TaskResult[Any]":
    """`attempts` are those that did not succeed. Raises ValidationError if the run is not one of the framework's."""
    call = msgspec.convert(run.input, DjangoCall)
    result = new_result(call, as_enqueued(call, run), run.id)
    starts = [attempt.started_at for attempt in attempts if attempt.started_at] + [run.started_at]
    names = [attempt.executor for attempt in attempts]
    over = {
        "status": STATES.get(run.state, TaskResultStatus.FAILED),
        "started_at": shown(starts[0]),
        "last_attempted_at": shown(starts[-1]),
        "finished_at": shown(run.finished_at),
        "errors": [as_error(attempt.error) for attempt in attempts if attempt.error is not None],
        "worker_ids": [*names, *[run.executor or ""] * (run.attempt - len(names))],
        "_return_value": run.result,
    }
    for name, value in over.items():
        object.__setattr__(result, name, value)
    return result


def as_enqueued(call: DjangoCall, run: RunInfo) -> "Task[Any, Any]":
    after = shown(run.due_at) if run.due_at > run.created_at and run.attempt == 0 else None
    return find(call.path).using(priority=call.priority, queue_name=run.queue, run_after=after, backend=call.backend)


def as_error(error: RunError) -> TaskError:
    return TaskError(exception_class_path=class_path(error), traceback=error.traceback or error.message)


def class_path(error: RunError) -> str:
    """Where the class can be imported from: the last line of a traceback names it in full."""
    named = re.findall(rf"^([\w.]*\b{re.escape(error.error)})(?::|$)", error.traceback, re.MULTILINE)
    if not named:
        return OTHER_ERROR
    return str(named[-1]) if "." in named[-1] else f"builtins.{named[-1]}"


def shown(instant: datetime | None) -> datetime | None:
    """As the project writes instants."""
    if instant is None or settings.USE_TZ or timezone.is_naive(instant):
        return instant
    naive: datetime = timezone.make_naive(instant)
    return naive
