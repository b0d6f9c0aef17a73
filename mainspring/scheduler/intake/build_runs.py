"""A request becomes a run to be created, or a clear refusal."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from mainspring.domain.ids import Ids, RunId, id_text
from mainspring.domain.jobs.job import Job
from mainspring.domain.metadata import (
    Extra,
    add_start_deadline,
    check_deadline,
    check_labels,
    check_start_within,
    check_tags,
    marks_of,
    write_extra,
)
from mainspring.domain.names import check_queue_name
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.run import KEY_MAX, NewRun, check_due, check_priority
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.catalog import Roster
from mainspring.scheduler.intake.check_input import checked
from mainspring.scheduler.intake.requests import RunRequest

UNMADE = 0
"""The number of a line that is yet to be made."""


class Validate:
    """Checks requests against the jobs of the roster."""

    def __init__(self, roster: Roster, ids: Ids) -> None:
        self._roster = roster
        self._ids = ids

    async def runs(self, namespace: str, requests: Sequence[RunRequest], now: datetime) -> list[NewRun]:
        ids = self._ids.runs(len(requests), now)
        runs: list[NewRun] = []
        new: dict[int, Line] = {}
        for position, (identifier, request) in enumerate(zip(ids, requests, strict=True)):
            try:
                job = self._job(namespace, request.job)
                line = line_of(namespace, job, request.queue)
                number = self._roster.numbers.get(line)
                if number is None:
                    new[position] = line
                runs.append(self._run(identifier, job, number or UNMADE, request, now))
            except InvalidInputError as error:
                raise error if len(requests) == 1 else at_position(error, position) from None
        if new:
            # Together: one at a time, each new queue would cost its own commit and a rebuild of every plan.
            await self._roster.make_lines(new.values())
            for position, line in new.items():
                runs[position].line = self._roster.numbers[line]
        return runs

    def _run(self, identifier: RunId, job: Job, line: int, request: RunRequest, now: datetime) -> NewRun:
        run = NewRun(
            id=identifier,
            job=job.id,
            line=line,
            priority=check_priority(job.spec.priority if request.priority is None else request.priority),
            due_at=now if request.due_at is None else check_due(request.due_at, now),
            input=checked(job, request.input, self._roster.schema_of(job)),
            key=None if request.key is None else check_key(request.key),
            digest=None if request.key is None else digest(request),
        )
        if request.deadline_at is not None:
            run.deadline_at = check_deadline(request.deadline_at, due_at=run.due_at, now=now)
        elif job.spec.deadline is not None:
            run.deadline_at = max(run.due_at, now) + timedelta(seconds=job.spec.deadline)
        add_attributes(run, request)
        within = job.spec.start_within if request.start_within is None else check_start_within(request.start_within)
        if within is not None:
            add_start_deadline(run, max(run.due_at, now) + timedelta(seconds=within))
        return run

    def _job(self, namespace: str, name: str) -> Job:
        job = self._roster.jobs.get((namespace, name))
        if job is None:
            raise NotFoundError("job", name, self._hint(namespace, name))
        return job

    def _hint(self, namespace: str, name: str) -> str:
        close = did_you_mean(name, (job for place, job in self._roster.jobs if place == namespace))
        return f"no executor has registered it in this namespace yet{close}"


def line_of(namespace: str, job: Job, queue: str | None) -> Line:
    return Line(namespace, job.spec.queue if queue is None else check_queue_name(queue), job.spec.handler)


def check_key(key: str) -> str:
    if not 0 < len(key) <= KEY_MAX or not key.isprintable():
        raise InvalidInputError("key", f"needs 1 to {KEY_MAX} printable characters", code="bad_key")
    return key


def add_attributes(run: NewRun, request: RunRequest) -> None:
    if not (request.labels or request.tags or request.trigger) and request.parent is None:
        run.extra = maker_only(request.by)
        return
    labels, tags = check_labels(request.labels), check_tags(request.tags)
    parent = "" if request.parent is None else id_text(request.parent)
    extra = Extra(labels=labels, tags=tags, trigger=request.trigger, by=request.by, parent=parent)
    run.extra = write_extra(extra)
    run.marks = marks_of(labels, tags, request.parent)


@lru_cache(maxsize=1024)
def maker_only(by: str) -> bytes | None:
    """The extra of a run that has neither labels nor tags: one value for all that the same token asks for."""
    return write_extra(Extra(by=by))


def digest(request: RunRequest) -> bytes:
    """Of what makes two requests the same: the job and its input."""
    return hashlib.sha256(request.job.encode() + b"\0" + request.input).digest()


def at_position(error: InvalidInputError, position: int) -> InvalidInputError:
    return type(error)(f"runs[{position}].{error.field}", error.reason, code=error.code)
