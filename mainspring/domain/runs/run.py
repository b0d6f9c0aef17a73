"""A run: one intended execution of a job with fixed input."""

from datetime import datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Annotated

import msgspec

from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.runs.log import Progress
from mainspring.domain.years import check_years
from mainspring.errors import InvalidInputError

PRIORITY_MIN, PRIORITY_DEFAULT, PRIORITY_MAX = 0, 5, 9
"""Higher is more urgent."""

INPUT_MAX = 256 * 1024
INPUT_DEPTH_MAX = 64
RESULT_MAX = 1024 * 1024
DUE_MAX = timedelta(days=3653)
KEY_MAX = 255
ERROR_MAX, CODE_MAX = 300, 100
MESSAGE_MAX, TRACEBACK_MAX = 4 * 1024, 16 * 1024
"""Of the texts of a failure."""
SUSPENSION_REASON_MAX = 500


class RunState(IntEnum):
    """A run's state; the store keeps the numbers."""

    WAITING = 0
    QUEUED = 1
    RUNNING = 2
    SUCCEEDED = 3
    FAILED = 4
    CANCELLED = 5
    SKIPPED = 6

    @property
    def final(self) -> bool:
        return self >= RunState.SUCCEEDED

    @property
    def label(self) -> str:
        return self.name.lower()


class WaitReason(StrEnum):
    """Why a run is not claimable."""

    NO_EXECUTOR = "no_executor"
    CORDONED = "cordoned"
    """Only executors that are to take nothing new could take it."""
    STUCK = "stuck"
    """No slot of the pool that runs its handler is of use any more."""
    PAUSED = "paused"
    LIMIT = "limit"
    BREAKER = "breaker"
    SUSPENDED = "suspended"
    LOST = "lost"
    """Its attempt was lost, and its job leaves it to people whether to repeat it."""
    STEPS = "steps"
    """A workflow run that waits for its steps."""
    STOPPING = "stopping"
    """The same once its deadline has come: its steps are being stopped."""
    APPROVAL = "approval"
    EVENT = "event"
    SLEEP = "sleep"


class NewRun(msgspec.Struct, kw_only=True):
    """A run about to be accepted; with a token it is created already claimed."""

    id: RunId
    job: int
    line: int
    priority: int
    due_at: datetime
    input: bytes
    key: str | None = None
    digest: bytes | None = None
    """Of job and input, to tell a repeated request from a key used for something else."""
    token: Token | None = None
    session: SessionId | None = None
    deadline_at: datetime | None = None
    extra: bytes | None = None
    """Labels, tags and who asked; see `domain/metadata.py`."""
    marks: tuple[str, ...] = ()
    """What it is found by."""


class KeyHolder(msgspec.Struct, frozen=True):
    """Who holds an idempotency key, and for which request."""

    run: RunId
    digest: bytes


class Failure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An attempt that did not succeed, as operators read it."""

    error: str
    """The error's class, or where no code of a handler had a say, the code again."""
    message: str = ""
    traceback: str = ""
    code: str = "error"
    """Stable: `error` is the handler's own; see docs/guides/failures.md for the others."""


class Suspension(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a run is set aside, and until when."""

    reason: str = ""
    resume_at: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    """None: until a caller resumes it."""
    waits: bytes = b""
    """The waits of its handler, as JSON (`domain/waits/handler.py`); the run goes on once all of it has come."""


class Parking(msgspec.Struct, frozen=True):
    """The breaker that a run waits for because its handler found it open."""

    breaker: str
    epoch: int = 0
    """Of the breaker, as the executor knew it; 0: it opened on that executor alone."""
    until: datetime | None = None
    """When the run goes on at the latest, unless the breaker keeps it for longer."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """The record of an attempt that did not succeed."""

    number: int
    outcome: str
    executor: str
    started_at: datetime | None
    ended_at: datetime
    failure: Failure | None
    host: str = ""
    code_version: str = ""
    duration: float | None = None
    """Seconds that the handler took; None if nobody can tell."""
    beside: tuple[RunId, ...] = ()
    """Of a lost one: some of the runs that the same executor had at that time."""


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A run as people see it, live or from history."""

    id: RunId
    namespace: str
    job: str
    queue: str
    handler: str
    priority: int
    state: RunState
    reason: str | None
    attempt: int
    failures: int
    losses: int
    due_at: datetime
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    executor: str | None
    input: bytes | None
    """None where bodies were not asked for, or this one is too large for a list."""
    result: bytes | None
    failure: Failure | None
    key: str | None = None
    deadline_at: datetime | None = None
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    created_by: str | None = None
    parent: RunId | None = None
    """The run whose handler asked for this one."""
    progress: Progress | None = None
    suspension: Suspension | None = None
    start_by: datetime | None = None
    trigger: str | None = None
    """Whose run it is,"""
    fire_at: datetime | None = None
    """and the instant that it is the run of; None: the trigger was called, or told to fire."""
    backfill: str | None = None
    """What made it for an instant that lay behind."""
    trace: str | None = None
    """The trace that it was enqueued in."""
    workflow: RunId | None = None
    """The workflow run whose step it is,"""
    step: str | None = None
    item: int | None = None
    """and of a map, the number of its item."""


def check_priority(priority: int) -> int:
    if not PRIORITY_MIN <= priority <= PRIORITY_MAX:
        reason = f"{priority} is outside {PRIORITY_MIN} (least urgent) to {PRIORITY_MAX} (most urgent)"
        raise InvalidInputError("priority", reason, code="bad_priority")
    return priority


def check_due(due_at: datetime, now: datetime) -> datetime:
    if due_at.tzinfo is None:
        raise InvalidInputError("due_at", "needs a UTC offset, such as 2030-01-01T09:00:00Z", code="bad_due_at")
    check_years(due_at, "due_at", code="bad_due_at")
    if due_at - now > DUE_MAX:
        raise InvalidInputError("due_at", "is more than 10 years ahead", code="bad_due_at")
    return due_at
