"""The one rule by which a request becomes a run: of a caller, a trigger, a backfill, a webhook or an event.

PostgreSQL has the same rule for callers in SQL (`mainspring.run_called`); `tests/domain/birth_cases.py` holds the two together.
"""

import hashlib
from datetime import datetime, timedelta
from functools import lru_cache

import msgspec

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import Job, JobSpec
from mainspring.domain.metadata import (
    RunMetadata,
    check_deadline,
    check_labels,
    check_start_within,
    check_tags,
    encode_metadata,
    marks_of,
    write_metadata,
)
from mainspring.domain.names import check_queue_name
from mainspring.domain.queues.line import ADDRESS_ANY, JOB_ANY, Line
from mainspring.domain.routing.route import Route
from mainspring.domain.runs.run import KEY_MAX, NewRun, check_due, check_priority
from mainspring.domain.workflows.spec import HANDLER as WORKFLOW
from mainspring.errors import InvalidInputError


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A run to be created; None stands for the job's own value."""

    job: str
    input: bytes = b"{}"
    """The arguments, a JSON object, exactly as they will be stored."""
    queue: str | None = None
    executor: str | None = None
    """The one executor that may take it; None: any that can, by the job's route."""
    route: Route | None = None
    """How its executor is chosen, instead of the job's route."""
    priority: int | None = None
    due_at: datetime | None = None
    """None: at once."""
    key: str | None = None
    digest: bytes | None = None
    """What a request with the same key must match; None: the digest of its job and input."""
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    deadline_at: datetime | None = None
    start_within: float | None = None
    """Seconds from when the run is due, or created if that is later, until it fails unless started."""
    start_deadline: float | None = None
    """Seconds from when the run is due until it fails unless started, however late it is created."""
    by: str = ""
    """The name of the caller's token."""
    parent: RunId | None = None
    """The run whose handler sent the request."""
    trigger: str = ""
    """The name of the trigger that sent the request."""
    fire_at: datetime | None = None
    """The trigger's fire time; None if it was fired by hand, webhook or event."""
    backfill: str = ""
    """The id of the backfill that sent the request."""
    traceparent: str = ""
    """The span that the request was sent in, as `domain/runs/trace.py` keeps it."""
    fork_of: str = ""
    """The workflow run that is forked,"""
    fork_step: str = ""
    """the step at which the new one begins,"""
    fork_version: int = 0
    """and the version that it goes by; 0: that of the other one."""


class Accepted(msgspec.Struct, frozen=True):
    """The answer to a request. The run is durable; `existing`: it was there before, under the same key."""

    id: RunId
    existing: bool = False


def line_of(job: Job, queue: str | None, executor: str | None = None) -> Line:
    """The line of a run of this job; None is the job's own queue, and any executor."""
    own = job.name if job.own_line else JOB_ANY
    handler = WORKFLOW if job.spec.has_steps else job.spec.handler
    return Line(job.namespace, job.spec.queue if queue is None else queue, handler, executor or ADDRESS_ANY, own)


def step_line(job: Job) -> Line:
    """The line of a workflow's step that runs this job: by its own handler also if other jobs follow the job's own runs."""
    return line_of(job, None) if job.spec.policy.spreads else child_line(job)


def child_line(job: Job, executor: str = ADDRESS_ANY) -> Line:
    """The line of the handler's own runs, addressed to one executor if a name is given."""
    own = job.name if job.own_line else JOB_ANY
    return Line(job.namespace, job.spec.queue, job.spec.handler, executor, own)


def check_request(request: RunRequest, now: datetime) -> None:
    """Check every field but the input, which only its job's schema can judge; raises InvalidInputError."""
    if request.queue is not None:
        check_queue_name(request.queue)
    if request.priority is not None:
        check_priority(request.priority)
    if request.due_at is not None:
        check_due(request.due_at, now)
    if request.key is not None:
        check_key(request.key)
    if request.deadline_at is not None:
        check_deadline(request.deadline_at, due_at=now if request.due_at is None else request.due_at, now=now)
    if request.labels:
        check_labels(request.labels)
    if request.tags:
        check_tags(request.tags)
    if request.start_within is not None:
        check_start_within(request.start_within)


def check_key(key: str) -> None:
    if not 0 < len(key) <= KEY_MAX or not key.isprintable():
        raise InvalidInputError("key", f"needs 1 to {KEY_MAX} printable characters", code="bad_key")


def new_run(
    request: RunRequest, job: Job, line: int, now: datetime, *, identifier: RunId, arguments: bytes | None = None
) -> NewRun:
    """The run of a checked request; `arguments` are its input completed by the job's own."""
    spec = job.spec
    due_at = now if request.due_at is None else request.due_at
    run = NewRun(
        id=identifier,
        job=job.id,
        line=line,
        priority=spec.priority if request.priority is None else request.priority,
        due_at=due_at,
        input=request.input if arguments is None else arguments,
    )
    if request.key is not None:
        run.key = request.key
        run.digest = digest(request) if request.digest is None else request.digest
    deadline_at = request.deadline_at
    if deadline_at is None and spec.deadline is not None:
        deadline_at = max(due_at, now) + timedelta(seconds=spec.deadline)
    start_by = start_deadline_for(request, spec, due_at, now)
    if start_by is None or (deadline_at is not None and deadline_at <= start_by):
        # A deadline that comes first is enough.
        run.deadline_at = deadline_at
        told = request.labels or request.tags or request.trigger or request.traceparent or request.fork_of
        if request.parent is None and not told:
            run.extra = creator_only(request.by)
        else:
            add_metadata(run, request)
    else:
        # Until the run is started, one column holds its start deadline; the metadata keep the deadline that follows.
        run.deadline_at = start_by
        add_metadata(run, request, start_by, deadline_at)
    return run


def start_deadline_for(request: RunRequest, spec: JobSpec, due_at: datetime, now: datetime) -> datetime | None:
    """The earlier of the two start deadlines, if there are any."""
    within = spec.start_within if request.start_within is None else request.start_within
    start_by = None if within is None else max(due_at, now) + timedelta(seconds=within)
    if request.start_deadline is None:
        return start_by
    own = due_at + timedelta(seconds=request.start_deadline)
    return own if start_by is None else min(own, start_by)


def add_metadata(
    run: NewRun, request: RunRequest, start_by: datetime | None = None, ends_by: datetime | None = None
) -> None:
    tags = request.tags if len(request.tags) < 2 else tuple(dict.fromkeys(request.tags))
    parent = "" if request.parent is None else id_text(request.parent)
    extra = RunMetadata(
        labels=request.labels,
        tags=tags,
        start_by=start_by,
        ends_by=ends_by,
        trigger=request.trigger,
        fire_at=request.fire_at,
        backfill=request.backfill,
        traceparent=request.traceparent,
        key=(request.key or "") if request.traceparent else "",
        by=request.by,
        parent=parent,
        fork_of=request.fork_of,
        fork_step=request.fork_step,
        fork_version=request.fork_version,
    )
    run.extra = encode_metadata(extra)
    if request.labels or tags or parent:
        run.marks = marks_of(request.labels, tags, request.parent)


@lru_cache(maxsize=1024)
def creator_only(by: str) -> bytes | None:
    """The metadata of a run without any other, encoded once per token."""
    return write_metadata(RunMetadata(by=by))


def digest(request: RunRequest) -> bytes:
    """Equal for requests with the same job and input."""
    return hashlib.sha256(request.job.encode() + b"\0" + request.input).digest()
