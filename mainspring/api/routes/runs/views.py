"""How runs, attempts and log lines look in JSON."""

from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.api.http.json_io import shown_json
from mainspring.domain.ids import id_text
from mainspring.domain.runs.dead_letter import Discard
from mainspring.domain.runs.explain import standing_of
from mainspring.domain.runs.log import LogEntry
from mainspring.domain.runs.run import Attempt, Failure, Run, RunState, Suspension
from mainspring.domain.years import END
from mainspring.scheduler.intake.requests import Accepted

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST = (END - EPOCH) // datetime.resolution


class AcceptedView(msgspec.Struct, frozen=True):
    id: str
    existing: bool


class AcceptedRunsView(msgspec.Struct, frozen=True):
    """In the order of the request."""

    runs: list[AcceptedView]


class ErrorView(msgspec.Struct, frozen=True, rename={"error": "class"}):
    error: str
    message: str
    traceback: str
    code: str
    """Stable: `error` is the handler's own."""


class ProgressView(msgspec.Struct, frozen=True):
    fraction: float
    note: str


class SuspensionView(msgspec.Struct, frozen=True):
    """Why a run is set aside, or is to be, and until when."""

    reason: str
    resume_at: datetime | None
    """Null: until somebody resumes it."""


class DiscardView(msgspec.Struct, frozen=True):
    """Somebody's word that nothing is to be done about a run that failed."""

    at: datetime
    by: str
    reason: str


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run. A list leaves `input` and `result` out unless bodies are asked for, and then those that are too large."""

    id: str
    namespace: str
    job: str
    queue: str
    priority: int
    state: str
    reason: str | None
    attempt: int
    failures: int
    losses: int
    due_at: datetime
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    executor: str | None
    error: ErrorView | None
    key: str | None
    deadline: datetime | None
    start_by: datetime | None
    """When it fails, or would have, if nobody had started it."""
    labels: dict[str, str]
    tags: tuple[str, ...]
    created_by: str | None
    parent: str | None
    """The run whose handler asked for it."""
    trigger: str | None
    """Whose run it is,"""
    fire_at: datetime | None
    """and the instant that it is the run of; null: the trigger was called, or told to fire."""
    backfill: str | None
    """What made it for an instant that lay behind."""
    why: str | None
    """Why it stands where it stands, and what ends that; null once it is over."""
    until: datetime | None
    """When that ends at the latest; null: only by what `why` names."""
    progress: ProgressView | None
    suspension: SuspensionView | None
    discarded: DiscardView | None
    """Only where one run is shown."""
    input: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: msgspec.Raw | msgspec.UnsetType | None = msgspec.UNSET


class RunsView(msgspec.Struct, frozen=True):
    """A page, which may be short; `next` is the cursor of the one behind it, null at the end."""

    runs: list[RunView]
    next: str | None


class AttemptView(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    outcome: str
    executor: str
    started_at: datetime | None
    ended_at: datetime
    error: ErrorView | None
    job: str
    host: str
    code_version: str
    duration: float | None
    """Seconds that the handler took; null if nobody can tell."""
    beside: list[str]
    """Of a lost one: up to 20 other runs that the same executor had at that time."""


class AttemptsView(msgspec.Struct, frozen=True):
    """The attempts that did not succeed, oldest first."""

    attempts: list[AttemptView]


class LogView(msgspec.Struct, frozen=True):
    at: datetime
    level: int
    message: str
    seq: int


class LogsView(msgspec.Struct, frozen=True):
    """A page of log lines; `next` is the position behind the last of them."""

    logs: list[LogView]
    next: int


def show_accepted(accepted: Accepted) -> AcceptedView:
    return AcceptedView(id_text(accepted.id), accepted.existing)


def show_progress(run: Run) -> ProgressView | None:
    """The latest report; a run that has succeeded is all done, whatever its handler said last."""
    if run.progress is None:
        return None
    return ProgressView(1.0 if run.state is RunState.SUCCEEDED else run.progress.fraction, run.progress.note)


def show_run(run: Run, *, bodies: bool = True, discard: Discard | None = None) -> RunView:
    standing = standing_of(run)
    return RunView(
        id=id_text(run.id),
        namespace=run.namespace,
        job=run.job,
        queue=run.queue,
        priority=run.priority,
        state=run.state.label,
        reason=run.reason,
        attempt=run.attempt,
        failures=run.failures,
        losses=run.losses,
        due_at=run.due_at,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
        executor=run.executor,
        error=show_failure(run.failure),
        key=run.key,
        deadline=run.deadline_at,
        start_by=run.start_by,
        labels=run.labels,
        tags=run.tags,
        created_by=run.created_by,
        parent=None if run.parent is None else id_text(run.parent),
        trigger=run.trigger,
        fire_at=run.fire_at,
        backfill=run.backfill,
        why=None if standing is None else standing.why,
        until=None if standing is None else standing.until,
        progress=show_progress(run),
        suspension=show_suspension(run.suspension),
        discarded=None if discard is None else DiscardView(discard.at, discard.by, discard.reason),
        input=msgspec.UNSET if run.input is None else shown_json(run.input),
        result=show_result(run) if bodies else msgspec.UNSET,
    )


def show_suspension(suspension: Suspension | None) -> SuspensionView | None:
    return None if suspension is None else SuspensionView(suspension.reason, suspension.resume_at)


def show_result(run: Run) -> msgspec.Raw | msgspec.UnsetType | None:
    """Whoever succeeded has a result; if it is not here, it is too large to be."""
    if run.result is not None:
        return shown_json(run.result)
    return msgspec.UNSET if run.state is RunState.SUCCEEDED else None


def show_failure(failure: Failure | None) -> ErrorView | None:
    return None if failure is None else ErrorView(failure.error, failure.message, failure.traceback, failure.code)


def show_attempt(attempt: Attempt, job: str) -> AttemptView:
    return AttemptView(
        number=attempt.number,
        outcome=attempt.outcome,
        executor=attempt.executor,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
        error=show_failure(attempt.failure),
        job=job,
        host=attempt.host,
        code_version=attempt.code_version,
        duration=attempt.duration,
        beside=[id_text(run) for run in attempt.beside],
    )


def show_log(entry: LogEntry) -> LogView:
    # The executor's clock says so, which may say anything.
    at = EPOCH + timedelta(microseconds=min(max(entry.at, 0), LAST))
    return LogView(at, entry.level, entry.message, entry.seq)
