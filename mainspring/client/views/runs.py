"""Runs as a client sees them."""

from datetime import datetime
from typing import Any

import msgspec

FINAL = frozenset({"succeeded", "failed", "cancelled", "skipped"})


class RunError(msgspec.Struct, frozen=True, rename={"error": "class"}):
    """What the last attempt that did not succeed said."""

    error: str
    message: str
    traceback: str
    code: str = "error"
    """Stable: `error` is the handler's own."""


class RunProgress(msgspec.Struct, frozen=True):
    fraction: float
    note: str


class RunSuspension(msgspec.Struct, frozen=True):
    """Why a run is set aside, or is to be, and until when."""

    reason: str
    resume_at: datetime | None = None
    """None: until somebody resumes it."""


class RunDiscard(msgspec.Struct, frozen=True):
    """Somebody's word that nothing is to be done about a run that failed."""

    at: datetime
    by: str
    reason: str = ""


class RunInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A run at the moment it was asked for."""

    id: str
    namespace: str
    job: str
    queue: str
    priority: int
    state: str
    reason: str | None = None
    attempt: int
    failures: int
    losses: int
    due_at: datetime
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    executor: str | None = None
    input: dict[str, Any] = {}
    result: Any = None
    error: RunError | None = None
    key: str | None = None
    deadline: datetime | None = None
    start_by: datetime | None = None
    """When it fails, or would have, if nobody had started it."""
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    created_by: str | None = None
    """The name of the token that asked for it."""
    parent: str | None = None
    """The run whose handler asked for it."""
    trigger: str | None = None
    """Whose run it is,"""
    fire_at: datetime | None = None
    """and the instant that it is the run of; None: the trigger was called, or told to fire."""
    backfill: str | None = None
    """What made it for an instant that lay behind."""
    why: str | None = None
    """Why it stands where it stands, and what ends that; None once it is over."""
    until: datetime | None = None
    """When that ends at the latest; None: only by what `why` names."""
    progress: RunProgress | None = None
    suspension: RunSuspension | None = None
    discarded: RunDiscard | None = None

    @property
    def final(self) -> bool:
        return self.state in FINAL


class RunPage(msgspec.Struct, frozen=True):
    """Some runs, newest first; `next` is the cursor of the page behind."""

    runs: list[RunInfo]
    next: str | None


class AttemptInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that did not succeed."""

    number: int
    outcome: str
    executor: str
    started_at: datetime | None
    ended_at: datetime
    error: RunError | None
    job: str = ""
    host: str = ""
    code_version: str = ""
    duration: float | None = None
    """Seconds that the handler took; None if nobody can tell."""
    beside: tuple[str, ...] = ()
    """Of a lost one: up to 20 other runs that the same executor had at that time."""


class AttemptPage(msgspec.Struct, frozen=True):
    attempts: list[AttemptInfo]


class LogLine(msgspec.Struct, frozen=True):
    at: datetime
    level: int
    message: str
    seq: int


class LogPage(msgspec.Struct, frozen=True):
    logs: list[LogLine]
    next: int


class AcceptedRun(msgspec.Struct, frozen=True):
    id: str
    existing: bool


class AcceptedRuns(msgspec.Struct, frozen=True):
    runs: list[AcceptedRun]
