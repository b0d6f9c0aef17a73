"""How runs, attempts and log lines look in JSON."""

from datetime import UTC, datetime, timedelta

import msgspec

from mainspring.api.http.json_io import shown_json
from mainspring.contract.runs import (
    AttemptInfo,
    LogLine,
    RunDiscard,
    RunError,
    RunInfo,
    RunProgress,
    RunSuspension,
)
from mainspring.domain.ids import id_text
from mainspring.domain.runs.dead_letter import Discard
from mainspring.domain.runs.explain import standing_of
from mainspring.domain.runs.log import LogEntry
from mainspring.domain.runs.run import Attempt, Failure, Run, RunState, Suspension
from mainspring.domain.years import END

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST = (END - EPOCH) // datetime.resolution


def show_progress(run: Run) -> RunProgress | None:
    """The latest report; a run that has succeeded is complete, even if its handler reported less."""
    if run.progress is None:
        return None
    return RunProgress(1.0 if run.state is RunState.SUCCEEDED else run.progress.fraction, run.progress.note)


def show_run(run: Run, *, bodies: bool = True, discard: Discard | None = None, trace_url: str | None = None) -> RunInfo:
    standing = standing_of(run)
    return RunInfo(
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
        trace=run.trace,
        trace_url=trace_url,
        workflow=None if run.workflow is None else id_text(run.workflow),
        step=run.step,
        item=run.item,
        why=None if standing is None else standing.why,
        until=None if standing is None else standing.until,
        progress=show_progress(run),
        suspension=show_suspension(run.suspension),
        discarded=None if discard is None else RunDiscard(discard.at, discard.by, discard.reason),
        input=shown_json(run.input) if run.input else msgspec.UNSET,
        result=show_result(run) if bodies else msgspec.UNSET,
    )


def show_suspension(suspension: Suspension | None) -> RunSuspension | None:
    return None if suspension is None else RunSuspension(suspension.reason, suspension.resume_at)


def show_result(run: Run) -> msgspec.Raw | msgspec.UnsetType | None:
    """The result of a run that has succeeded; left out if it is too large for a list."""
    if run.result is not None:
        return shown_json(run.result)
    return msgspec.UNSET if run.state is RunState.SUCCEEDED else None


def show_failure(failure: Failure | None) -> RunError | None:
    return None if failure is None else RunError(failure.error, failure.message, failure.traceback, failure.code)


def show_attempt(attempt: Attempt, job: str) -> AttemptInfo:
    return AttemptInfo(
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
        beside=tuple(map(id_text, attempt.beside)),
    )


def show_log(entry: LogEntry) -> LogLine:
    # The executor's clock says so, which may say anything.
    at = EPOCH + timedelta(microseconds=min(max(entry.at, 0), LAST))
    return LogLine(at, entry.level, entry.message, entry.seq)
