"""A change that a console shows as it happens."""

from datetime import datetime
from enum import StrEnum

import msgspec


class ChangeKind(StrEnum):
    """The kind of a change; each has its own content."""

    RUNS_SETTLED = "runs.settled"
    """How many runs of a queue ended since the last word on it: `jobs` leads from job to state to number."""
    QUEUE_DEPTH = "queue.depth"
    """What stands in a queue was counted, and is not what it was."""
    QUEUE_PAUSED = "queue.paused"
    QUEUE_RESUMED = "queue.resumed"
    QUEUE_BUDGET = "queue.budget"
    """Of a queue, or of the namespace if no queue is named."""
    EXECUTOR_ATTACHED = "executor.attached"
    EXECUTOR_LEFT = "executor.left"
    JOB_CHANGED = "job.changed"
    TRIGGER_PAUSED = "trigger.paused"
    """It paused by itself, because its runs failed."""
    TRIGGER_OVERDUE = "trigger.overdue"
    """An instant that was expected has not come: nobody has moved the trigger on."""
    FIRE_SKIPPED = "fire.skipped"
    """Instants came and have no run."""


class FeedChange(msgspec.Struct, frozen=True, kw_only=True):
    """Something happened in a namespace."""

    position: int
    """Counts changes on one server, from 1."""
    at: datetime
    kind: ChangeKind
    namespace: str
    queue: str | None = None
    jobs: tuple[str, ...] = ()
    """Which it is about, for those who want to hear of one only."""
    content: dict[str, object]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The changes that a follower asks for; an empty filter excludes nothing."""

    namespace: str
    kinds: frozenset[ChangeKind] = frozenset()
    queue: str | None = None
    job: str | None = None

    def takes(self, change: FeedChange) -> bool:
        return (
            change.namespace == self.namespace
            and (not self.kinds or change.kind in self.kinds)
            and (self.queue is None or change.queue == self.queue)
            and (self.job is None or self.job in change.jobs)
        )


class GapReason(StrEnum):
    SLOW = "slow"
    """The reader fell so far behind that changes were dropped."""
    UNKNOWN = "unknown"
    """Where the reader stopped before is not known here, or too long ago."""


class FeedGap(msgspec.Struct, frozen=True):
    """Changes were missed here: the follower has to read again."""

    position: int
    """From where on nothing is missed."""
    reason: GapReason
