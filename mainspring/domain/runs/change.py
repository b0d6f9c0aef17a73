"""Changes of runs that have not started: their priority, their due time or their queue."""

from datetime import datetime

import msgspec

from mainspring.domain.names import check_queue_name
from mainspring.domain.runs.run import RunState, WaitReason, check_due, check_priority
from mainspring.errors import InvalidInputError


class RunChange(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be another; None: it stays."""

    priority: int | None = None
    due_at: datetime | None = None
    queue: str | None = None


def check_change(change: RunChange, now: datetime) -> None:
    """Raises InvalidInputError."""
    if change == RunChange():
        raise InvalidInputError("priority", "say another priority, due time or queue", code="no_change")
    if change.priority is not None:
        check_priority(change.priority)
    if change.due_at is not None:
        check_due(change.due_at, now)
    if change.queue is not None:
        check_queue_name(change.queue)


def may_change(state: RunState, reason: str | None) -> bool:
    """Whether a run only waits for its turn: it is queued, or in a lane."""
    return state is RunState.QUEUED or (state is RunState.WAITING and reason == WaitReason.LIMIT)
