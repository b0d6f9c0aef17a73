"""A request becomes a run to be created, or a clear refusal."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from mainspring.domain.ids import Ids
from mainspring.domain.job import Job
from mainspring.domain.line import Line
from mainspring.domain.run import KEY_MAX, NewRun, check_due, check_priority
from mainspring.errors import InvalidInputError, NotFoundError
from mainspring.scheduler.requests import RunRequest
from mainspring.scheduler.roster import Roster
from mainspring.wire.arguments import checker

QUEUE_MAX = 100


class Validate:
    """Checks requests against the jobs of the roster."""

    def __init__(self, roster: Roster, ids: Ids) -> None:
        self._roster = roster
        self._ids = ids

    async def runs(self, namespace: str, requests: Sequence[RunRequest], now: datetime) -> list[NewRun]:
        ids = self._ids.runs(len(requests), now)
        runs: list[NewRun] = []
        for position, (identifier, request) in enumerate(zip(ids, requests, strict=True)):
            try:
                job = self._job(namespace, request.job)
                line = await self._line(namespace, job, request.queue)
                runs.append(
                    NewRun(
                        id=identifier,
                        job=job.id,
                        line=line,
                        priority=check_priority(job.spec.priority if request.priority is None else request.priority),
                        due_at=now if request.due_at is None else check_due(request.due_at, now),
                        input=checked(job, request.input),
                        key=None if request.key is None else check_key(request.key),
                        digest=None if request.key is None else digest(request),
                    )
                )
            except InvalidInputError as error:
                raise error if len(requests) == 1 else at_position(error, position) from None
        return runs

    def _job(self, namespace: str, name: str) -> Job:
        job = self._roster.jobs.get((namespace, name))
        if job is None:
            raise NotFoundError("job", name, "no executor has registered it in this namespace yet")
        return job

    async def _line(self, namespace: str, job: Job, queue: str | None) -> int:
        line = Line(namespace, job.spec.queue if queue is None else check_queue(queue), job.spec.handler)
        number = self._roster.numbers.get(line)
        return await self._roster.line(line) if number is None else number


def checked(job: Job, raw: bytes) -> bytes:
    checker(job.spec.schema)(raw)
    return raw


def check_key(key: str) -> str:
    if not 0 < len(key) <= KEY_MAX or not key.isprintable():
        raise InvalidInputError("key", f"needs 1 to {KEY_MAX} printable characters", code="bad_key")
    return key


def check_queue(queue: str) -> str:
    if not 0 < len(queue) <= QUEUE_MAX or not queue.isprintable():
        raise InvalidInputError("queue", f"needs 1 to {QUEUE_MAX} printable characters", code="bad_queue")
    return queue


def digest(request: RunRequest) -> bytes:
    """Of what makes two requests the same: the job and its input."""
    return hashlib.sha256(request.job.encode() + b"\0" + request.input).digest()


def at_position(error: InvalidInputError, position: int) -> InvalidInputError:
    return type(error)(f"runs[{position}].{error.field}", error.reason, code=error.code)
