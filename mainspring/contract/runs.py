"""Bodies and views of runs."""

from datetime import datetime
from typing import Any, ClassVar

from mainspring.contract.base.view import View

FINAL = frozenset({"succeeded", "failed", "cancelled", "skipped"})


class AcceptedRun(View, frozen=True):
    id: str
    existing: bool


class AcceptedRuns(View, frozen=True):
    """In the order of the request."""

    runs: list[AcceptedRun]


class RunError(View, frozen=True, rename={"error": "class"}):
    """The error of the last attempt that did not succeed."""

    error: str
    message: str
    traceback: str
    code: str = "error"
    """Stable: `error` is the handler's own."""


class RunProgress(View, frozen=True):
    fraction: float
    note: str


class RunSuspension(View, frozen=True):
    """Why a run is set aside, or is to be, and until when."""

    reason: str
    resume_at: datetime | None = None
    """Null: until an operator resumes it."""


class RunDiscard(View, frozen=True):
    """An operator's decision to leave a failed run as it is."""

    at: datetime
    by: str
    reason: str = ""


class RunInfo(View, frozen=True, kw_only=True):
    """A run. A list leaves `input` and `result` out unless bodies are asked for, and then those that are too large."""

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
    error: RunError | None = None
    key: str | None = None
    deadline: datetime | None = None
    start_by: datetime | None = None
    """When the run fails unless an attempt has started."""
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    created_by: str | None = None
    parent: str | None = None
    """The run whose handler asked for it."""
    trigger: str | None = None
    """The trigger that created the run."""
    fire_at: datetime | None = None
    """Its scheduled fire time; null if fired by hand, webhook or event."""
    backfill: str | None = None
    """The backfill that created the run for a past fire time."""
    trace: str | None = None
    """The id of the trace that the run was enqueued in; null: of none that was sampled."""
    trace_url: str | None = None
    """Where that trace is shown, by the server's setting `trace_url`; null in lists, and without it."""
    workflow: str | None = None
    """The workflow run whose step the run is."""
    step: str | None = None
    """The name of the step."""
    item: int | None = None
    """The number of the item, counted from 0, if the step is a map."""
    why: str | None = None
    """Why the run is waiting, and what ends that; null once it has ended."""
    until: datetime | None = None
    """When the wait ends at the latest; null: only by what `why` names."""
    progress: RunProgress | None = None
    suspension: RunSuspension | None = None
    discarded: RunDiscard | None = None
    """Only where one run is shown."""
    input: Any = {}
    result: Any = None

    @property
    def final(self) -> bool:
        return self.state in FINAL

    sparse: ClassVar[tuple[str, ...]] = (
        "input",
        "result",
    )


class RunPage(View, frozen=True):
    """A page, which may be short; `next` is the cursor of the next one, null at the end."""

    runs: list[RunInfo]
    next: str | None


class AttemptInfo(View, frozen=True, kw_only=True):
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
    """Seconds that the handler took; null if that is not known."""
    beside: tuple[str, ...] = ()
    """If the attempt was lost: up to 20 other runs that the executor had at that time."""


class AttemptPage(View, frozen=True):
    """The attempts that did not succeed, oldest first."""

    attempts: list[AttemptInfo]


class LogLine(View, frozen=True):
    at: datetime
    level: int
    message: str
    seq: int


class LogPage(View, frozen=True):
    """A page of log lines; `next` is the position behind the last of them."""

    logs: list[LogLine]
    next: int


class CancelledRun(View, frozen=True):
    """The result of one cancel of many."""

    id: str
    state: str | None
    """`cancelled`; `running` while its attempt is being stopped; the state it had ended in before; null if it is unknown."""
    code: str | None = None
    """Why it was not cancelled: `run_final` or `unknown_run`."""


class CancelledRuns(View, frozen=True):
    """In the order of the request."""

    runs: list[CancelledRun]


class RunCount(View, frozen=True):
    """How many of the newest runs match a query."""

    count: int
    is_complete: bool
    """False: older runs were not looked at."""
    states: dict[str, int]


class ChangedRuns(View, frozen=True):
    """The runs that were changed; the others had started or ended, or are unknown."""

    runs: list[str]
